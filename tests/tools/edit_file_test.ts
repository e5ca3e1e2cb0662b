import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { PathError } from "../../src/permissions/paths.ts";
import { editFile } from "../../src/tools/edit_file.ts";
import { type ToolContext, ToolError } from "../../src/tools/tool.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

interface Attempt {
  old: string;
  new: string;
  all?: boolean;
}

/** Edits a file with this content: the file afterwards, and what the model is told. */
async function edit(content: string | Uint8Array, { old, new: replacement, all }: Attempt) {
  await using dir = await tempDir({ "a.txt": content });
  const input = { path: "a.txt", old_string: old, new_string: replacement, replace_all: all };
  const reply = await editFile.execute(input, newToolContext({ cwd: dir.path })).then(
    (output) => output.content,
    (error: unknown) => {
      if (error instanceof ToolError) return error.message;
      throw error;
    },
  );
  const bytes = await Deno.readFile(dir.join("a.txt"));
  assertEquals(Array.from(Deno.readDirSync(dir.path), ({ name }) => name), ["a.txt"]);
  return { after: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), bytes, reply };
}

/** Edits a file in this folder. */
function editIn(cwd: string, path: string, attempt: Attempt, options: Partial<ToolContext> = {}) {
  const input = { path, old_string: attempt.old, new_string: attempt.new, replace_all: attempt.all };
  return editFile.execute(input, newToolContext({ cwd, ...options }));
}

Deno.test("edit_file inserts $&, $$ and $1 as they are", async () => {
  const { after } = await edit('log("done");\n', { old: 'log("done");', new: 'log("$& $$ $1 ok");' });
  assertEquals(after, 'log("$& $$ $1 ok");\n');
});

Deno.test("edit_file finds lines that were asked for with other line ends, and keeps the file's", async () => {
  const { after, reply } = await edit("one\r\ntwo\r\nthree\r\n", { old: "two\nthree", new: "TWO\nthree\nfour" });
  assertEquals(after, "one\r\nTWO\r\nthree\r\nfour\r\n");
  assertStringIncludes(reply, "old_string differed in line ends");
});

Deno.test("edit_file edits a file whose lines end CR line by line, and puts no other line end into it", async () => {
  const { after, reply } = await edit("a\rb\rc\r", { old: "a\nb\n", new: "a\nx\nb\n" });
  assertEquals(after, "a\rx\rb\rc\r");
  assertStringIncludes(reply, "1→a\n2→x\n3→b\n4→c");
  assertEquals((await edit("a\rb\r", { old: "a", new: "a1\r\na2" })).after, "a1\ra2\rb\r");
  assertEquals((await edit("  a\r  b", { old: "a\rb\r", new: "a\rc\r" })).after, "  a\r  c");
  assertStringIncludes((await edit("a\rb\ra\r", { old: "a", new: "x" })).reply, "lines 1, 3");
  assertEquals((await edit("a\rb\n", { old: "b", new: "x\ny" })).after, "a\rx\ny\n", "a CR among LFs ends no line");
});

Deno.test("edit_file shows the change of a file whose lines end CR as lines", async () => {
  await using dir = await tempDir({ "a.txt": "a\rb\r" });
  const { display } = await editIn(dir.path, "a.txt", { old: "b", new: "c" });
  assertEquals(display, { type: "diff", path: "a.txt", before: "a\nb\n", after: "a\nc\n" });
});

Deno.test("edit_file keeps a byte order mark", async () => {
  const { after } = await edit("\uFEFF// café\r\nint x = 1;\r\n", { old: "int x = 1;", new: "int x = 2;" });
  assertEquals(after, "\uFEFF// café\r\nint x = 2;\r\n");
});

Deno.test("edit_file edits the first line behind a byte order mark", async () => {
  const { after } = await edit("\uFEFFa\nb\n", { old: "a\nb", new: "A\nb" });
  assertEquals(after, "\uFEFFA\nb\n");
});

Deno.test("edit_file does not double a byte order mark that it is given, nor takes one for indentation", async () => {
  assertEquals((await edit("\uFEFFa\nb\n", { old: "\uFEFFa", new: "\uFEFFA" })).after, "\uFEFFA\nb\n");
  assertEquals((await edit("\uFEFFa\nb\n", { old: "a\nb", new: "\uFEFFA\nb" })).after, "\uFEFFA\nb\n");
  assertEquals((await edit("a\nb\n", { old: "\uFEFFa", new: "\uFEFFA" })).after, "a\nb\n", "there is none");
  assertEquals((await edit("text\n", { old: "\u3000text", new: "\u3000new" })).after, "text\n", "a wide blank");
});

Deno.test("edit_file adds no final newline", async () => {
  const { after } = await edit("alpha\nbeta", { old: "beta", new: "gamma" });
  assertEquals(after, "alpha\ngamma");
});

Deno.test("edit_file refuses an empty old_string on a file that has content", async () => {
  const { after, reply } = await edit("keep me\n", { old: "", new: "tail\n" });
  assertEquals(after, "keep me\n");
  assertStringIncludes(reply, "old_string is empty");
});

Deno.test("edit_file fills an empty file", async () => {
  const { after } = await edit("", { old: "", new: "first\n" });
  assertEquals(after, "first\n");
});

Deno.test("edit_file creates a file, and the folders that it needs", async () => {
  await using dir = await tempDir();
  const { content } = await editIn(dir.path, "new/deep/a.txt", { old: "", new: "one\ntwo\n" });
  assertEquals(await Deno.readTextFile(dir.join("new/deep/a.txt")), "one\ntwo\n");
  assertEquals(content, 'Created "new/deep/a.txt"\n1→one\n2→two');
});

Deno.test("edit_file changes nothing where the text occurs three times, and says where", async () => {
  const content = "return x;\nfoo();\nreturn x;\nbar();\nreturn x;\n";
  const { after, reply } = await edit(content, { old: "return x;", new: "return y;" });
  assertEquals(after, content);
  assertStringIncludes(reply, "occurs 3 times, in lines 1, 3, 5");
});

Deno.test("edit_file replaces all places and counts them", async () => {
  const content = "return x;\nfoo();\nreturn x;\nbar();\nreturn x;\n";
  const { after, reply } = await edit(content, { old: "return x;", new: "return y;", all: true });
  assertEquals(after, content.replaceAll("x", "y"));
  assertStringIncludes(reply, "3 places");
});

Deno.test("edit_file replaces all places whatever their line ends", async () => {
  const { after } = await edit("a\r\nb\r\n-\r\na\r\nb\r\n", { old: "a\nb\n", new: "c\nd\n", all: true });
  assertEquals(after, "c\r\nd\r\n-\r\nc\r\nd\r\n");
});

Deno.test("edit_file does not replace all places that are only alike", async () => {
  const { after, reply } = await edit("a  \nb\n", { old: "a\nb", new: "c", all: true });
  assertEquals(after, "a  \nb\n");
  assertStringIncludes(reply, "old_string is not found");
});

Deno.test("edit_file refuses a place that is only one of two that are alike", async () => {
  const content = "func a() {\n\tif x {  \n\t\treturn\n\t}\n}\nfunc b() {\n\tif x {\n\t\treturn\n\t}\n}\n";
  const old = "    if x {\n        return\n    }";
  const { after, reply } = await edit(content, { old, new: old.replace("x", "y") });
  assertEquals(after, content);
  assertStringIncludes(reply, "2 places differ from it only in indentation, in lines 2, 7");
});

Deno.test("edit_file fits the replacement into another indentation", async () => {
  const { after, reply } = await edit("func b() {\n\tif x {  \n\t\treturn\n\t}\n}\n", {
    old: "    if x {\n        return\n    }",
    new: "    if x {\n        if y {\n            go()\n        }\n        return\n    }",
  });
  assertEquals(after, "func b() {\n\tif x {  \n\t\tif y {\n\t\t\tgo()\n\t\t}\n\t\treturn\n\t}\n}\n");
  assertStringIncludes(reply, "old_string differed in indentation");
});

Deno.test("edit_file refuses a new line whose indentation cannot be told", async () => {
  const { after, reply } = await edit("\ta\n\tb\n", { old: "a\nb\n", new: "a\n    c\n" });
  assertEquals(after, "\ta\n\tb\n");
  assertStringIncludes(reply, "indented otherwise in the file: copy it exactly\n1→\ta\n2→\tb");
});

Deno.test("edit_file shows the changed lines and three around them", async () => {
  const content = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  const { reply } = await edit(content, { old: "5", new: "five\nand more" });
  assertEquals(reply, 'Edited "a.txt"\n2→2\n3→3\n4→4\n5→five\n6→and more\n7→6\n8→7\n9→8');
});

Deno.test("edit_file shows the closest place of a text that is not there", async () => {
  const content = "alpha\nbeta gamma delta\nepsilon\n";
  const { after, reply } = await edit(content, { old: "beta gamma delt\nepsilon!", new: "x" });
  assertEquals(after, content);
  assertStringIncludes(reply, "The closest place, lines 2-3:\n2→beta gamma delta\n3→epsilon");
});

Deno.test("edit_file names the characters that only look like those of old_string", async () => {
  const replies = await Promise.all([
    edit("const\u00a0value = 1;\n", { old: "const value = 1;", new: "const value = 2;" }),
    edit("He said “hi” – it’s\n", { old: 'He said "hi" - it\'s', new: "He left" }),
    edit("le cafe\u0301 est bon\n", { old: "le caf\u00e9 est", new: "il est" }),
    edit("the plain-text way\n", { old: "the plain\u2011text way", new: "no way" }),
    edit("some words here\n", { old: "some words there", new: "none" }),
  ]);
  assertEquals(replies.map(({ reply }) => /line 1(.*):\n/.exec(reply)?.[1]), [
    " (it looks the same, but the file has U+00A0 there: give that as itself)",
    " (it looks the same, but the file has U+201C, U+201D, U+2013, U+2019 there: give that as itself)",
    " (it looks the same, but the file has U+0301 there: give that as itself)",
    " (it looks the same, but old_string has U+2011)",
    "",
  ]);
});

Deno.test("edit_file shows no line twice, and says that nothing is left", async () => {
  const { reply } = await edit("a\nx\nb\nx\nc\n", { old: "x", new: "y", all: true });
  assertEquals(reply, 'Edited "a.txt", 2 places\n1→a\n2→y\n3→b\n4→y\n5→c');
  assertEquals((await edit("a\n", { old: "a\n", new: "" })).reply, 'Edited "a.txt"; it is empty now');
});

Deno.test("edit_file says that new_string is there already", async () => {
  const { reply } = await edit("a\nnew text\n", { old: "old text", new: "new text" });
  assertStringIncludes(reply, "new_string is there already, in line 2");
  const byChance = await edit("if (a) {\n}\n", { old: "if (b) {", new: "}" });
  assertEquals(byChance.reply.includes("already"), false, "a short text is in many files");
});

Deno.test("edit_file recognises pasted line numbers", async () => {
  const { after, reply } = await edit("a\nb\n", { old: "1→a\n2→b", new: "c" });
  assertEquals(after, "a\nb\n");
  assertStringIncludes(reply, "line numbers of read_file");
});

Deno.test("edit_file finds a text that really begins like line numbers", async () => {
  const { after } = await edit("1→a\n2→b\n", { old: "1→a", new: "1→c" });
  assertEquals(after, "1→c\n2→b\n");
});

Deno.test("edit_file says how to give a control character", async () => {
  const { reply } = await edit("a\x1b[0m\n", { old: "a⟨U+001B⟩[0m", new: "a" });
  assertStringIncludes(reply, "as itself (\\u001b)");
  assertEquals((await edit("a\x1b[0m\n", { old: "\x1b[0m", new: "" })).after, "a\n");
});

Deno.test("edit_file shows no raw control characters", async () => {
  const { reply } = await edit("a\x1b[2J\nb\n", { old: "b", new: "c" });
  assertStringIncludes(reply, "1→a⟨U+001B⟩[2J\n2→c");
});

Deno.test("edit_file refuses a change that is none", async () => {
  assertStringIncludes((await edit("a\n", { old: "a", new: "a" })).reply, "are the same");
  assertStringIncludes((await edit("a\r\nb\r\n", { old: "a\nb", new: "a\r\nb" })).reply, "leave the file as it is");
});

Deno.test("edit_file refuses half a character", async () => {
  const { after, reply } = await edit("a\n", { old: "a", new: "\ud83d" });
  assertEquals(after, "a\n");
  assertStringIncludes(reply, "half a character");
});

const utf16 = Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0, 0x62, 0, 0x0d, 0, 0x0a, 0);

Deno.test("edit_file edits UTF-16 as UTF-16", async () => {
  const { bytes } = await edit(utf16, { old: "a\nb", new: "é\nb" });
  assertEquals(bytes, utf16.with(2, 0xe9));
});

Deno.test("edit_file leaves the other bytes of an 8-bit file alone", async () => {
  const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a, 0x81, 0x0a, 0x78, 0x0a);
  const { bytes } = await edit(latin1, { old: "café", new: "thé" });
  assertEquals(bytes, Uint8Array.of(0x74, 0x68, 0xe9, 0x0a, 0x81, 0x0a, 0x78, 0x0a));
  const refused = await edit(latin1, { old: "café", new: "茶" });
  assertEquals(refused.bytes, latin1);
  assertStringIncludes(refused.reply, 'Windows-1252 has no "茶"');
});

Deno.test("edit_file refuses binary files and damaged text", async () => {
  const binary = Uint8Array.of(0x61, 0, 1, 2, 3, 0, 0, 0x62);
  const first = await edit(binary, { old: "a", new: "c" });
  assertEquals(first.bytes, binary);
  assertStringIncludes(first.reply, "binary file of 8 bytes");
  const damaged = new TextEncoder().encode("größe größe größe x").with(-1, 0xff);
  const second = await edit(damaged, { old: "größe größe größe", new: "x" });
  assertEquals(second.bytes, damaged);
  assertStringIncludes(second.reply, "not valid text");
});

Deno.test("edit_file says what stands at a path that is no file", async () => {
  await using dir = await tempDir({ "folder/a.txt": "" });
  await assertRejects(() => editIn(dir.path, "no.txt", { old: "a", new: "b" }), ToolError, "there is no such file");
  await assertRejects(() => editIn(dir.path, "folder", { old: "a", new: "b" }), ToolError, "it is a folder");
});

Deno.test("edit_file shows the change before it is made, and makes exactly that", async () => {
  await using dir = await tempDir({ "a.txt": "one\ntwo\n" });
  const input = { path: "a.txt", old_string: "two", new_string: "2" };
  const context = newToolContext({ cwd: dir.path });
  const approved = await editFile.preview?.(input, context);
  assert(approved);
  assertEquals(approved, { type: "diff", path: "a.txt", before: "one\ntwo\n", after: "one\n2\n" });
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "one\ntwo\n");
  const { display } = await editFile.execute(input, { ...context, approved });
  assertEquals(display, approved);
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "one\n2\n");
});

Deno.test("edit_file makes no change that is not the approved one any more", async () => {
  await using dir = await tempDir({ "a.txt": "one\ntwo\n" });
  const input = { path: "a.txt", old_string: "two", new_string: "2" };
  const context = newToolContext({ cwd: dir.path });
  const approved = await editFile.preview?.(input, context);
  assert(approved);
  await Deno.writeTextFile(dir.join("a.txt"), "ONE\ntwo\n");
  await assertRejects(() => editFile.execute(input, { ...context, approved }), ToolError, "since the user approved");
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "ONE\ntwo\n");
});

Deno.test("edit_file says before a change where it will be, and afterwards what the model knows", async () => {
  await using dir = await tempDir({ "a.txt": "abc" });
  const events: string[] = [];
  const { seen } = await editIn(dir.path, "a.txt", { old: "b", new: "" }, {
    beforeChange: async (path) => void events.push(`${path}: ${await Deno.readTextFile(path)}`),
  });
  assertEquals(events, [`${dir.join("a.txt")}: abc`]);
  const hash = "f45de51cdef30991551e41e882dd7b5404799648a0a00753f44fc966e6153fc1"; // of "ac"
  assertEquals(seen, [{ path: dir.join("a.txt"), hash, page: { first: 1, last: 1, total: 1 } }]);
});

Deno.test("edit_file makes known the whole of a file only if that was known before", async () => {
  await using dir = await tempDir({ "a.txt": "1\n2\n3\n4\n" });
  const unread = await editIn(dir.path, "a.txt", { old: "2\n3\n", new: "x\ny\nz\n" });
  assertEquals(unread.seen?.[0]?.page, { first: 2, last: 4, total: 5 });
  const seen = new Map([[dir.join("a.txt"), unread.seen![0]!.hash]]);
  const read = await editIn(dir.path, "a.txt", { old: "x", new: "X" }, { seen });
  assertEquals(read.seen?.[0]?.page, undefined);
  const made = await editIn(dir.path, "new.txt", { old: "", new: "1\n2\n" });
  assertEquals(made.seen?.[0]?.page, undefined);
});

Deno.test("edit_file changes nothing when the change cannot be recorded", async () => {
  await using dir = await tempDir({ "a.txt": "abc" });
  const beforeChange = () => Promise.reject(new Error("Journal full"));
  await assertRejects(() => editIn(dir.path, "a.txt", { old: "b", new: "x" }, { beforeChange }), Error, "Journal full");
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "abc");
});

Deno.test("edit_file changes nothing after an interrupt", async () => {
  await using dir = await tempDir({ "a.txt": "abc" });
  const controller = new AbortController();
  const beforeChange = () => Promise.resolve(controller.abort());
  const attempt = { old: "b", new: "x" };
  await assertRejects(
    () => editIn(dir.path, "a.txt", attempt, { signal: controller.signal, beforeChange }),
    DOMException,
  );
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "abc");
});

Deno.test("edit_file shows nothing of a secret file that the model has not read", async () => {
  await using dir = await tempDir({ ".env": "KEY=hidden\nNAME=a\n" });
  const granted = new Set([dir.join(".env")]);
  const attempt = { old: "KEY=x", new: "KEY=y" };
  await assertRejects(() => editIn(dir.path, ".env", attempt), Error, "the path is secret");
  const error = await assertRejects(() => editIn(dir.path, ".env", attempt, { granted }), ToolError);
  assertEquals(
    error.message,
    `Cannot edit ".env": old_string is not found, and the file may hold secrets: read it first, with the user's consent`,
  );
  const { content, seen } = await editIn(dir.path, ".env", { old: "NAME=a", new: "NAME=b" }, { granted });
  assertEquals([content, seen], ['Edited ".env"', undefined]);
  assertEquals(await Deno.readTextFile(dir.join(".env")), "KEY=hidden\nNAME=b\n");
  const known = { granted, seen: new Map([[dir.join(".env"), "some hash"]]) };
  const after = await editIn(dir.path, ".env", { old: "NAME=b", new: "NAME=c" }, known);
  assertStringIncludes(after.content, "1→KEY=hidden");
});

Deno.test({
  name: "edit_file writes through links inside and refuses those that lead out",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using outside = await tempDir({ "s": "marker" });
    await using dir = await tempDir({ "real.txt": "abc" });
    await Deno.symlink("real.txt", dir.join("link.txt"));
    await Deno.symlink(outside.join("s"), dir.join("out"));
    await editIn(dir.path, "link.txt", { old: "b", new: "x" });
    assertEquals(await Deno.readTextFile(dir.join("real.txt")), "axc");
    assert((await Deno.lstat(dir.join("link.txt"))).isSymlink);
    await assertRejects(() => editIn(dir.path, "out", { old: "marker", new: "x" }), PathError, "outside");
    assertEquals(await Deno.readTextFile(outside.join("s")), "marker");
  },
});

Deno.test({
  name: "edit_file keeps the mode and leaves read-only files alone",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ "run.sh": "echo X\n", "fixed": "abc" });
    await Deno.chmod(dir.join("run.sh"), 0o755);
    await Deno.chmod(dir.join("fixed"), 0o444);
    await editIn(dir.path, "run.sh", { old: "X", new: "Y" });
    assertEquals((await Deno.stat(dir.join("run.sh"))).mode! & 0o7777, 0o755);
    await assertRejects(() => editIn(dir.path, "fixed", { old: "b", new: "x" }), ToolError, "read-only");
    assertEquals(await Deno.readTextFile(dir.join("fixed")), "abc");
    assertEquals((await Deno.stat(dir.join("fixed"))).mode! & 0o7777, 0o444);
  },
});

Deno.test({
  name: "edit_file refuses a file with a second name until the user agrees, and then leaves the other one as it was",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ "a.txt": "abc" });
    await Deno.link(dir.join("a.txt"), dir.join("b.txt"));
    await assertRejects(() => editIn(dir.path, "a.txt", { old: "b", new: "x" }), ToolError, "2 hard links");
    assertEquals(await Deno.readTextFile(dir.join("a.txt")), "abc");
    await editIn(dir.path, "a.txt", { old: "b", new: "x" }, { granted: new Set([dir.join("a.txt")]) });
    assertEquals(await Deno.readTextFile(dir.join("a.txt")), "axc");
    assertEquals(await Deno.readTextFile(dir.join("b.txt")), "abc");
  },
});

Deno.test("edit_file edits a large file without a copy of it in the answer", async () => {
  const line = "const value = compute(alpha, beta);\n";
  const content = line.repeat(30_000) + "const last = 1;\n";
  await using dir = await tempDir({ "a.ts": content });
  const { content: reply, display } = await editIn(dir.path, "a.ts", { old: "last = 1", new: "last = 2" });
  assertEquals(await Deno.readTextFile(dir.join("a.ts")), line.repeat(30_000) + "const last = 2;\n");
  assert(reply.length < 1000 && JSON.stringify(display).length < 1000);
});

Deno.test("edit_file keeps its errors short in a minified file", async () => {
  const content = "function a(b){return b+1};".repeat(40_000);
  const { after, reply } = await edit(content, { old: "function a(b){return b+2};", new: "x" });
  assertEquals(after, content);
  assert(reply.length < 2000);
});
