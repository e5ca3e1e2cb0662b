import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeOutput } from "../../src/tools/output_buffer.ts";
import { endAllProcesses, startProcess } from "../../src/tools/process.ts";
import { type RunOptions, runProcess } from "../../src/tools/run_process.ts";
import { countProcesses, TEST_ENV as env, uniqueSleep } from "../testing/processes.ts";
import { tempDir } from "../testing/tool_context.ts";

function shell(script: string, options: Partial<RunOptions> = {}) {
  return runProcess(["sh", "-c", script], {
    cwd: "/",
    env,
    signal: new AbortController().signal,
    maxBytes: 1000,
    ...options,
  });
}

Deno.test("runProcess() gives both outputs and the exit status", async () => {
  const result = await shell("echo out; echo err >&2; exit 3");
  assertEquals(decodeOutput(result.stdout), "out\n");
  assertEquals(decodeOutput(result.stderr), "err\n");
  assertEquals([result.code, result.signal, result.timedOut, result.leftBehind], [3, null, false, false]);
});

Deno.test("runProcess() names the signal that ended the process", async () => {
  const result = await shell("kill -SEGV $$");
  assertEquals([result.code, result.signal], [139, "SIGSEGV"]);
});

Deno.test("runProcess() gives the child the listed environment and the mark, nothing of its own", async () => {
  const result = await runProcess(["env"], {
    cwd: "/",
    env: { ...env, GREETING: "hello" },
    signal: new AbortController().signal,
    maxBytes: 1000,
  });
  const names = decodeOutput(result.stdout).trim().split("\n").map((line) => line.split("=")[0]).sort();
  assertEquals(names, ["GREETING", "MINI_AGENT_CHILD", "PATH"]);
});

Deno.test("runProcess() hands over the input, and without one the input is at its end", async () => {
  assertEquals(decodeOutput((await shell("cat", { input: "grüße" })).stdout), "grüße");
  assertEquals(decodeOutput((await shell("cat; echo end")).stdout), "end\n");
});

Deno.test("runProcess() does not wait for a child that leaves its input unread", async () => {
  assertEquals((await shell("exit 0", { input: "x".repeat(1_000_000) })).code, 0);
});

Deno.test("runProcess() keeps the order of two outputs that are merged", async () => {
  const result = await shell("echo 1; sleep 0.1; echo 2 >&2; sleep 0.1; echo 3", { mergeOutput: true });
  assertEquals(decodeOutput(result.stdout), "1\n2\n3\n");
});

Deno.test("runProcess() returns when the foreground ends though a background process holds the output", async () => {
  const sleep = uniqueSleep();
  const result = await shell(`${sleep} & echo started`);
  assert(result.durationMs < 2000, `${result.durationMs} ms`);
  assertEquals([decodeOutput(result.stdout), result.code, result.leftBehind], ["started\n", 0, true]);
  await endAllProcesses();
});

Deno.test("a background process that was left behind may go on writing", async () => {
  await using dir = await tempDir();
  const script = "(for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i || exit; done; echo whole > done) & echo started";
  await shell(script, { cwd: dir.path });
  assertEquals(await waitForFile(dir.join("done")), "whole\n");
  await endAllProcesses();
});

Deno.test("runProcess() ends the whole tree at the time limit and keeps what was written before it", async () => {
  const sleep = uniqueSleep();
  const result = await shell(`echo before; ${sleep} & setsid ${sleep} & sh -c '${sleep}'`, { timeoutMs: 300 });
  assertEquals([decodeOutput(result.stdout), result.timedOut], ["before\n", true]);
  assertEquals(await countProcesses(sleep), 0);
});

Deno.test("runProcess() throws at once when it is interrupted and ends the tree behind it", async () => {
  const sleep = uniqueSleep();
  const interrupt = new AbortController();
  const running = shell(`${sleep} & setsid ${sleep} & ${sleep}`, {
    signal: interrupt.signal,
    onOutput: () => {},
  });
  await waitFor(async () => await countProcesses(sleep) >= 3);
  const start = performance.now();
  interrupt.abort(new Error("stop"));
  await assertRejects(() => running, Error, "stop");
  assert(performance.now() - start < 100);
  await waitFor(async () => await countProcesses(sleep) === 0);
  await endAllProcesses();
});

Deno.test("runProcess() starts nothing when the signal has aborted already", async () => {
  await using dir = await tempDir();
  const signal = AbortSignal.abort(new Error("stop"));
  await assertRejects(() => shell("touch made", { cwd: dir.path, signal }), Error, "stop");
  assertEquals([...Deno.readDirSync(dir.path)], []);
});

Deno.test("runProcess() throws NotFound for a program that does not exist", async () => {
  const options = { cwd: "/", env, signal: new AbortController().signal, maxBytes: 10 };
  await assertRejects(() => runProcess(["no-such-program-here"], options), Deno.errors.NotFound);
});

Deno.test("runProcess() runs what the sandbox wrapper gives, with the environment that it gives", async () => {
  const result = await runProcess(["echo", "hello"], {
    cwd: "/",
    env: { ...env, GREETING: "hi" },
    sandbox: (command, { cwd, network, readOnly, env }) => ({
      command: ["sh", "-c", 'echo "$SEEN" "$@"', "sh", ...command],
      env: { PATH: env["PATH"] ?? "", SEEN: JSON.stringify([cwd, network, readOnly, env["GREETING"]]) },
    }),
    network: true,
    signal: new AbortController().signal,
    maxBytes: 1000,
  });
  assertEquals(decodeOutput(result.stdout), `["/",true,false,"hi"] echo hello\n`);
});

Deno.test("startProcess() gives a server its input and output while it runs", async () => {
  const server = startProcess(["cat"], { cwd: "/", env, stdin: "piped" });
  const writer = server.stdin!.getWriter();
  const reader = server.stdout.getReader();
  await writer.write(new TextEncoder().encode("ping"));
  assertEquals(new TextDecoder().decode((await reader.read()).value), "ping");
  await writer.close();
  assertEquals((await server.status).code, 0);
  assertEquals((await reader.read()).done, true);
  await server.stderr.cancel();
});

Deno.test("endAllProcesses() ends running processes, those left behind and those that left their group", async () => {
  const sleep = uniqueSleep();
  const running = startProcess(["sh", "-c", sleep], { cwd: "/", env });
  await shell(`setsid ${sleep} >/dev/null 2>&1 & ${sleep} & sleep 0.1`);
  assertEquals(await countProcesses(sleep) >= 3, true);
  const start = performance.now();
  await endAllProcesses();
  assert(performance.now() - start < 1000);
  assertEquals(await countProcesses(sleep), 0);
  await Promise.all([running.status, running.stdout.cancel(), running.stderr.cancel()]);
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 5000;
  while (!await condition()) assert(performance.now() < until, "waited for 5 s");
}

async function waitForFile(path: string): Promise<string> {
  await waitFor(() => Deno.stat(path).then((info) => info.size > 0, () => false));
  return await Deno.readTextFile(path);
}
