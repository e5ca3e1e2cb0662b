import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Jobs } from "../../src/tools/jobs.ts";
import { pollCommandTool } from "../../src/tools/poll_command.ts";
import { endAllProcesses } from "../../src/tools/process.ts";
import { runCommandTool } from "../../src/tools/run_command.ts";
import { type ToolContext, ToolError } from "../../src/tools/tool.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

function newTools(cwd = "/", options: Partial<ToolContext> = {}) {
  const jobs = new Jobs();
  const context = newToolContext({ cwd, ...options });
  const [run, poll] = [runCommandTool(jobs), pollCommandTool(jobs)];
  return {
    jobs,
    start: (command: string) => run.execute({ command, background: true }, context),
    poll: (input: object, signal = context.signal) => poll.execute(input, { ...context, signal }),
  };
}

Deno.test("run_command starts a background command and returns at once", async () => {
  const { start, jobs } = newTools();
  const begun = performance.now();
  const output = await start("sleep 620");
  assertEquals(output.content, "Started in the background as job_1: poll_command gives its output");
  assertEquals(performance.now() - begun < 1000, true);
  assertEquals(jobs.list().map(({ id, command, status }) => [id, command, status]), [[
    "job_1",
    "sleep 620",
    undefined,
  ]]);
  await endAllProcesses();
  await jobs.get("job_1")?.stop();
});

Deno.test("poll_command gives only what is new, then the exit status", async () => {
  await using dir = await tempDir();
  const { start, poll } = newTools(dir.path);
  await start("echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3");
  assertMatch((await poll({ id: "job_1" })).content, /^one\nrunning for \d+\.\d s$/);
  await Deno.writeTextFile(dir.join("go"), "");
  let rest = "";
  while (!/exit/.test(rest)) rest += (await poll({ id: "job_1" })).content;
  assertMatch(rest, /^two\n(?:running for \d+\.\d s\(no new output\)\n)?exit 3 after \d+\.\d s$/);
  assertMatch((await poll({ id: "job_1" })).content, /^\(no new output\)\nexit 3 after/);
});

Deno.test("poll_command names what the sandbox moved aside, found changed and did not watch when the command had ended", async () => {
  const { start, poll } = newTools("/", {
    child: {
      env: { PATH: "/usr/bin:/bin" },
      sandbox: (command, { env }) => ({
        command: [...command],
        env: { ...env },
        settled: () => Promise.resolve({ moved: ["/w/sub/.git"], changed: ["/w/s/AGENTS.md"], unwatched: 2 }),
      }),
    },
  });
  await start("true");
  let text = "";
  while (!/exit/.test(text)) text = (await poll({ id: "job_1" })).content;
  assertMatch(
    text,
    /Moved aside .*\n\/w\/sub\/\.git\nChanged while .*\n\/w\/s\/AGENTS\.md\n2 more protected paths .*\nexit 0 after/,
  );
});

Deno.test("poll_command ends a background command with all it started", async () => {
  const { start, poll, jobs } = newTools();
  await start("echo up; sleep 621 & sleep 621");
  assertMatch((await poll({ id: "job_1" })).content, /^up\nrunning/);
  const stopped = await poll({ id: "job_1", stop: true });
  assertMatch(stopped.content, /^\(no new output\)\nstopped, exit 143 \(SIGTERM\) after \d+\.\d s$/);
  assertEquals(jobs.list()[0]?.status?.code, 143);
});

Deno.test("poll_command stops waiting when it is interrupted, and the command goes on", async () => {
  const { start, poll, jobs } = newTools();
  await start("sleep 622");
  const interrupt = new AbortController();
  const polling = poll({ id: "job_1" }, interrupt.signal);
  interrupt.abort(new Error("stop"));
  await assertRejects(() => polling, Error, "stop");
  assertEquals(jobs.list()[0]?.status, undefined);
  await jobs.get("job_1")?.stop();
});

Deno.test("poll_command names the commands there are when it does not know one", async () => {
  const { start, poll } = newTools();
  await assertRejects(() => poll({ id: "7" }), ToolError, `Cannot poll "7": no command was started in the background`);
  await start("true");
  await assertRejects(() => poll({ id: "7" }), ToolError, `Cannot poll "7": the background commands are job_1`);
  await poll({ id: "job_1" });
});

Deno.test("poll_command keeps the beginning and the end of a flood", async () => {
  const { start, poll, jobs } = newTools();
  await start("seq 1 1000000");
  await new Promise<void>((resolve) => {
    const look = () => jobs.list()[0]?.status ? resolve() : setTimeout(look, 5);
    look();
  });
  const { content } = await poll({ id: "job_1" });
  assertMatch(content, /^1\n2\n/);
  assertMatch(content, /\n1000000\nexit 0 after/);
  assertEquals(content.length <= 30_000, true);
});
