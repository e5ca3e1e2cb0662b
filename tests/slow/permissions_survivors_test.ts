import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { openSandbox } from "../../src/cli/open_sandbox.ts";
import { startProcess } from "../../src/tools/process.ts";
import { countProcesses, TEST_ENV, uniqueSleep } from "../testing/processes.ts";
import { tempDir } from "../testing/tool_context.ts";

const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));
const SOURCE = new URL("../../src/permissions/", import.meta.url).href;
const hasSandbox = await new Deno.Command("bwrap", { args: ["--ro-bind", "/", "/", "true"], stderr: "null" }).output()
  .then(({ success }) => success, () => false);

/** Starts a script in the sandbox from a Deno process of its own, which says `ready` when the script does. */
const LAUNCHER = `
import { makeSandbox } from "${SOURCE}sandbox_guard.ts";
import { probeSandbox } from "${SOURCE}sandbox_probe.ts";
const [cwd, script] = Deno.args;
const run = async (command, env) => {
  const { code, stdout, stderr } = await new Deno.Command(command[0], { args: command.slice(1), env, clearEnv: true }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
};
const facts = await probeSandbox({ os: Deno.build.os, workspace: { cwd, roots: [cwd] } }, run);
const env = { PATH: "/usr/bin:/bin" };
const { command } = makeSandbox(facts, [cwd]).wrap(["sh", "-c", script], { cwd, network: false, readOnly: false, env });
await new Deno.Command(command[0], { args: command.slice(1), clearEnv: true, stdin: "null", detached: true }).spawn().status;
`;

/** How many processes have this word on their command line. */
async function count(word: string): Promise<number> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `printf %s "$WORD" | grep -lsF -f - /proc/[0-9]*/cmdline | wc -l`],
    env: { WORD: word }, // on its own command line it would count itself
  }).output();
  return Number(new TextDecoder().decode(stdout));
}

Deno.test({
  name: "nothing that runs in the sandbox outlives the agent by a second when the agent is killed",
  ignore: !hasSandbox,
  async fn() {
    const cwd = await Deno.realPath(await Deno.makeTempDir());
    try {
      await Deno.writeTextFile(`${cwd}/launch.js`, LAUNCHER);
      const word = `9876${Deno.pid}`;
      const script = `setsid sleep ${word} & (sleep ${word} &) ; trap '' TERM HUP; echo ready; sleep ${word}`;
      const agent = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-prompt", "--cached-only", "-c", CONFIG, `${cwd}/launch.js`, cwd, script],
        stdout: "piped",
      }).spawn();
      const reader = agent.stdout.getReader();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "ready\n");
      assert(await count(word) >= 3);
      agent.kill("SIGKILL");
      const killed = performance.now();
      // the pipe ends when the last that holds it is gone
      assertEquals((await reader.read()).done, true);
      assert(performance.now() - killed < 1000, "something held the pipe for more than a second");
      await agent.status;
      assertEquals(await count(word), 0);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
});

Deno.test({
  name: "nothing in the sandbox outlives its command, however soon that is ended",
  ignore: !hasSandbox,
  async fn() {
    await using dir = await tempDir();
    const cwd = await Deno.realPath(dir.path);
    const settings = { workspace: { cwd, roots: [cwd] }, settings: {}, env: TEST_ENV };
    const { wrap } = await openSandbox(settings);
    const sleep = uniqueSleep();
    const startAndEnd = async (ms: number) => {
      const child = startProcess(["sh", "-c", `setsid ${sleep} & (${sleep} &); ${sleep}`], {
        cwd,
        env: TEST_ENV,
        sandbox: wrap!,
      });
      const outputs = Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await child.end();
      await Promise.all([outputs, child.movedAside]);
    };
    for (let ms = 0; ms < 30; ms += 0.5) await startAndEnd(ms);
    assertEquals(await countProcesses(sleep), 0);
  },
});
