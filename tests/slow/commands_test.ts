import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Jobs } from "../../src/tools/jobs.ts";
import { decodeOutput } from "../../src/tools/output_buffer.ts";
import { endAllProcesses } from "../../src/tools/process.ts";
import { runCommandTool } from "../../src/tools/run_command.ts";
import { runProcess } from "../../src/tools/run_process.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { countProcesses, TEST_ENV as env, uniqueSleep } from "../testing/processes.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

function run(command: string, context: Partial<ToolContext> = {}, input: object = {}) {
  return runCommandTool(new Jobs()).execute({ command, ...input }, newToolContext({ cwd: "/", ...context }));
}

/** Runs something and gives the megabytes that the process grew by at most, and the milliseconds that it took. */
async function measure(work: () => Promise<unknown>): Promise<{ megabytes: number; ms: number }> {
  const before = Deno.memoryUsage().rss;
  let peak = before;
  const sampling = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 10);
  const start = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return { megabytes: (peak - before) / 1e6, ms: performance.now() - start };
}

const floods: [name: string, command: string][] = [
  ["short lines", "yes | head -c 1000000000"],
  ["one endless line", "head -c 1000000000 /dev/zero"],
  ["errors", "yes | head -c 1000000000 >&2"],
  ["noise", "head -c 400000000 /dev/urandom"],
];
for (const [name, command] of floods) {
  Deno.test(`run_command takes a flood of ${name} in 64 MB and 8 s, and cuts it with counts`, async () => {
    await run("true");
    const shown: string[] = [];
    const keepOutput = (text: string) => Promise.resolve(text.length > 1_000_000 ? "/kept" : undefined);
    let content = "";
    const { megabytes, ms } = await measure(async () => {
      ({ content } = await run(command, { keepOutput, onOutput: (text) => void shown.push(text) }));
    });
    assert(megabytes < 64, `${megabytes} MB`);
    assert(ms < 8000, `${ms} ms`);
    assert(content.length <= 30_000);
    assertStringIncludes(content, "characters in");
    assertStringIncludes(content, "all of it is in /kept");
    assert(shown.join("").length < 5_000_000, "the screen would have to show all of it");
  });
}

Deno.test("an interrupt in the middle of a flood comes back within 200 ms", async () => {
  const interrupt = new AbortController();
  const flood = uniqueSleep().replace("sleep", "yes");
  const running = run(flood, { signal: interrupt.signal });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = performance.now();
  interrupt.abort(new Error("stop"));
  await assertRejects(() => running, Error, "stop");
  assert(performance.now() - start < 200, `${performance.now() - start} ms`);
  await endAllProcesses();
  assertEquals(await countProcesses(flood), 0);
});

Deno.test("a tree that ignores TERM is gone within 3 s after the time limit", async () => {
  const sleep = uniqueSleep();
  const stubborn =
    `trap '' TERM; (trap '' TERM; ${sleep}) & setsid sh -c "trap '' TERM; ${sleep}" & ${sleep}; ${sleep}`;
  const { ms } = await measure(() => run(stubborn, {}, { timeout_ms: 500 }));
  assert(ms < 3500, `${ms} ms`);
  assertEquals(await countProcesses(sleep), 0);
});

Deno.test("endAllProcesses() ends trees that ignore TERM within a second", async () => {
  const sleep = uniqueSleep();
  const jobs = new Jobs();
  const command = `trap '' TERM; setsid sh -c "trap '' TERM; ${sleep}" & ${sleep}; ${sleep}`;
  await runCommandTool(jobs).execute({ command, background: true }, newToolContext({ cwd: "/" }));
  while (await countProcesses(sleep) < 2);
  const { ms } = await measure(endAllProcesses);
  assert(ms < 1000, `${ms} ms`);
  assertEquals(await countProcesses(sleep), 0);
  await jobs.get("job_1")?.stop();
});

Deno.test("a process that may run nothing but sh ends whole trees too", async () => {
  const sleep = uniqueSleep();
  await using dir = await tempDir();
  const module = (name: string) => new URL(`../../src/tools/${name}`, import.meta.url).href;
  await Deno.writeTextFile(
    dir.join("scoped.ts"),
    `import { runProcess } from "${module("run_process.ts")}";
    const result = await runProcess(["sh", "-c", "${sleep} & setsid ${sleep} & ${sleep}"], {
      cwd: "/", env: ${JSON.stringify(env)}, signal: new AbortController().signal, maxBytes: 100, timeoutMs: 200,
    });
    if (!result.timedOut) throw new Error("it did not time out");`,
  );
  const args = ["run", "--no-prompt", "--no-config", "--allow-run=sh", dir.join("scoped.ts")];
  const { code, stderr } = await runProcess([Deno.execPath(), ...args], {
    cwd: dir.path,
    env,
    signal: new AbortController().signal,
    maxBytes: 10_000,
  });
  assertEquals([code, decodeOutput(stderr)], [0, ""]);
  assertEquals(await countProcesses(sleep), 0);
});
