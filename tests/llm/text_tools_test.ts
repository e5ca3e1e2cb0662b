import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DemoModel } from "../../src/llm/demo.ts";
import { ApiError } from "../../src/llm/errors.ts";
import { withTextTools } from "../../src/llm/text_tools.ts";
import {
  type Block,
  create,
  type Message,
  type Model,
  type ModelRequest,
  type StopReason,
  type StreamEvent,
} from "../../src/llm/types.ts";
import { FakeModel, says } from "../testing/fake_model.ts";

const signal = new AbortController().signal;
const tools = ["list_files", "read_file"].map((name) => ({
  name,
  description: `What ${name} does`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));
const user = (...content: Block[]): Message => ({ role: "user", content });
const text = (text: string): Block => ({ type: "text", text });
const request = (parts: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [user(text("hi"))],
  tools,
  maxTokens: 1000,
  ...parts,
});

/** A model that writes this text, cut into pieces of a size. */
function writes(reply: string, { size = reply.length, stopReason = "stop_sequence" as StopReason } = {}): FakeModel {
  return new FakeModel(async function* () {
    for (let at = 0; at < reply.length; at += size) yield { type: "text_delta", text: reply.slice(at, at + size) };
    await Promise.resolve();
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
    yield { type: "done", response: { content: [text(reply)], stopReason, usage, model: "m" } };
  });
}

async function play(model: Model, parts: Partial<ModelRequest> = {}) {
  const events: StreamEvent[] = [];
  for await (const event of withTextTools(model).stream(request(parts), signal)) events.push(event);
  const shown = events.flatMap((event) => event.type === "text_delta" ? event.text : []).join("");
  const thought = events.flatMap((event) => event.type === "thinking_delta" ? event.text : []).join("");
  const last = events.at(-1);
  const response = last?.type === "done" ? last.response : undefined;
  return { events, shown, thought, content: response?.content, stopReason: response?.stopReason, response };
}

Deno.test("withTextTools() describes the tools in the system prompt and stops replies at an observation", async () => {
  const model = new FakeModel(says("hello"));
  await create(withTextTools(model), request({ stop: ["END"] }), signal);
  const { system = "", tools: sent, stop } = model.requests[0] ?? {};
  assertEquals([sent, stop], [[], ["END", "Observation:"]]);
  assertStringIncludes(system, "Be brief.\n\n# Tools\n");
  assertStringIncludes(
    system,
    '## read_file\n\nWhat read_file does\n\nArguments, as JSON Schema: {"type":"object","properties":{"path":{"type":"string"}}}',
  );
});

Deno.test("withTextTools() writes earlier calls and results as text, and nothing of a message moves later", async () => {
  const messages = [
    user(text("hi")),
    {
      role: "assistant" as const,
      content: [
        text("Let me see."),
        { type: "tool_use" as const, id: "c1", name: "read_file", input: { path: "a" } },
        { type: "tool_use" as const, id: "c2", name: "list_files", input: {} },
      ],
    },
    user(
      { type: "tool_result", toolUseId: "c1", content: "no such file", isError: true },
      { type: "tool_result", toolUseId: "c2", content: "b.md", isError: false },
      text("Hurry."),
    ),
  ];
  const model = new FakeModel(says("ok"), says("ok"));
  await create(withTextTools(model), request({ messages }), signal);
  await create(withTextTools(model), request({ messages, tools: [] }), signal);
  const sent = [
    user(text("hi")),
    {
      role: "assistant" as const,
      content: [
        text('Let me see.\n\nAction: read_file\nAction Input: {"path":"a"}\n\nAction: list_files\nAction Input: {}'),
      ],
    },
    user(text("Observation: Error: no such file\n\nObservation: b.md\n\nHurry.")),
  ];
  assertEquals(model.requests.map((request) => request.messages), [sent, sent]);
});

Deno.test("withTextTools() makes a call of an action, whatever the pieces, and shows nothing of it", async () => {
  const reply = 'Thought: I have to\nlook.\n\nAction: read_file\nAction Input: {"path": "a.md"}\n';
  for (const size of [1, 2, 5, 13, reply.length]) {
    const { events, shown, thought, content, stopReason } = await play(writes(reply, { size }));
    assertEquals([shown, thought, stopReason], ["", "I have to\nlook.", "tool_use"], `pieces of ${size}`);
    assertEquals(content, [
      { type: "thinking", text: "I have to\nlook.", model: "fake/fake" },
      { type: "tool_use", id: "call_1", name: "read_file", input: { path: "a.md" } },
    ]);
    assertEquals(events.at(-2), { type: "tool_use_start", id: "call_1", name: "read_file" });
  }
});

Deno.test("withTextTools() streams a plain answer piece by piece", async () => {
  const reply = "Acting on it:\n\n- Actions are fine\n- Thoughts too\n\nThought-provoking. **Action** speaks.";
  const { events, shown, content, stopReason } = await play(writes(reply, { size: 4, stopReason: "end_turn" }));
  assertEquals([shown, content, stopReason], [reply, [text(reply)], "end_turn"]);
  const early = events.slice(0, 3).map((event) => event.type === "text_delta" ? event.text : "");
  assertEquals(early.join("").length >= 8, true, "the begin of the answer was held back");
});

Deno.test("withTextTools() takes off the labels around an answer", async () => {
  const { shown, thought, content } = await play(
    writes("Thought: I know.\nFinal Answer: It is 4.\nThought so.\n", { size: 3 }),
  );
  assertEquals([shown, thought], ["It is 4.\nThought so.", "I know."]);
  assertEquals(content, [{ type: "thinking", text: "I know.", model: "fake/fake" }, text("It is 4.\nThought so.")]);
});

Deno.test("withTextTools() takes a lone thought for the answer", async () => {
  const { shown, content, stopReason } = await play(writes("Thought: It is 4."));
  assertEquals([shown, content, stopReason], ["It is 4.", [text("It is 4.")], "end_turn"]);
});

Deno.test("withTextTools() cuts off what a model invents after its call", async () => {
  const invented =
    "Action: list_files\nAction Input: {}\nObservation: secret.txt\nThought: so\nFinal Answer: There is secret.txt";
  const { shown, content } = await play(writes(invented, { size: 7, stopReason: "end_turn" }));
  assertEquals([shown, content], ["", [{ type: "tool_use", id: "call_1", name: "list_files", input: {} }]]);
  const plain = await play(writes("It is 4.\nObservation: and 5", { stopReason: "end_turn" }));
  assertEquals([plain.shown, plain.content], ["It is 4.", [text("It is 4.")]]);
});

Deno.test("withTextTools() reads several calls and the ways in which models dress them up", async () => {
  const reply = '**Action:** `list_files`()\n**Action Input:** ```json\n{"path": "b"}\n```\n\n' +
    '### Action: "read_file"\nAction Input:\n{\n  "path": "a"\n}';
  const { content, shown } = await play(writes(reply, { size: 2 }));
  assertEquals([content, shown], [[
    { type: "tool_use", id: "call_1", name: "list_files", input: { path: "b" } },
    { type: "tool_use", id: "call_2", name: "read_file", input: { path: "a" } },
  ], ""]);
});

Deno.test("withTextTools() gives ids that no earlier call has", async () => {
  const call: Block = { type: "tool_use", id: "call_1", name: "list_files", input: {} };
  const result: Block = { type: "tool_result", toolUseId: "call_1", content: "a", isError: false };
  const messages: Message[] = [user(text("hi")), { role: "assistant", content: [call] }, user(result)];
  const model = writes('Action: read_file\nAction Input: {"path":"a"}');
  const ids = (await play(model, { messages })).content?.map((block) => block.type === "tool_use" && block.id);
  assertEquals(ids, ["call_2"]);
});

Deno.test("withTextTools() never lets half a call run", async () => {
  const invalid = async (reply: string, stopReason: StopReason = "stop_sequence") => {
    const block = (await play(writes(reply, { stopReason }))).content?.at(-1);
    return block?.type === "tool_use" ? [block.input, block.invalid] : block;
  };
  const cut = await invalid('Action: read_file\nAction Input: {"path": "a', "max_tokens");
  assertStringIncludes(String(cut), "cut off by the output limit");
  for (const reply of ["Action: read_file", "Action: read_file\nAction Input:"]) {
    assertStringIncludes(String(await invalid(reply, "max_tokens")), "cut off by the output limit");
  }
  assertStringIncludes(String(await invalid("Action: read_file")), 'the line "Action Input:" is missing');
  assertStringIncludes(String(await invalid("Action: read_file\nAction Input: a.md")), "not valid JSON");
  assertStringIncludes(String(await invalid('Action: read_file\nAction Input: {"path":"a"} now')), "not valid JSON");
});

Deno.test("withTextTools() tells prose and a refusal to act from a call", async () => {
  const prose = "These are the steps.\nAction: fix the roof\nAction: paint it";
  for (const size of [1, 9, prose.length]) {
    const { shown, content } = await play(writes(prose, { size, stopReason: "end_turn" }));
    assertEquals([shown, content], [prose, [text(prose)]]);
  }
  const none = await play(writes("Thought: easy\nAction: None\nAction Input: None\nFinal Answer: It is 4."));
  assertEquals([none.shown, none.stopReason], ["It is 4.", "end_turn"]);
});

Deno.test("withTextTools() begins anew when the reply is asked again", async () => {
  const restart: StreamEvent = { type: "restart", attempt: 1, maxAttempts: 5, delayMs: 1, reason: "broke" };
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const model = new FakeModel(async function* () {
    yield { type: "text_delta", text: "half an ans" };
    await Promise.resolve();
    yield restart;
    yield { type: "text_delta", text: "whole" };
    yield { type: "done", response: { content: [text("whole")], stopReason: "end_turn", usage, model: "m" } };
  });
  const { events, content } = await play(model);
  assertEquals(events.slice(0, 3), [
    { type: "text_delta", text: "half an ans" },
    restart,
    { type: "text_delta", text: "whole" },
  ]);
  assertEquals(content, [text("whole")]);
});

Deno.test("withTextTools() takes a reply that says nothing for a failure", async () => {
  const error = await assertRejects(() => play(writes("Observation: made up")), ApiError);
  assertEquals([error.kind, error.retryable], ["empty_reply", true]);
});

Deno.test("withTextTools() lets the demo model play a whole turn in text", async () => {
  const outputs: Record<string, string> = { list_files: "README.md\nsrc/", read_file: "1→# Birds" };
  const messages = [user(text("What is here?"))];
  const called: unknown[] = [];
  const model = withTextTools(new DemoModel());
  for (let step = 0; step < 3; step++) {
    const { content } = await create(model, request({ messages }), signal);
    messages.push({ role: "assistant", content });
    const uses = content.filter((block) => block.type === "tool_use");
    called.push(...uses.map(({ name, input }) => [name, input]));
    if (uses.length === 0) break;
    messages.push(user(...uses.map(({ id, name }): Block => ({
      type: "tool_result",
      toolUseId: id,
      content: outputs[name] ?? "",
      isError: false,
    }))));
  }
  assertEquals(called, [["list_files", {}], ["read_file", { path: "README.md" }]]);
  assertStringIncludes(JSON.stringify(messages.at(-1)), "# Birds");
});
