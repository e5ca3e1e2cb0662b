/** A sandbox that is there and does not confine, or does not start: only root can put one in bubblewrap's place. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";
import { HAS_SANDBOX } from "../testing/sandbox_ground.ts";

const BUBBLEWRAP = "/usr/bin/bwrap";

/** Runs a line where this script stands in bubblewrap's place, for that line alone. */
async function runWithFake(box: Box, script: string, args: readonly string[], env: Record<string, string>) {
  const fake = box.home("fake-bwrap");
  await Deno.writeTextFile(fake, `#!/bin/sh\n${script}\n`);
  await Deno.chmod(fake, 0o755);
  const line = `mount --bind '${fake}' ${BUBBLEWRAP} && exec "$@"`;
  const program = [Deno.execPath(), "run", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS, MAIN];
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: ["-m", "sh", "-c", line, "sh", ...program, ...args],
    cwd: box.project,
    env: { HOME: box.home(), NO_PROXY: "127.0.0.1", ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

const canMount = HAS_SANDBOX &&
  await new Deno.Command("unshare", { args: ["-m", "mount", "--bind", "/bin/sh", BUBBLEWRAP], stderr: "null" })
    .output().then(({ success }) => success, () => false);

const FAKES: [name: string, script: string][] = [
  ["merely runs its arguments", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'],
  ["ends with 1", "echo 'bwrap: something is wrong' >&2; exit 1"],
  ["says nothing and ends with 0", "exit 0"],
];

for (const [name, script] of FAKES) {
  Deno.test({
    name: `with a sandbox that ${name} nothing runs, and doctor fails`,
    ignore: !canMount,
    async fn() {
      await using box = await Box.create();
      await using service = new FakeService(
        (request) =>
          request.body.messages.some(({ role }: { role: string }) => role === "tool")
            ? "Done"
            : chatReply({ calls: [{ id: "c1", name: "run_command", args: { command: "touch made; id" } }] }),
      );
      const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
      const { code } = await runWithFake(box, script, ["-p", "--no-save", "--mode", "edit", "go"], env);
      const result = service.requests[1]?.body.messages.at(-1).content;
      assertMatch(result, /Cannot run commands: the sandbox does not work/);
      assert(code === 0 || code === 3, `${code}`);
      const doctor = await runWithFake(box, script, ["doctor"], env);
      assertEquals(doctor.code, 1, doctor.stdout);
      assertMatch(doctor.stdout, /fail +sandbox/);
      assertEquals(Array.from(Deno.readDirSync(box.project)), []);
    },
  });
}
