import { assert, assertEquals, assertRejects } from "@std/assert";
import { PathError } from "../../src/permissions/paths.ts";
import { searchFiles } from "../../src/tools/search_files.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { newToolContext, type TempDir, tempDir } from "../testing/tool_context.ts";

async function search(dir: TempDir, input: Record<string, unknown>): Promise<string[]> {
  const context = newToolContext({ cwd: dir.path, child: { env: {} } });
  return (await searchFiles.execute(input, context)).content.split("\n");
}

Deno.test("search_files gives path, line and text of each match, in the order of the paths", async () => {
  await using dir = await tempDir({ "src/b.ts": "x\nfoo()\n", "src/a.ts": "foo\r\nbar\r\nfoo", "c": "nothing" });
  assertEquals(await search(dir, { pattern: "fo+" }), [
    "src/a.ts:1:foo",
    "src/a.ts:3:foo",
    "src/b.ts:2:foo()",
    "[3 matching lines in 2 files]",
  ]);
});

Deno.test("search_files counts, or only names the files", async () => {
  await using dir = await tempDir({ "a": "x\nx\ny\n", "b": "x\n", "c": "" });
  assertEquals(await search(dir, { pattern: "x", mode: "count" }), ["a:2", "b:1", "[3 matching lines in 2 files]"]);
  assertEquals(await search(dir, { pattern: "x", mode: "files" }), ["a", "b", "[2 files]"]);
});

Deno.test("search_files takes a pattern that begins with a dash as a pattern, in every mode", async () => {
  await using dir = await tempDir({ "h.txt": "--ctx-size N\nuse -> here\nflag -e\n" });
  assertEquals((await search(dir, { pattern: "--ctx-size|->" })).slice(0, 2), [
    "h.txt:1:--ctx-size N",
    "h.txt:2:use -> here",
  ]);
  assertEquals((await search(dir, { pattern: "-e" }))[0], "h.txt:3:flag -e");
  assertEquals((await search(dir, { pattern: "-e", mode: "files" }))[0], "h.txt");
  assertEquals((await search(dir, { pattern: "-e", mode: "count" }))[0], "h.txt:1");
});

Deno.test("search_files shows lines around a match, each once, and marks gaps", async () => {
  const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n");
  await using dir = await tempDir({ a: text, b: "line 3" });
  assertEquals(await search(dir, { pattern: "line (3|5|11)$", context: 1, path: "a" }), [
    "a-2-line 2",
    "a:3:line 3",
    "a-4-line 4",
    "a:5:line 5",
    "a-6-line 6",
    "--",
    "a-10-line 10",
    "a:11:line 11",
    "a-12-line 12",
    "[3 matching lines in 1 file]",
  ]);
  const both = await search(dir, { pattern: "line 3", context: 1 });
  assertEquals(both, ["a-2-line 2", "a:3:line 3", "a-4-line 4", "--", "b:1:line 3", "[2 matching lines in 2 files]"]);
});

Deno.test("search_files looks only into files that the glob includes, from the folder that is searched", async () => {
  await using dir = await tempDir({ "src/a.ts": "x", "src/a.js": "x", "src/sub/b.ts": "x", "b.ts": "x" });
  const files = async (input: Record<string, unknown>) =>
    (await search(dir, { pattern: "x", mode: "files", ...input })).slice(0, -1);
  assertEquals(await files({ include: "*.ts" }), ["b.ts", "src/a.ts", "src/sub/b.ts"]);
  assertEquals(await files({ include: "src/*.{ts,js}" }), ["src/a.js", "src/a.ts"]);
  assertEquals(await files({ include: "sub/**", path: "src" }), ["src/sub/b.ts"]);
});

Deno.test("search_files searches hidden files, but not .git, binaries and what git ignores", async () => {
  await using dir = await tempDir({
    ".gitignore": "out/\n",
    ".github/x.yml": "needle",
    ".git/config": "needle",
    "out/x": "needle",
    "image.png": "\x89PNG\0needle",
    "a": "needle",
  });
  assertEquals(await search(dir, { pattern: "needle", mode: "files" }), [".github/x.yml", "a", "[2 files]"]);
});

Deno.test("search_files searches a file that is named, though git ignores it", async () => {
  await using dir = await tempDir({ ".gitignore": "*.log\n", "a.log": "needle\n" });
  assertEquals((await search(dir, { pattern: "needle", path: "a.log" }))[0], "a.log:1:needle");
});

Deno.test("search_files passes secrets by, says so, and does not tell whether they match", async () => {
  const files = { ".env": "KEY=1", "deploy/key.pem": "KEY", ".ssh/config": "KEY", ".env.example": "KEY=" };
  await using dir = await tempDir(files);
  const note = "[passed by as secret: .env, .ssh, deploy/key.pem]";
  assertEquals(await search(dir, { pattern: "KEY" }), [".env.example:1:KEY=", "[1 matching line in 1 file]", note]);
  assertEquals((await search(dir, { pattern: "nowhere" })).at(-1), note);
  await assertRejects(() => search(dir, { pattern: "KEY", path: ".env" }), PathError, "secret");
});

Deno.test("search_files searches a secret that the person has allowed by its path", async () => {
  await using dir = await tempDir({ "deploy/.ssh/config": "KEY" });
  const context = newToolContext({ cwd: dir.path, child: { env: {} }, granted: new Set([dir.join("deploy/.ssh")]) });
  const { content } = await searchFiles.execute({ pattern: "KEY", path: "deploy/.ssh" }, context);
  assertEquals(content.split("\n")[0], "deploy/.ssh/config:1:KEY");
});

Deno.test("search_files finds each file once where links lead in circles", async () => {
  await using dir = await tempDir({ "sub/bar.txt": "foo\n" });
  await Deno.symlink("..", dir.join("sub/up"));
  await Deno.symlink(".", dir.join("self"));
  assertEquals(await search(dir, { pattern: "foo" }), ["sub/bar.txt:1:foo", "[1 matching line in 1 file]"]);
});

Deno.test("search_files cuts a long line around its match, and many matches with their number", async () => {
  await using dir = await tempDir({
    "app.min.js": "var a=1;".repeat(300_000) + "needle();" + "b();".repeat(100),
    "many.txt": "needle\n".repeat(50_000),
    "z.txt": "needle\n",
  });
  const lines = await search(dir, { pattern: "needle" });
  assert(/^app\.min\.js:1:….*needle\(\);.*…$/.test(lines[0]!), lines[0]);
  assert(lines[0]!.length < 350);
  assertEquals(lines.slice(50), [
    "many.txt:50:needle",
    "[many.txt: 49950 more matching lines]",
    "z.txt:1:needle",
    "[50002 matching lines in 3 files]",
  ]);
});

Deno.test("search_files stops at its limit and says where", async () => {
  await using dir = await tempDir({ a: "x\nx\n", b: "x\nx\nx\n", c: "x\n" });
  assertEquals(await search(dir, { pattern: "x", limit: 3 }), [
    "a:1:x",
    "a:2:x",
    "b:1:x",
    "[b: 2 more matching lines]",
    "[5 matching lines in 2 files]",
    "[enough was found: what comes after b was not searched]",
  ]);
  assertEquals((await search(dir, { pattern: "x", limit: 2, mode: "files" })).at(-1)?.includes("after b"), true);
});

Deno.test("search_files bounds its result whatever the lines are", async () => {
  await using dir = await tempDir({ a: `${"x".repeat(400)}\n`.repeat(3000) });
  const result = (await search(dir, { pattern: "x", path: "a", limit: 2000 })).join("\n");
  assert(result.length < 26_000, `${result.length} characters`);
  assert(result.includes("more matching lines]"));
});

Deno.test("search_files finds text in UTF-16 with a mark, in bytes that are no UTF-8, and shows no control character", async () => {
  const utf16 = new Uint8Array(new Uint16Array([0xfeff, ..."needle".split("").map((c) => c.charCodeAt(0))]).buffer);
  await using dir = await tempDir({
    "utf16.txt": utf16,
    "latin1.txt": new Uint8Array([0xe9, ...new TextEncoder().encode(" needle\n")]),
    "color.txt": "\x1b[31mneedle\x1b[0m\n",
  });
  assertEquals(await search(dir, { pattern: "needle" }), [
    "color.txt:1:⟨U+001B⟩[31mneedle⟨U+001B⟩[0m",
    "latin1.txt:1:é needle",
    "utf16.txt:1:needle",
    "[3 matching lines in 3 files]",
  ]);
});

Deno.test("search_files says how much it has looked at when nothing matches", async () => {
  await using dir = await tempDir({ a: "", b: "y" });
  assertEquals(await search(dir, { pattern: "x" }), [`No line matches "x" in 2 files`]);
});

Deno.test("search_files says why nothing may have matched", async () => {
  await using dir = await tempDir({ "a.ts": "foo bar\nend\n" });
  const hints = async (input: Record<string, unknown>) => (await search(dir, input)).slice(1);
  assertEquals(await search(dir, { pattern: "foo", include: "*.js,*.tsx" }), [
    'No line matches "foo": no file fits the include "*.js,*.tsx"; alternatives are written {a,b}',
  ]);
  assertEquals(await hints({ pattern: "x\\|foo" }), [
    '["\\|" is the character | itself: one of several is written a|b]',
  ]);
  assertEquals(await hints({ pattern: "\\<foo\\>" }), [
    '["\\<" is the character < itself: the edge of a word is written \\b]',
  ]);
  const perLine = ["[each line is searched by itself: no match goes beyond its line]"];
  assertEquals(await hints({ pattern: "foo[\\s\\S]*end" }), perLine);
  assertEquals(await hints({ pattern: "(?s)foo.*end" }), perLine);
  assertEquals(await hints({ pattern: "/foo/i" }), ["[the slashes around it are looked for too]"]);
  assertEquals(await hints({ pattern: "nothing" }), []);
});

Deno.test("search_files takes an empty path or glob as none, and a glob behind a ! as what to leave out", async () => {
  await using dir = await tempDir({ "a.ts": "foo", "b.js": "foo" });
  const files = async (input: Record<string, unknown>) =>
    (await search(dir, { pattern: "foo", mode: "files", ...input })).slice(0, -1);
  assertEquals(await files({ path: "", include: "" }), ["a.ts", "b.js"]);
  assertEquals(await files({ include: "!*.ts" }), ["b.js"]);
});

Deno.test("search_files knows the scripts of Unicode by their names", async () => {
  await using dir = await tempDir({ "a": "abc\n日本\n" });
  assertEquals((await search(dir, { pattern: "\\p{Han}+" }))[0], "a:2:日本");
  assertEquals((await search(dir, { pattern: "\\P{Han}{3}" }))[0], "a:1:abc");
});

Deno.test("search_files says what is wrong with its input", async () => {
  await using dir = await tempDir({ a: "x", "b.bin": "\0" });
  const refusals: [Record<string, unknown>, string][] = [
    [{ pattern: "f(" }, `Cannot use the pattern "f(": a "(" is never closed`],
    [{ pattern: "(a{99}){99}" }, "with its repetitions written out it is longer than 2000 characters"],
    [{ pattern: "x", include: "[" }, `Cannot use the include "[": a "[" is never closed`],
    [{ pattern: "x", path: "nope" }, "there is no such file or folder"],
    [{ pattern: "x", path: "b.bin" }, `Cannot search "b.bin": it is a binary file`],
    [{ pattern: "x", mode: "lines" }, `"mode" must be one of "content", "files", "count"`],
  ];
  for (const [input, message] of refusals) await assertRejects(() => search(dir, input), ToolError, message);
});

Deno.test("search_files stops with the signal's reason", async () => {
  await using dir = await tempDir({ a: "x" });
  const reason = new Error("stop");
  const context = newToolContext({ cwd: dir.path, signal: AbortSignal.abort(reason) });
  assert(await assertRejects(() => searchFiles.execute({ pattern: "x" }, context), Error) === reason);
});
