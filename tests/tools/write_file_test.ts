import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { PathError } from "../../src/permissions/paths.ts";
import { readFile } from "../../src/tools/read_file.ts";
import { rememberSeen } from "../../src/tools/seen_files.ts";
import { type ToolContext, ToolError } from "../../src/tools/tool.ts";
import { writeFile } from "../../src/tools/write_file.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

function write(cwd: string, path: string, content: string, options: Partial<ToolContext> = {}) {
  return writeFile.execute({ path, content }, newToolContext({ cwd, ...options }));
}

/** Reads a file and then overwrites it. */
async function overwrite(cwd: string, path: string, content: string) {
  const { seen = [] } = await readFile.execute({ path }, newToolContext({ cwd }));
  return await write(cwd, path, content, { seen: new Map(seen.map((file) => [file.path, file.hash])) });
}

const onPosix = { ignore: Deno.build.os === "windows" };

Deno.test("write_file writes exactly the content that it is given", async () => {
  await using dir = await tempDir();
  for (const content of ["one\ntwo", "one\r\ntwo\n", "\uFEFFone\n", "größe 🙂\n", ""]) {
    await Deno.remove(dir.join("a.txt")).catch(() => {});
    await write(dir.path, "a.txt", content);
    assertEquals(await Deno.readFile(dir.join("a.txt")), new TextEncoder().encode(content));
  }
});

Deno.test("write_file makes the folders that are missing", async () => {
  await using dir = await tempDir();
  const { content, display } = await write(dir.path, "a/b/c.txt", "x\n");
  assertEquals(content, 'Created "a/b/c.txt": 1 line');
  assertEquals(display, { type: "diff", path: "a/b/c.txt", before: "", after: "x\n" });
  assertEquals(await Deno.readTextFile(dir.join("a/b/c.txt")), "x\n");
});

Deno.test("write_file makes no file of a path that names a folder", async () => {
  await using dir = await tempDir();
  await assertRejects(() => write(dir.path, "new/", "x"), ToolError, 'it ends with "/", so that it names a folder');
  assertEquals([...Deno.readDirSync(dir.path)], []);
});

Deno.test("write_file refuses to overwrite a file that was not read", async () => {
  await using dir = await tempDir({ "a.txt": "v1\n" });
  await assertRejects(() => write(dir.path, "a.txt", "v2\n"), ToolError, "has not been read");
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "v1\n");
});

Deno.test("write_file overwrites a file that was read page by page, and not before the last page", async () => {
  await using dir = await tempDir({ "a.txt": "1\n2\n3\n" });
  const seen = new Map<string, string>();
  for (const offset of [3, 1]) {
    const page = await readFile.execute({ path: "a.txt", offset, limit: 1 }, newToolContext({ cwd: dir.path }));
    page.seen?.forEach((file) => rememberSeen(seen, file));
  }
  await assertRejects(
    () => write(dir.path, "a.txt", "new\n", { seen }),
    ToolError,
    'Cannot overwrite "a.txt": only 2 of 3 lines have been read; read the rest first, or use edit_file',
  );
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "1\n2\n3\n");
  const rest = await readFile.execute({ path: "a.txt", offset: 2 }, newToolContext({ cwd: dir.path }));
  rest.seen?.forEach((file) => rememberSeen(seen, file));
  await write(dir.path, "a.txt", "new\n", { seen });
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "new\n");
});

Deno.test("write_file refuses to overwrite a file that has changed since it was read", async () => {
  await using dir = await tempDir({ "o.txt": "v1\n" });
  const { seen = [] } = await readFile.execute({ path: "o.txt" }, newToolContext({ cwd: dir.path }));
  const { mtime } = await Deno.stat(dir.join("o.txt"));
  await Deno.writeTextFile(dir.join("o.txt"), "v1\nadded by someone else\n");
  await Deno.utime(dir.join("o.txt"), mtime!, mtime!);
  const known = new Map(seen.map((file) => [file.path, file.hash]));
  await assertRejects(
    () => write(dir.path, "o.txt", "v2\n", { seen: known }),
    ToolError,
    "has changed since it was read",
  );
  assertEquals(await Deno.readTextFile(dir.join("o.txt")), "v1\nadded by someone else\n");
});

Deno.test("write_file overwrites a file that was only touched since it was read", async () => {
  await using dir = await tempDir({ "o.txt": "v1\n" });
  const { seen = [] } = await readFile.execute({ path: "o.txt" }, newToolContext({ cwd: dir.path }));
  await Deno.utime(dir.join("o.txt"), 1, 1);
  const { content } = await write(dir.path, "o.txt", "v2\n", { seen: new Map(seen.map((f) => [f.path, f.hash])) });
  assertEquals(content, 'Overwrote "o.txt": 1 line');
  assertEquals(await Deno.readTextFile(dir.join("o.txt")), "v2\n");
});

Deno.test("write_file overwrites what it has itself written", async () => {
  await using dir = await tempDir();
  const { seen = [] } = await write(dir.path, "a.txt", "v1\n");
  await write(dir.path, "a.txt", "v2\n", { seen: new Map(seen.map((file) => [file.path, file.hash])) });
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "v2\n");
});

Deno.test("write_file fills an empty file that was not read: there is nothing to lose", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  await write(dir.path, "a.txt", "v1\n");
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "v1\n");
});

Deno.test("write_file leaves a file alone that has the content already", async () => {
  await using dir = await tempDir({ "a.txt": "v1\n" });
  await Deno.utime(dir.join("a.txt"), 1, 1);
  const { content, seen } = await write(dir.path, "a.txt", "v1\n");
  assertStringIncludes(content, "has this content already");
  assertEquals(seen?.length, 1);
  assertEquals((await Deno.stat(dir.join("a.txt"))).mtime, new Date(1000));
});

Deno.test("write_file keeps one byte order mark, whether the content brings one or not", async () => {
  for (const content of ["// café\nint x = 3;\n", "\uFEFF// café\nint x = 3;\n"]) {
    await using dir = await tempDir({ "d.cs": "\uFEFF// café\r\nint x = 1;\r\n" });
    const reply = await overwrite(dir.path, "d.cs", content);
    assertEquals(
      await Deno.readFile(dir.join("d.cs")),
      new TextEncoder().encode("\uFEFF// café\nint x = 3;\n"),
    );
    assertStringIncludes(reply.content, "lines ended CRLF and now end LF");
  }
});

Deno.test("write_file says that lines which ended CR now end LF", async () => {
  await using dir = await tempDir({ "a.txt": "a\rb\r" });
  assertStringIncludes((await overwrite(dir.path, "a.txt", "a\nb\n")).content, "lines ended CR and now end LF");
});

Deno.test("write_file keeps UTF-16 and 8-bit encodings", async () => {
  const utf16 = Uint8Array.of(0xfe, 0xff, 0, 0x61, 0, 0x0a);
  const latin1 = Uint8Array.of(0xe9, 0x0a);
  await using dir = await tempDir({ "u.txt": utf16, "l.txt": latin1 });
  await overwrite(dir.path, "u.txt", "é\n");
  assertEquals(await Deno.readFile(dir.join("u.txt")), utf16.with(3, 0xe9));
  await overwrite(dir.path, "l.txt", "è\n");
  assertEquals(await Deno.readFile(dir.join("l.txt")), latin1.with(0, 0xe8));
  await assertRejects(() => overwrite(dir.path, "l.txt", "茶\n"), ToolError, 'Windows-1252 has no "茶"');
  assertEquals(await Deno.readFile(dir.join("l.txt")), latin1.with(0, 0xe8));
});

Deno.test("write_file refuses binary files, folders and half a character", async () => {
  const binary = Uint8Array.of(0, 1, 2, 3);
  await using dir = await tempDir({ "b.bin": binary, "folder/a.txt": "a\n" });
  await assertRejects(() => write(dir.path, "b.bin", "x"), ToolError, "binary file of 4 bytes");
  assertEquals(await Deno.readFile(dir.join("b.bin")), binary);
  await assertRejects(() => write(dir.path, "folder", "x"), ToolError, "it is a folder");
  await assertRejects(() => write(dir.path, "c.txt", "\udc00"), ToolError, "half a character");
  await assertRejects(() => write(dir.path, "folder/a.txt/b.txt", "x"), PathError, "a part of it is a file");
  assertEquals(Array.from(Deno.readDirSync(dir.path), ({ name }) => name).sort(), ["b.bin", "folder"]);
});

Deno.test("write_file reaches a file under the name that is on the disk, in whichever Unicode form", async () => {
  const onDisk = "cafe\u0301.txt";
  await using dir = await tempDir({ [`my dir/${onDisk}`]: "x\n" });
  await overwrite(dir.path, "my dir/caf\u00e9.txt", "y\n");
  const names = Array.from(Deno.readDirSync(dir.join("my dir")), ({ name }) => name);
  assertEquals(names, [onDisk]);
  assertEquals(await Deno.readTextFile(dir.join("my dir", onDisk)), "y\n");
});

Deno.test("write_file shows the change before it is made, and makes no other", async () => {
  await using dir = await tempDir();
  const input = { path: "a.txt", content: "x\n" };
  const context = newToolContext({ cwd: dir.path });
  const approved = await writeFile.preview?.(input, context);
  assertEquals(approved, { type: "diff", path: "a.txt", before: "", after: "x\n" });
  assert(approved);
  const other = { ...input, content: "y\n" };
  await assertRejects(() => writeFile.execute(other, { ...context, approved }), ToolError, "since the user approved");
  assertEquals([...Deno.readDirSync(dir.path)], []);
  await writeFile.execute(input, { ...context, approved });
  assertEquals(await Deno.readTextFile(dir.join("a.txt")), "x\n");
});

Deno.test({
  ...onPosix,
  name: "write_file follows links inside and none that lead out",
  async fn() {
    await using outside = await tempDir({ "s": "marker" });
    await using dir = await tempDir({ "in/keep": "" });
    await Deno.symlink(outside.path, dir.join("outbox"));
    await Deno.symlink("in", dir.join("alias"));
    await Deno.symlink(outside.join("new"), dir.join("dangling"));
    const refused = [
      "outbox/evil.txt",
      `in/../../${outside.path.split("/").at(-1)}/evil2.txt`,
      "dangling",
      outside.join("s"),
    ];
    for (const path of refused) {
      await assertRejects(() => write(dir.path, path, "x"), PathError, "outside the workspace");
    }
    await write(dir.path, "alias/ok.txt", "x");
    assertEquals(Array.from(Deno.readDirSync(outside.path), ({ name }) => name), ["s"]);
    assertEquals(await Deno.readTextFile(outside.join("s")), "marker");
    assertEquals(await Deno.readTextFile(dir.join("in/ok.txt")), "x");
  },
});

Deno.test({
  ...onPosix,
  name: "write_file keeps the mode of a file and the link that leads to it",
  async fn() {
    await using dir = await tempDir({ "run.sh": "echo X\n" });
    await Deno.chmod(dir.join("run.sh"), 0o750);
    await Deno.symlink("run.sh", dir.join("link"));
    await overwrite(dir.path, "link", "echo Z\n");
    assertEquals(await Deno.readTextFile(dir.join("run.sh")), "echo Z\n");
    assertEquals((await Deno.stat(dir.join("run.sh"))).mode! & 0o7777, 0o750);
    assert((await Deno.lstat(dir.join("link"))).isSymlink);
  },
});

Deno.test({
  ...onPosix,
  name: "write_file refuses pipes and devices at once",
  async fn() {
    await using dir = await tempDir();
    await new Deno.Command("mkfifo", { args: [dir.join("pipe")] }).output();
    await assertRejects(() => write(dir.path, "pipe", "x"), PathError, "not a regular file");
    const everywhere = newToolContext({ cwd: dir.path, workspace: { cwd: dir.path, roots: ["/"], unconfined: true } });
    await assertRejects(() => writeFile.execute({ path: "/dev/null", content: "x" }, everywhere), PathError);
  },
});

Deno.test("write_file asks before it touches a protected path", async () => {
  await using dir = await tempDir();
  await assertRejects(() => write(dir.path, ".git/config", "x"), PathError, "protected");
  assertEquals([...Deno.readDirSync(dir.path)], []);
  await write(dir.path, ".git/config", "x", { granted: new Set([dir.join(".git/config")]) });
  assertEquals(await Deno.readTextFile(dir.join(".git/config")), "x");
});
