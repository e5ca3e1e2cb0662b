import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TurnStop } from "../../src/agent/agent_options.ts";
import { READ_ONLY_GATE } from "../../src/agent/gate.ts";
import type { AgentRecord } from "../../src/agent/records.ts";
import { ApiError } from "../../src/llm/errors.ts";
import type { Message } from "../../src/llm/types.ts";
import { newAgent, RecordingUI, textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";

const never = new AbortController().signal;
const echo = textTool("echo", "read", (text) => `echo: ${text}`);
const user = (...texts: string[]): Message => ({
  role: "user",
  content: texts.map((text) => ({ type: "text", text })),
});

Deno.test("Agent.send() ends at once on a reply of text alone", async () => {
  const model = new FakeModel(says("Hello"));
  const result = await newAgent(model).send("Hi", never);
  assertEquals([result.outcome, result.text, result.steps], ["done", "Hello", 1]);
  assertEquals(model.requests.map((r) => r.messages), [[user("Hi")]]);
});

Deno.test("Agent.send() runs a call, sends its result back and finishes", async () => {
  const model = new FakeModel(calls("echo", { text: "a" }, "c1"), says("Done"));
  const agent = newAgent(model, { tools: [echo] });
  const result = await agent.send("Go", never);
  assertEquals([result.text, result.steps], ["Done", 2]);
  assertEquals(model.requests[1]?.messages, [
    user("Go"),
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "echo", input: { text: "a" } }] },
    { role: "user", content: [{ type: "tool_result", toolUseId: "c1", content: "echo: a", isError: false }] },
  ]);
  assertEquals(model.requests[1]?.tools, [
    { name: "echo", description: "Tool echo.", inputSchema: echo.inputSchema },
  ]);
});

Deno.test("Agent.send() calls nothing when the signal was aborted before the start", async () => {
  const model = new FakeModel(says("Hello"));
  const agent = newAgent(model);
  const result = await agent.send("Hi", AbortSignal.abort());
  assertEquals([result.outcome, model.requests.length, agent.steps], ["interrupted", 0, 0]);
});

Deno.test("Agent.send() sends exactly three messages in the second turn", async () => {
  const model = new FakeModel(says("One"), says("Two"));
  const agent = newAgent(model);
  await agent.send("First", never);
  await agent.send("Second", never);
  assertEquals(model.requests[1]?.messages, [
    user("First"),
    { role: "assistant", content: [{ type: "text", text: "One" }] },
    user("Second"),
  ]);
});

Deno.test("Agent.send() merges the input into the pending message after a failed request", async () => {
  const model = new FakeModel(new ApiError("Down", { kind: "server", retryable: true }), says("Up"));
  const agent = newAgent(model);
  await assertRejects(() => agent.send("First", never), ApiError, "Down");
  await agent.send("Second", never);
  assertEquals(agent.messages, [
    user("First", "Second"),
    { role: "assistant", content: [{ type: "text", text: "Up" }] },
  ]);
});

Deno.test("Agent.send() sends the same prefix in every request", async () => {
  const model = new FakeModel(
    calls("echo", { text: "a" }, "c1"),
    calls("echo", { text: "b" }, "c2"),
    says("One"),
    says("Two"),
  );
  const agent = newAgent(model, { tools: [echo] });
  await agent.send("First", never);
  await agent.send("Second", never);
  const prefixes = model.requests.map(({ system, tools, messages }) => JSON.stringify([system, tools, messages]));
  for (const [i, prefix] of prefixes.entries()) {
    const next = prefixes[i + 1];
    if (next !== undefined) assertStringIncludes(next, prefix.slice(0, -2)); // without the closing brackets
  }
});

Deno.test("Agent.send() answers unknown tools, broken arguments and thrown errors, and goes on", async () => {
  const broken = textTool(
    "broken",
    "read",
    () => Promise.reject(new Deno.errors.NotFound("No such file (os error 2)")),
  );
  const model = new FakeModel({
    content: [
      { type: "tool_use", id: "c1", name: "nothing", input: {} },
      { type: "tool_use", id: "c2", name: "echo", input: { txt: "a" } },
      { type: "tool_use", id: "c3", name: "broken", input: { text: "x" } },
      { type: "tool_use", id: "c4", name: "echo", input: {}, invalid: "The arguments were cut off" },
      { type: "tool_use", id: "c5", name: "echo", input: ["."] },
      { type: "tool_use", id: "c6", name: "echo", input: { text: "" } },
    ],
  }, says("Sorry"));
  const silent = textTool("silent", "read", () => "");
  await newAgent(model, { tools: [echo, broken, silent] }).send("Go", never);
  assertEquals(
    model.requests[1]?.messages.at(-1)?.content.map((b) => b.type === "tool_result" && [b.content, b.isError]),
    [
      [`Unknown tool "nothing": the tools are echo, broken, silent`, true],
      [`Cannot call echo: "text" is missing`, true],
      ["No such file", true],
      ["The arguments were cut off", true],
      ["Cannot call echo: the arguments must be a JSON object, not an array", true],
      ["echo: ", false],
    ],
  );
});

Deno.test("Agent.send() puts a placeholder where a tool says nothing", async () => {
  const model = new FakeModel(calls("silent", { text: "x" }, "c1"), says("Done"));
  await newAgent(model, { tools: [textTool("silent", "read", () => " \n")] }).send("Go", never);
  assertEquals(model.requests[1]?.messages[2]?.content, [
    { type: "tool_result", toolUseId: "c1", content: "(no output)", isError: false },
  ]);
});

Deno.test("Agent.send() runs neighbouring read-only calls side by side and the others in order", async () => {
  const log: string[] = [];
  const release = Promise.withResolvers<void>();
  const waiting = textTool("waiting", "read", async (text) => {
    log.push(`start ${text}`);
    if (text === "2") release.resolve(); // the first can only end once the second has begun
    await release.promise;
    log.push(`end ${text}`);
    return text;
  });
  const change = textTool("change", "write", (text) => {
    log.push(`change ${text}`);
    return text;
  });
  const use = (id: string, name: string) => ({ type: "tool_use" as const, id, name, input: { text: id } });
  const model = new FakeModel({
    content: [use("1", "waiting"), use("2", "waiting"), use("3", "change"), use("4", "waiting")],
  }, says("Done"));
  await newAgent(model, { tools: [waiting, change] }).send("Go", never);
  assertEquals(log, ["start 1", "start 2", "end 1", "end 2", "change 3", "start 4", "end 4"]);
  const ids = model.requests[1]?.messages[2]?.content.map((b) => b.type === "tool_result" && b.toolUseId);
  assertEquals(ids, ["1", "2", "3", "4"]);
});

Deno.test("Agent.send() keeps the text of an interrupted reply, and the next turn works", async () => {
  const controller = new AbortController();
  const model = new FakeModel(
    async function* (_request, signal) {
      yield { type: "text_delta", text: "Half an " };
      controller.abort();
      await Promise.reject(signal.reason);
    },
    says("Whole"),
  );
  const records: AgentRecord[] = [];
  const agent = newAgent(model, { records });
  assertEquals((await agent.send("First", controller.signal)).outcome, "interrupted");
  await agent.send("Second", never);
  assertEquals(model.requests[1]?.messages, [
    user("First"),
    { role: "assistant", content: [{ type: "text", text: "Half an " }] },
    user("Second"),
  ]);
  assertEquals(records.map((r) => r.type), ["user", "partial", "user", "reply"]);
});

Deno.test("Agent.send() ends an interrupted turn also where the model does not obey", async () => {
  const controller = new AbortController();
  const model = new FakeModel(async function* () {
    yield { type: "text_delta", text: "Half" };
    controller.abort();
    await new Promise<never>(() => {});
  });
  const agent = newAgent(model);
  assertEquals((await agent.send("First", controller.signal)).outcome, "interrupted");
  assertEquals(agent.messages.at(-1)?.content, [{ type: "text", text: "Half" }]);
});

Deno.test("Agent.send() answers every call of an interrupted step, also one that does not stop", async () => {
  const controller = new AbortController();
  const stubborn = textTool("stubborn", "execute", () => {
    controller.abort();
    return new Promise<string>(() => {});
  });
  const use = (id: string, name: string) => ({ type: "tool_use" as const, id, name, input: { text: "x" } });
  const model = new FakeModel({ content: [use("1", "stubborn"), use("2", "echo")] }, says("Fine"));
  const agent = newAgent(model, { tools: [stubborn, echo] });
  assertEquals((await agent.send("Run it", controller.signal)).outcome, "interrupted");
  await agent.send("What happened?", never);
  assertEquals(model.requests[1]?.messages.at(-1)?.content, [
    {
      type: "tool_result",
      toolUseId: "1",
      content: "Interrupted by the user: the call may have done a part of its work",
      isError: true,
    },
    {
      type: "tool_result",
      toolUseId: "2",
      content: "Interrupted by the user: the call was not started",
      isError: true,
    },
    { type: "text", text: "What happened?" },
  ]);
});

Deno.test("Agent.send() stops at the step limit with a sound history", async () => {
  const model = new FakeModel(...[1, 2, 3].map((n) => calls("echo", { text: `${n}` }, `c${n}`)), says("Later"));
  const agent = newAgent(model, { tools: [echo], maxSteps: 3 });
  const result = await agent.send("Go", never);
  assertEquals([result.outcome, result.steps], ["max_steps", 3]);
  assertEquals((await agent.send("Go on", never)).outcome, "done");
});

Deno.test("Agent.send() warns a model that repeats itself, then stops", async () => {
  const model = new FakeModel(...Array.from({ length: 9 }, (_, n) => calls("echo", { text: "same" }, `c${n}`)));
  const result = await newAgent(model, { tools: [echo] }).send("Go", never);
  assertEquals([result.outcome, model.requests.length], ["stuck", 5]);
  const results = model.requests.map((r) => r.messages.at(-1)?.content[0]).filter((b) => b?.type === "tool_result");
  assertEquals(results.map((b) => b.content.includes("several times")), [false, false, true, true]);
});

Deno.test("Agent.send() lets polling with changing output go on", async () => {
  let n = 0;
  const poll = textTool("poll", "read", () => `${++n} % done`);
  const model = new FakeModel(
    ...Array.from({ length: 12 }, (_, n) => calls("poll", { text: "job" }, `c${n}`)),
    says("Done"),
  );
  assertEquals((await newAgent(model, { tools: [poll] }).send("Go", never)).outcome, "done");
});

Deno.test("Agent.send() stores nothing for a refusal without content", async () => {
  const model = new FakeModel({ content: [], stopReason: "refusal" }, says("Fine"));
  const agent = newAgent(model);
  assertEquals((await agent.send("First", never)).outcome, "refusal");
  await agent.send("Second", never);
  assertEquals(model.requests[1]?.messages, [user("First", "Second")]);
});

Deno.test("Agent.send() records the intent of a changing call before it runs and its result after", async () => {
  const records: AgentRecord[] = [];
  const seenAtRun: string[] = [];
  const change = textTool("change", "write", () => {
    seenAtRun.push(...records.map((r) => r.type));
    return "changed";
  });
  const model = new FakeModel(calls("change", { text: "x" }, "c1"), says("Done"));
  await newAgent(model, { tools: [change], records }).send("Go", never);
  assertEquals(seenAtRun, ["user", "reply", "intent"]);
  assertEquals(records.map((r) => r.type), ["user", "reply", "intent", "result", "reply"]);
});

Deno.test("Agent.send() adds up the tokens of all replies", async () => {
  const usage = (n: number) => ({
    inputTokens: n,
    outputTokens: 2 * n,
    cacheReadTokens: 3 * n,
    cacheWriteTokens: 4 * n,
  });
  const model = new FakeModel(
    { ...calls("echo", { text: "a" }, "c1"), usage: usage(1) },
    { ...says("One"), usage: usage(10) },
    { ...says("Two"), usage: usage(100) },
  );
  const agent = newAgent(model, { tools: [echo] });
  assertEquals((await agent.send("First", never)).usage, usage(11));
  assertEquals((await agent.send("Second", never)).usage, usage(100));
  assertEquals(agent.usage, usage(111));
});

Deno.test("Agent.send() stops before the request when it may not be sent", async () => {
  const model = new FakeModel();
  const beforeRequest = () => {
    throw new TurnStop("budget", "Too much");
  };
  const result = await newAgent(model, { beforeRequest }).send("Go", never);
  assertEquals([result.outcome, model.requests.length], ["budget", 0]);
});

Deno.test("Agent.send() cleans what tools return before the model and the screen get it", async () => {
  const ui = new RecordingUI();
  const model = new FakeModel(calls("echo", { text: "secret" }, "c1"), says("Done"));
  const clean = (text: string) => text.replaceAll("secret", "[redacted]");
  await newAgent(model, { tools: [echo], ui, clean }).send("Go", never);
  const block = model.requests[1]?.messages[2]?.content[0];
  assertEquals(block?.type === "tool_result" && block.content, "echo: [redacted]");
  assertEquals(ui.of("tool_result").map((e) => e.content), ["echo: [redacted]"]);
});

Deno.test("Agent.reset() forgets the conversation", async () => {
  const model = new FakeModel(says("One"), says("Two"));
  const agent = newAgent(model);
  await agent.send("First", never);
  await agent.reset();
  await agent.send("Second", never);
  assertEquals(model.requests[1]?.messages, [user("Second")]);
});

Deno.test("Agent.send() lets only reading calls pass when it has no gate of its own", async () => {
  const ran: string[] = [];
  const tools = (["read", "write", "execute", "network"] as const).map((access) =>
    textTool(access, access, () => (ran.push(access), "ran"))
  );
  const use = (name: string) => ({ type: "tool_use" as const, id: name, name, input: { text: "x" } });
  const model = new FakeModel({ content: tools.map(({ name }) => use(name)) }, says("Done"));
  await newAgent(model, { tools, gate: READ_ONLY_GATE }).send("Go", never);
  assertEquals(ran, ["read"]);
  const result = model.requests[1]?.messages[2]?.content[1];
  assertEquals(
    result?.type === "tool_result" && result.content,
    "Denied: write is not permitted, since this agent only reads",
  );
});
