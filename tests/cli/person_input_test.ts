import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { addFiles, completePath, runShell } from "../../src/cli/person_input.ts";
import { Jobs } from "../../src/tools/jobs.ts";
import { listFiles } from "../../src/tools/list_files.ts";
import { readFile } from "../../src/tools/read_file.ts";
import { runCommandTool } from "../../src/tools/run_command.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

Deno.test("completePath() offers what begins like that, hidden names only when asked for", async () => {
  await using dir = await tempDir({
    "src/main.ts": "",
    "src/mod.ts": "",
    "scripts/a.sh": "",
    ".env": "",
    "a b.txt": "",
  });
  assertEquals(await completePath(dir.path, "s"), ["scripts/", "src/"]);
  assertEquals(await completePath(dir.path, "src/m"), ["src/main.ts", "src/mod.ts"]);
  assertEquals(await completePath(dir.path, ""), ["a b.txt", "scripts/", "src/"]);
  assertEquals(await completePath(dir.path, "a b"), ["a b.txt"]);
  assertEquals(await completePath(dir.path, ".e"), [".env"]);
  assertEquals(await completePath(dir.path, "nothing/"), []);
});

Deno.test("addFiles() adds files and folders as the tools give them, and leaves other @ words alone", async () => {
  await using dir = await tempDir({ "a.txt": "alpha\n", "src/main.ts": "" });
  const said = "Explain @a.txt, @src @nobody. and me@example.com";
  const { message, told } = await add(dir.path, said);
  assertMatch(message, /^Explain .*\n\nContents of a\.txt:\n\n.*alpha[^]*\n\nFiles in src:\n\n.*main\.ts/);
  assertEquals(message.split(/Contents of|Files in/).length, 3);
  assertEquals(told, []);
});

Deno.test("addFiles() takes a path in quotes as a whole", async () => {
  await using dir = await tempDir({ "my dir/a b.txt": "alpha\n" });
  assertEquals(await add(dir.path, 'See @"my dir/a b.txt", and @"no file.txt" and @"what?"'), {
    message: 'See @"my dir/a b.txt", and @"no file.txt" and @"what?"\n\nContents of my dir/a b.txt:\n\n1→alpha',
    told: [`"@no file.txt" is sent as it is: there is no such file`],
  });
});

Deno.test("addFiles() tells of what looks like a path and is none, once, and sends it as it is", async () => {
  await using dir = await tempDir();
  assertEquals(await add(dir.path, "See @nope.ts, @src/nope @src/nope and @nobody!"), {
    message: "See @nope.ts, @src/nope @src/nope and @nobody!",
    told: [
      `"@nope.ts" is sent as it is: there is no such file`,
      `"@src/nope" is sent as it is: there is no such file`,
    ],
  });
});

Deno.test("addFiles() reads only what the workspace permits, and tells of the rest", async () => {
  await using outside = await tempDir({ "a.txt": "secret" });
  await using dir = await tempDir();
  const { message, told } = await add(dir.path, `See @${outside.join("a.txt")}`);
  assertEquals(message, `See @${outside.join("a.txt")}`);
  assertEquals(told.length, 1);
  assertStringIncludes(told[0]!, "is sent as it is:");
});

async function add(cwd: string, text: string): Promise<{ message: string; told: string[] }> {
  const told: string[] = [];
  const adding = { tools: [readFile, listFiles], say: (text: string) => told.push(text) };
  return { message: await addFiles(text, adding, newToolContext({ cwd })), told };
}

Deno.test("runShell() runs a person's command as typed", async () => {
  await using dir = await tempDir();
  const output = await runShell("echo hi > x && cat x", runCommandTool(new Jobs()), newToolContext({ cwd: dir.path }));
  assertStringIncludes(output, "hi");
  assertEquals(await Deno.readTextFile(dir.join("x")), "hi\n");
});
