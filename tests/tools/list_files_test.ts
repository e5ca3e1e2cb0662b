import { assert, assertEquals, assertRejects } from "@std/assert";
import { listFiles } from "../../src/tools/list_files.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { newToolContext, type TempDir, tempDir } from "../testing/tool_context.ts";

async function list(dir: TempDir, input: { path?: string; depth?: number } = {}): Promise<string[]> {
  return (await listFiles.execute(input, newToolContext({ cwd: dir.path }))).content.split("\n");
}

Deno.test("list_files shows two levels as a tree, by name", async () => {
  await using dir = await tempDir({ "src/cli/main.ts": "", "src/mod.ts": "", "README.md": "", ".env": "" });
  assertEquals(await list(dir), [".env", "README.md", "src/", "  cli/", "  mod.ts"]);
  assertEquals(await list(dir, { depth: 1 }), [".env", "README.md", "src/"]);
  assertEquals(await list(dir, { depth: 3, path: "src" }), ["cli/", "  main.ts", "mod.ts"]);
});

Deno.test("list_files shows where links lead and goes nowhere with them", async () => {
  await using dir = await tempDir({ "sub/a": "" });
  await Deno.symlink("..", dir.join("sub/up"));
  await Deno.symlink("no\nwhere", dir.join("broken"));
  assertEquals(await list(dir, { depth: 20 }), [`broken -> "no\\nwhere"`, "sub/", "  a", "  up -> .."]);
});

Deno.test("list_files names what git ignores and does not open it", async () => {
  await using dir = await tempDir({
    ".gitignore": "node_modules/\n*.log\n",
    "node_modules/a/index.js": "",
    "x.log": "",
    "src/y.log": "",
  });
  assertEquals(await list(dir), [".gitignore", "src/", "[ignored: node_modules/, src/y.log, x.log]"]);
});

Deno.test("list_files counts the ignored entries beyond the first ten", async () => {
  const logs = Array.from({ length: 13 }, (_, i) => [`${10 + i}.log`, ""]);
  await using dir = await tempDir({ ".gitignore": "*.log", ...Object.fromEntries(logs) });
  const [, note] = await list(dir);
  assertEquals(note?.slice(-16), "19.log and 3 more]".slice(-16));
});

Deno.test("list_files shows a part of a large folder and counts the rest", async () => {
  const files = Array.from({ length: 130 }, (_, i) => [`big/${1000 + i}`, ""]);
  await using dir = await tempDir({ ...Object.fromEntries(files), "z": "" });
  const lines = await list(dir);
  assertEquals(lines.length, 103);
  assertEquals(lines.slice(-3), ["  1099", "  [30 more]", "z"]);
});

Deno.test("list_files bounds the whole listing, and opens no folder that it does not show", async () => {
  const files = Array.from({ length: 600 }, (_, i) => [`d${1000 + i}/x`, ""]);
  await using dir = await tempDir(Object.fromEntries(files));
  const lines = await list(dir);
  assertEquals(lines.length, 501);
  assertEquals(lines.slice(-3), ["d1249/", "  x", "[350 more]"]);
});

Deno.test("list_files escapes odd names", async () => {
  await using dir = await tempDir({ "a\nb": "", "c\td/e": "", "\u202egpj.exe": "" });
  assertEquals(await list(dir), [`"a\\nb"`, `"c\\td"/`, "  e", `"\\u{202e}gpj.exe"`]);
});

Deno.test("list_files says that a folder is empty", async () => {
  await using dir = await tempDir();
  assertEquals(await list(dir), ["[nothing in this folder]"]);
});

Deno.test("list_files says what it cannot read", async () => {
  await using dir = await tempDir({ "closed/a": "", "b": "" });
  await Deno.chmod(dir.join("closed"), 0);
  const isRoot = await Array.fromAsync(Deno.readDir(dir.join("closed"))).then(() => true, () => false);
  const expected = isRoot ? ["b", "closed/", "  a"] : ["b", "closed/", "[cannot be read: closed/]"];
  try {
    assertEquals(await list(dir), expected);
  } finally {
    await Deno.chmod(dir.join("closed"), 0o700);
  }
});

Deno.test("list_files refuses a file and says so", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  await assertRejects(() => list(dir, { path: "a.txt" }), ToolError, `"a.txt": it is a file, not a folder`);
});

Deno.test("list_files stops with the signal's reason", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  const reason = new Error("stop");
  const context = newToolContext({ cwd: dir.path, signal: AbortSignal.abort(reason) });
  assert(await assertRejects(() => listFiles.execute({}, context), Error) === reason);
});

Deno.test("list_files says that the working folder is gone", async () => {
  await using dir = await tempDir();
  const context = newToolContext({ cwd: dir.join("gone") });
  await assertRejects(() => listFiles.execute({}, context), ToolError, "the working folder itself is gone");
});

Deno.test("list_files takes an empty path as none", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  assertEquals((await listFiles.execute({ path: "" }, newToolContext({ cwd: dir.path }))).content, "a.txt");
});
