import { assert, assertEquals, assertRejects } from "@std/assert";
import { PathError } from "../../src/permissions/paths.ts";
import { findFiles } from "../../src/tools/find_files.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { newToolContext, type TempDir, tempDir } from "../testing/tool_context.ts";

async function find(dir: TempDir, input: { pattern: string; path?: string }): Promise<string[]> {
  return (await findFiles.execute(input, newToolContext({ cwd: dir.path }))).content.split("\n");
}

Deno.test("find_files gives paths from the working folder, in their order", async () => {
  await using dir = await tempDir({ "src/b.ts": "", "src/a.ts": "", "src/x/c.ts": "", "a.js": "" });
  assertEquals(await find(dir, { pattern: "*.ts" }), ["src/a.ts", "src/b.ts", "src/x/c.ts"]);
  assertEquals(await find(dir, { pattern: "*.ts", path: "src/x" }), ["src/x/c.ts"]);
  assertEquals(await find(dir, { pattern: dir.join("src/*.ts") }), ["src/a.ts", "src/b.ts"]);
});

Deno.test("find_files leaves out what git ignores, also by rules above the folder", async () => {
  await using dir = await tempDir({ ".gitignore": "*.log\nout/\n", "sub/a.log": "", "sub/a.txt": "", "out/b.txt": "" });
  assertEquals(await find(dir, { pattern: "*.{log,txt}" }), ["sub/a.txt"]);
  assertEquals(await find(dir, { pattern: "a.*", path: "sub" }), ["sub/a.txt"]);
  assertEquals(
    await find(dir, { pattern: "*", path: "out" }),
    ["out/b.txt"],
    "a folder that is named is looked through",
  );
});

Deno.test("find_files finds each file once where links lead in circles", async () => {
  await using dir = await tempDir({ "sub/bar.txt": "foo\n" });
  await Deno.symlink("..", dir.join("sub/up"));
  await Deno.symlink(".", dir.join("self"));
  assertEquals(await find(dir, { pattern: "**/*.txt" }), ["sub/bar.txt"]);
  assertEquals(await find(dir, { pattern: "self" }), ["self"]);
});

Deno.test("find_files finds a name in either Unicode form and shows it as it is on disk", async () => {
  const nfd = "café.txt".normalize("NFD");
  await using dir = await tempDir({ [`my dir/${nfd}`]: "x\n" });
  assertEquals(await find(dir, { pattern: "my dir/caf\u00e9.*" }), [`my dir/${nfd}`]);
});

Deno.test("find_files escapes names that would break a line", async () => {
  await using dir = await tempDir({ "a\nb.txt": "", "c\x1b[2J.txt": "" });
  assertEquals(await find(dir, { pattern: "*.txt" }), [`"a\\nb.txt"`, `"c\\u001b[2J.txt"`]);
});

Deno.test("find_files counts what it does not show", async () => {
  await using dir = await tempDir(Object.fromEntries(Array.from({ length: 307 }, (_, i) => [`f${i}.txt`, ""])));
  const lines = await find(dir, { pattern: "f*.txt" });
  assertEquals(lines.length, 301);
  assertEquals(lines.at(-1), "[7 more files: use a narrower pattern]");
});

Deno.test("find_files says that nothing matches", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  assertEquals(await find(dir, { pattern: "*.ts" }), [`No file matches "*.ts"`]);
});

Deno.test("find_files refuses a pattern that is none, a folder that is none and one that is outside", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  await assertRejects(
    () => find(dir, { pattern: "[a" }),
    ToolError,
    `Cannot use the pattern "[a": a "[" is never closed`,
  );
  await assertRejects(() => find(dir, { pattern: "*", path: "nope" }), ToolError, "no such file or folder");
  await assertRejects(() => find(dir, { pattern: "*", path: "a.txt" }), ToolError, "is a file, not a folder");
  await assertRejects(() => find(dir, { pattern: "*", path: ".." }), PathError, "outside the workspace");
});

Deno.test("find_files stops with the signal's reason", async () => {
  await using dir = await tempDir({ "a.txt": "" });
  const reason = new Error("stop");
  const context = newToolContext({ cwd: dir.path, signal: AbortSignal.abort(reason) });
  const error = await assertRejects(() => findFiles.execute({ pattern: "*" }, context), Error);
  assert(error === reason);
});

Deno.test("find_files tells why nothing is found", async () => {
  await using dir = await tempDir({ ".gitignore": "dist/\n", "src/deep/y.ts": "", "dist/o.js": "", "a.ts": "" });
  const ignored = "[ignored by git, looked into only as path: dist/]";
  assertEquals(await find(dir, { pattern: "**/deep" }), [
    'No file matches "**/deep"',
    "[folders that match: list_files shows what they hold: src/deep/]",
    ignored,
  ]);
  assertEquals(await find(dir, { pattern: "dist/*.js" }), ['No file matches "dist/*.js"', ignored]);
  for (const pattern of ["*.ts|*.js", "*.ts,*.tsx", "@(a|b).ts"]) {
    const [first] = await find(dir, { pattern });
    assertEquals(first, `No file matches "${pattern}"; alternatives are written {a,b}`);
  }
  assertEquals((await find(dir, { pattern: "*.{x,y}" }))[0], 'No file matches "*.{x,y}"');
  await assertRejects(() => find(dir, { pattern: " " }), ToolError, 'Cannot use the pattern " ": it is empty');
});

Deno.test("find_files takes an empty path as none, and quotes a name that ends with a blank", async () => {
  await using dir = await tempDir({ "sub/a.ts": "", "end ": "" });
  assertEquals(await find(dir, { pattern: "*", path: "" }), ['"end "', "sub/a.ts"]);
});
