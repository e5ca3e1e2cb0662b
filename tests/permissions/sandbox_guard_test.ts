import { assertEquals } from "@std/assert";
import { makeSandbox } from "../../src/permissions/sandbox_guard.ts";
import { tempDir } from "../testing/tool_context.ts";

Deno.test("a command that begins while another is tidied up behind does not rely on what is removed there", async () => {
  await using dir = await tempDir();
  const view = { writable: [dir.path], masked: [], readable: [] };
  const facts = { kind: "bubblewrap", program: "/usr/bin/bwrap", view, missing: [] } as const;
  const sandbox = makeSandbox(facts, [dir.path]);
  const run = { cwd: dir.path, network: false, readOnly: false, env: {} };
  const mountsOf = (command: readonly string[]) =>
    command.flatMap((word, i) => word.startsWith(`${dir.path}/`) ? [`${command[i - 1]} ${word}`] : []);
  const first = sandbox.wrap(["true"], run);
  const covers = mountsOf(first.command);
  for (const cover of covers) await Deno.mkdir(cover.split(" ")[1]!, { recursive: true }); // bubblewrap mounts on them

  const settled = first.settled();
  const left = Array.from(Deno.readDirSync(dir.path), ({ name }) => name);
  const second = sandbox.wrap(["true"], run);

  assertEquals(left, [], "what was a cover alone is gone before anybody can look");
  assertEquals(mountsOf(second.command), covers);
  await Promise.all([settled, second.settled()]);
  await sandbox.dispose();
});
