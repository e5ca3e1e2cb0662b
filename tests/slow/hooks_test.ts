import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HookRunner } from "../../src/agent/hook_runner.ts";
import type { HookEvent } from "../../src/agent/hooks.ts";
import { newAgent, textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";
import { countProcesses, TEST_ENV, uniqueSleep } from "../testing/processes.ts";
import { tempDir } from "../testing/tool_context.ts";

async function setUp(event: HookEvent, command: string, timeoutMs: number) {
  const dir = await tempDir();
  const notices: string[] = [];
  const model = new FakeModel(calls("change", { text: "a" }, "c1"), says("Done"));
  const ran: string[] = [];
  const tool = textTool("change", "write", (text) => {
    ran.push(text);
    return text;
  });
  const hooks = new HookRunner({ [event]: [{ command, timeoutMs }] }, {
    cwd: dir.path,
    session: () => ({ id: "s1", resumed: false }),
    mode: () => "edit",
    child: () => Promise.resolve({ env: TEST_ENV }),
    clean: (text) => text,
    notify: (text) => void notices.push(text),
  });
  return { dir, notices, model, ran, agent: newAgent(model, { tools: [tool], hooks }) };
}

Deno.test("a before_tool hook that takes too long is ended with all that it started, and closes", async () => {
  const sleep = uniqueSleep();
  const { dir, notices, model, ran, agent } = await setUp("before_tool", `trap '' TERM; ${sleep} & ${sleep}`, 200);
  await using _ = dir;
  const startedAt = performance.now();
  await agent.send("Go", new AbortController().signal);
  assert(performance.now() - startedAt < 3500);
  assertEquals(ran, []);
  assertStringIncludes(JSON.stringify(model.requests[1]?.messages.at(-1)), "failed (timed out after 0.2 s)");
  assertStringIncludes(notices[0] ?? "", "failed: timed out after 0.2 s, so change did not run");
  assertEquals(await countProcesses(sleep), 0);
});

for (const event of ["session_start", "before_tool", "after_tool", "turn_end"] as const) {
  Deno.test(`Ctrl+C in a ${event} hook ends the turn within 200 ms`, async () => {
    const sleep = uniqueSleep();
    const { dir, notices, model, ran, agent } = await setUp(event, `echo > begun; exec ${sleep}`, 60_000);
    await using _ = dir;
    const turn = new AbortController();
    using watcher = Deno.watchFs(dir.path);
    const sent = agent.send("Go", turn.signal);
    for await (const { paths } of watcher) if (paths.some((path) => path.endsWith("/begun"))) break;
    const interruptedAt = performance.now();
    turn.abort();
    assertEquals((await sent).outcome, "interrupted");
    assert(performance.now() - interruptedAt < 200);
    assertEquals(ran, event === "session_start" || event === "before_tool" ? [] : ["a"]);
    assertEquals(notices, []);
    const requests = { session_start: 0, before_tool: 1, after_tool: 1, turn_end: 2 }[event];
    assertEquals(model.requests.length, requests);
    if (event === "before_tool") {
      assertStringIncludes(JSON.stringify(agent.messages.at(-1)), "Interrupted by the user: the call was not started");
    }
  });
}
