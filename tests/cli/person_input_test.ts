import { assertEquals, assertStringIncludes } from "@std/assert";
import { addFiles, completePath, runShell } from "../../src/cli/person_input.ts";
import { Jobs } from "../../src/tools/jobs.ts";
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
  assertEquals(await completePath(dir.path, ""), ["scripts/", "src/"]);
  assertEquals(await completePath(dir.path, ".e"), [".env"]);
  assertEquals(await completePath(dir.path, "nothing/"), []);
});

Deno.test("addFiles() adds what is named as read_file gives it, and leaves other @ words alone", async () => {
  await using dir = await tempDir({ "a.txt": "alpha\n" });
  const message = await addFiles(
    "Explain @a.txt, @nobody and me@example.com",
    readFile,
    newToolContext({ cwd: dir.path }),
  );
  assertStringIncludes(message, "Explain @a.txt, @nobody and me@example.com\n\nContents of a.txt:\n\n");
  assertStringIncludes(message, "alpha");
  assertEquals(message.split("Contents of").length, 2);
});

Deno.test("runShell() runs a person's command as typed", async () => {
  await using dir = await tempDir();
  const output = await runShell("echo hi > x && cat x", runCommandTool(new Jobs()), newToolContext({ cwd: dir.path }));
  assertStringIncludes(output, "hi");
  assertEquals(await Deno.readTextFile(dir.join("x")), "hi\n");
});
