import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { writeFile } from "../../src/tools/write_file.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

const program = fromFileUrl(new URL("../testing/edit_loop.ts", import.meta.url));
const names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
const lineCount = 5000;

/** Starts the program and kills it in the middle of its work, after a random time that begins with its first edit. */
async function editAndKill(cwd: string): Promise<void> {
  const args = ["run", "--no-prompt", "--no-check", "--allow-read", "--allow-write", program, cwd, ...names];
  await using child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  assert(!(await reader.read()).done, "the program ended by itself");
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
}

Deno.test("edit_file leaves each file old or new in 500 killed edits, and the next write leaves no litter", async () => {
  const content = "version 1\n".repeat(lineCount);
  await using dir = await tempDir(Object.fromEntries(names.map((name) => [name, content])));
  const versions = new Map<string, number>();
  let leftovers = 0;
  for (let i = 0; i < 100; i++) { // five files are being edited at each kill
    await editAndKill(dir.path);
    for (const name of names) {
      const text = await Deno.readTextFile(dir.join(name));
      const [line = ""] = text.split("\n", 1);
      assertMatch(line, /^version \d+$/);
      assert(text === `${line}\n`.repeat(lineCount), `${name} is mixed after ${i + 1} kills`);
      versions.set(name, Number(line.slice("version ".length)));
    }
    for (const { name } of Deno.readDirSync(dir.path)) {
      if (names.includes(name)) continue;
      assertMatch(name, /^\.mini-agent-[0-9a-f-]{36}\.tmp$/);
      leftovers++;
    }
  }
  assert([...versions.values()].reduce((sum, version) => sum + version) > 100, "hardly an edit was made");
  assert(leftovers > 0, "no kill has hit an edit");
  await writeFile.execute({ path: "last.txt", content: "x\n" }, newToolContext({ cwd: dir.path }));
  assertEquals(Array.from(Deno.readDirSync(dir.path), ({ name }) => name).sort(), [...names, "last.txt"]);
});
