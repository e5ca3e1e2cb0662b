import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { Reply } from "../../src/llm/chat_reply.ts";
import { ApiError } from "../../src/llm/errors.ts";
import type { ServerSentEvent } from "../../src/llm/sse.ts";
import { type ModelResponse, NO_USAGE, type StreamEvent } from "../../src/llm/types.ts";

const service = { id: "deepseek/deepseek-flash", url: "http://127.0.0.1:1/chat/completions", apiKey: "sk-canary" };

type Chunk = Record<string, unknown> | string | ServerSentEvent;

/** All events of a reply that comes in these chunks; a text is sent as it is. */
function events(...chunks: Chunk[]): StreamEvent[] {
  const reply = new Reply(service, "deepseek-flash");
  const all = chunks.flatMap((chunk) => [
    ...reply.add(
      typeof chunk === "string" ? { data: chunk } : "data" in chunk ? chunk as unknown as ServerSentEvent : {
        data: JSON.stringify(chunk),
      },
    ),
  ]);
  return [...all, ...reply.end()];
}

function read(...chunks: Chunk[]): ModelResponse {
  const last = events(...chunks).at(-1);
  assert(last?.type === "done");
  return last.response;
}

function failure(...chunks: Chunk[]): ApiError {
  return assertThrows(() => events(...chunks), ApiError);
}

const delta = (delta: unknown, finish_reason: string | null = null) => ({
  id: "r1",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (more: Record<string, unknown>, fn?: Record<string, unknown>) =>
  delta({ tool_calls: [{ ...more, ...(fn && { function: fn }) }] });
const finish = (reason: string) => delta({}, reason);
const DONE = "[DONE]";

// The case of each id comes from a fault that users of comparable programs have reported.

Deno.test("Reply reads a stream whose last chunks are usage and nothing else [B005]", () => {
  const response = read(
    delta({ content: "ok" }),
    call({ index: 0, id: "c1", type: "function" }, { name: "list", arguments: '{"path":"."}' }),
    finish("tool_calls"),
    { id: "r1", choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
  );
  assertEquals(response, {
    content: [{ type: "text", text: "ok" }, { type: "tool_use", id: "c1", name: "list", input: { path: "." } }],
    stopReason: "tool_use",
    usage: { ...NO_USAGE, inputTokens: 7, outputTokens: 2 },
    model: "m",
  });
});

Deno.test("Reply throws an error that stands in a stream, with the service's words and by its code [B008]", () => {
  const error = failure(
    { id: "r1", object: "chat.completion.chunk", choices: [], error: { code: 502, message: "upstream capacity" } },
    DONE,
  );
  assertEquals([error.kind, error.status, error.retryable, error.detail], ["server", 502, true, "upstream capacity"]);
});

const ERRORS: [chunk: Chunk, kind: string, retryable: boolean][] = [
  [{ error: "it broke" }, "server", true],
  [{ error: { message: "it broke", code: "502" } }, "server", true],
  [{ error: { message: "it broke", type: "server_error", code: null } }, "server", true],
  [{ error: { message: "it broke", type: "overloaded_error" } }, "server", true],
  [{ error: { message: "it broke", code: "rate_limit_exceeded" } }, "rate_limit", true],
  [{ error: { message: "it broke", code: 429 } }, "rate_limit", true],
  [{ error: { message: "it broke", code: 401 } }, "auth", false],
  [{ error: { message: "it broke", code: "insufficient_quota" } }, "quota", false],
  [{ error: { message: "it broke", type: "invalid_request_error" } }, "invalid_request", false],
  [{ error: { message: "it broke: prompt is too long", code: 400 } }, "overflow", false],
  [{ error: { code: 503, status: "UNAVAILABLE", details: [], message: "it broke" } }, "server", true],
  [{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "it broke" } }, "rate_limit", true],
  [
    { error: { message: "Provider returned error", code: 400, metadata: { raw: "it broke" } } },
    "invalid_request",
    false,
  ],
  [{ choices: [{ error: { code: 502, message: "it broke" }, delta: {}, finish_reason: "error" }] }, "server", true],
  [{ type: "error", error: { type: "overloaded_error", message: "it broke" } }, "server", true],
  [{ type: "error", message: "it broke" }, "server", true],
  [{ object: "error", message: "it broke", code: 400 }, "invalid_request", false],
  [{ detail: "it broke" }, "server", true],
  [JSON.stringify([{ error: { code: 503, message: "it broke" } }]), "server", true],
  [{ event: "error", data: '{"message":"it broke","code":500}' }, "server", true],
  [{ event: "error", data: "it broke" }, "server", true],
  ["<html><h1>it broke</h1></html>", "broken_reply", true],
  ["it broke", "broken_reply", true],
  ['{"choices":[{"it broke', "broken_reply", true],
];

for (const [chunk, kind, retryable] of ERRORS) {
  Deno.test(`Reply throws an error in a stream in the form of ${JSON.stringify(chunk)}`, () => {
    const error = failure(delta({ content: "half" }), chunk, DONE);
    assertEquals([error.kind, error.retryable], [kind, retryable]);
    if (typeof chunk !== "string" || !chunk.startsWith("<")) assertStringIncludes(error.message, "it broke");
  });
}

Deno.test("Reply takes an empty error for none", () => {
  for (const error of [null, "", false, {}]) {
    assertEquals(read({ ...delta({ content: "hi" }, "stop"), error }).content, [{ type: "text", text: "hi" }]);
  }
});

Deno.test("Reply passes over chunks without choices, and a null delta [B011]", () => {
  const response = read(
    { id: "r1", choices: null },
    { id: "r1", object: "chat.completion.chunk" },
    { choices: [] },
    { choices: [null] },
    delta({ content: "hi" }),
    { id: "r1", choices: [{ index: 0, delta: null, finish_reason: "stop" }] },
    { id: "r1", choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } },
    DONE,
  );
  assertEquals(response.content, [{ type: "text", text: "hi" }]);
  assertEquals(response.usage, { ...NO_USAGE, inputTokens: 12, outputTokens: 3 });
});

Deno.test("Reply counts usage once, the latest that is not empty [B105]", () => {
  const response = read(
    { ...delta({ content: "a" }), usage: null },
    { ...delta({ content: "b" }), usage: {} },
    { ...delta({ content: "c" }), usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
    { ...finish("stop"), usage: { prompt_tokens: 1200, completion_tokens: 39, total_tokens: 1239 } },
    { id: "r1", choices: [], usage: { prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240 } },
    { id: "r1", choices: [], usage: null },
    DONE,
  );
  assertEquals(response.content, [{ type: "text", text: "abc" }]);
  assertEquals(response.usage, { ...NO_USAGE, inputTokens: 1200, outputTokens: 40 });
});

Deno.test("Reply keeps a call whose closing chunk brings an empty piece one call [B021]", () => {
  const response = read(
    call({ index: 0, id: "c1", type: "function" }, { name: "glob", arguments: '{"pattern":"*.md"}' }),
    delta({ tool_calls: [{ index: 0, function: { arguments: "" } }] }, "tool_calls"),
    DONE,
  );
  assertEquals(response.content, [{ type: "tool_use", id: "c1", name: "glob", input: { pattern: "*.md" } }]);
});

Deno.test("Reply takes empty, absent and null arguments for a call without arguments [B023]", () => {
  for (const fn of [{ arguments: "" }, {}, { arguments: null }, { arguments: "null" }, { arguments: {} }]) {
    const response = read(call({ index: 0, id: "c1" }, { name: "todo_read", ...fn }), finish("tool_calls"), DONE);
    assertEquals(response.content, [{ type: "tool_use", id: "c1", name: "todo_read", input: {} }]);
  }
});

Deno.test("Reply takes arguments that come as an object", () => {
  const response = read(call({ index: 0, id: "c1" }, { name: "read", arguments: { path: "a" } }), finish("stop"), DONE);
  assertEquals(response.content, [{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }]);
});

Deno.test("Reply marks calls whose arguments are not valid JSON, and mends none of them [B025]", () => {
  const { content } = read(
    delta({
      tool_calls: [
        { index: 0, id: "c1", function: { name: "write", arguments: '{"path":"a.txt","content":"line1\nline2"}' } },
        { index: 1, id: "c2", function: { name: "bash", arguments: "{'command':'ls'}" } },
        { index: 2, id: "c3", function: { name: "list", arguments: '{"path":"."}' } },
        { index: 3, id: "c4", function: { name: "read", arguments: '{"path":"a.txt",}' } },
      ],
    }),
    finish("tool_calls"),
    DONE,
  );
  const calls = content.filter((block) => block.type === "tool_use");
  assertEquals(calls.map(({ id, input }) => [id, input]), [["c1", {}], ["c2", {}], ["c3", { path: "." }], ["c4", {}]]);
  for (const i of [0, 1, 3]) assertStringIncludes(calls[i]?.invalid ?? "", "not valid JSON");
  assertEquals(calls[2]?.invalid, undefined);
});

Deno.test("Reply marks calls whose arguments are not an object [B036]", () => {
  for (const text of ['["."]', '"ls"', "2", "true", '"{\\"path\\":\\".\\"}"']) {
    const { content } = read(call({ index: 0, id: "c1" }, { name: "list", arguments: text }), finish("stop"), DONE);
    assert(content[0]?.type === "tool_use");
    assertEquals(content[0].input, {});
    assertStringIncludes(content[0].invalid ?? "", "must be a JSON object");
  }
});

Deno.test("Reply marks a call that the output limit has cut, and says how to go on [B027]", () => {
  for (const text of ['{"path":"out.md","content":"# Title\\n\\nSection 1', ""]) {
    const { content, stopReason } = read(
      call({ index: 0, id: "c0" }, { name: "list", arguments: "{}" }),
      call({ index: 1, id: "c1" }, { name: "write", arguments: text }),
      finish("length"),
      DONE,
    );
    assertEquals(stopReason, "max_tokens");
    assert(content[0]?.type === "tool_use" && content[1]?.type === "tool_use");
    assertEquals([content[0].invalid, content[1].input], [undefined, {}]);
    assertMatch(content[1].invalid ?? "", /cut off.*smaller pieces/);
  }
});

Deno.test("Reply lets the calls decide, not the reason for the end [B029]", () => {
  for (const reason of ["stop", "tool_calls", "function_call", "end_turn", "something_new"]) {
    const response = read(
      delta({ content: "I will look." }),
      call({ index: 0, id: "c1" }, { name: "list", arguments: '{"path":"."}' }),
      finish(reason),
      DONE,
    );
    assertEquals([response.stopReason, response.content.length], ["tool_use", 2], reason);
  }
  assertEquals(read(delta({ content: "hi" }), finish("tool_calls"), DONE).stopReason, "end_turn");
});

Deno.test("Reply keeps the name of an unknown tool as the model wrote it [B032]", () => {
  const { content } = read(call({ index: 0, id: "c1" }, { name: "search web.now!", arguments: "{}" }), finish("stop"));
  assertEquals(content, [{ type: "tool_use", id: "c1", name: "search web.now!", input: {} }]);
});

Deno.test("Reply joins reasoning apart from text and notes who wrote it [B090]", () => {
  const all = events(
    delta({ role: "assistant", content: null, reasoning_content: "" }),
    delta({ role: "assistant", content: null, reasoning_content: "I should " }),
    delta({ reasoning_content: "list first." }),
    delta({ content: "", tool_calls: [] }),
    call({ index: 0, id: "c1" }, { name: "list", arguments: '{"path":"."}' }),
    finish("tool_calls"),
    DONE,
  );
  assertEquals(all.slice(0, -1), [
    { type: "thinking_delta", text: "I should " },
    { type: "thinking_delta", text: "list first." },
    { type: "tool_use_start", id: "c1", name: "list" },
  ]);
  const done = all.at(-1);
  assert(done?.type === "done");
  assertEquals(done.response.content, [
    { type: "thinking", text: "I should list first.", model: "deepseek/deepseek-flash" },
    { type: "tool_use", id: "c1", name: "list", input: { path: "." } },
  ]);
});

Deno.test("Reply takes reasoning from any of its fields, and once when two say it", () => {
  const fields = [
    { reasoning_content: "why" },
    { reasoning: "why" },
    { reasoning_text: "why" },
    { reasoning: "why", reasoning_content: "why" },
    { reasoning: "why", reasoning_content: "", reasoning_details: [{ type: "reasoning.text", text: "why" }] },
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "why" }] }] },
    { content: [{ type: "reasoning", text: "why" }] },
    { reasoning_details: [{ type: "reasoning.summary", summary: "wh" }, { type: "reasoning.text", text: "y" }] },
  ];
  for (const field of fields) {
    const { content } = read(delta(field), delta({ content: "so" }), finish("stop"), DONE);
    assertEquals(content[0], { type: "thinking", text: "why", model: service.id }, JSON.stringify(field));
  }
});

Deno.test("Reply reads content that comes in parts", () => {
  const parts = [{ type: "text", text: "a" }, "b", null, { type: "text", text: "c" }, { type: "image" }];
  assertEquals(read(delta({ content: parts }), finish("stop"), DONE).content, [{ type: "text", text: "abc" }]);
});

Deno.test("Reply reads the one-document form, and a message that only repeats what came in pieces not twice", () => {
  const message = {
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [{ id: "c1", type: "function", function: { name: "list", arguments: "{}" } }],
  };
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  const whole = read({ model: "m2", choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage });
  assertEquals(whole, {
    content: [
      { type: "thinking", text: "hm", model: service.id },
      { type: "tool_use", id: "c1", name: "list", input: {} },
    ],
    stopReason: "tool_use",
    usage: { ...NO_USAGE, inputTokens: 5, outputTokens: 1 },
    model: "m2",
  });
  assertEquals(read({ choices: [{ message: { content: "hi" } }] }).content, [{ type: "text", text: "hi" }]);
  const again = { choices: [{ message: { role: "assistant", content: "hello" }, finish_reason: "stop" }] };
  assertEquals(read(delta({ content: "hello" }), again, DONE).content, [{ type: "text", text: "hello" }]);
});

Deno.test("Reply reads the old form of a call", () => {
  const { content } = read(
    delta({ function_call: { name: "list", arguments: '{"pa' } }),
    delta({ function_call: { arguments: 'th":"."}' } }),
    finish("function_call"),
    DONE,
  );
  assert(content[0]?.type === "tool_use");
  assertMatch(content[0].id, /^call_\w+$/);
  assertEquals(content, [{ type: "tool_use", id: content[0].id, name: "list", input: { path: "." } }]);
});

Deno.test("Reply gives calls without an id, or with one that is taken, ids of their own", () => {
  const all = events(
    call({ index: 0, id: "c1" }, { name: "read", arguments: '{"path":"a"}' }),
    call({ index: 1, id: "c1" }, { name: "read", arguments: '{"path":"b"}' }),
    call({ index: 2 }, { name: "read", arguments: '{"path":"c"}' }),
    call({ index: 3, id: "" }, { name: "list" }),
    finish("tool_calls"),
    DONE,
  );
  const starts = all.flatMap((event) => event.type === "tool_use_start" ? event.id : []);
  const done = all.at(-1);
  assert(done?.type === "done");
  const ids = done.response.content.flatMap((block) => block.type === "tool_use" ? block.id : []);
  assertEquals(ids, starts);
  assertEquals([new Set(ids).size, ids[0]], [4, "c1"]);
  for (const id of ids) assertMatch(id, /^[\w-]{1,64}$/);
});

Deno.test("Reply takes the end after a reason for a proper one, [DONE] or not", () => {
  assertEquals(read(delta({ content: "ok" }), finish("stop")).content, [{ type: "text", text: "ok" }]);
  assertEquals(read(delta({ content: "ok" }), finish("stop"), '{"usage":{"prom').stopReason, "end_turn");
});

Deno.test("Reply takes [DONE] without a reason for the end of what is whole", () => {
  assertEquals(read(delta({ content: "ok" }), DONE).stopReason, "end_turn");
  const whole = call({ index: 0, id: "c1" }, { name: "list", arguments: "{}" });
  assertEquals(read(whole, DONE).stopReason, "tool_use");
  const half = call({ index: 0, id: "c1" }, { name: "list", arguments: '{"pa' });
  assertEquals(failure(half, DONE).kind, "broken_reply");
});

Deno.test("Reply never takes a stream that breaks off for an answer", () => {
  for (const chunks of [[], [delta({ content: "The answer is" })], [delta({ reasoning_content: "hm" })]]) {
    const { kind, retryable } = failure(...chunks);
    assertEquals([kind, retryable], ["broken_reply", true]);
  }
});

Deno.test("Reply asks for another try when the reply is empty, but not when it was refused or cut", () => {
  for (
    const chunks of [[finish("stop")], [delta({ content: "" }), finish("stop")], [
      delta({ content: " \n" }),
      finish("stop"),
    ], []]
  ) {
    const { kind, retryable } = failure(...chunks, DONE);
    assertEquals([kind, retryable], ["empty_reply", true]);
  }
  assertEquals(failure(finish("tool_calls"), DONE).kind, "empty_reply");
  assertEquals(read(finish("content_filter"), DONE), {
    content: [],
    stopReason: "refusal",
    usage: NO_USAGE,
    model: "m",
  });
  assertEquals(read(delta({ reasoning_content: "hm" }), finish("length"), DONE).stopReason, "max_tokens");
});

Deno.test("Reply shows a refusal in words as what it is", () => {
  const response = read(delta({ refusal: "I can't help with that" }), finish("stop"), DONE);
  assertEquals([response.stopReason, response.content], ["refusal", [{
    type: "text",
    text: "I can't help with that",
  }]]);
});

Deno.test("Reply gives an answer that came wholly in the reasoning channel as text too", () => {
  const all = events(delta({ reasoning_content: "It is " }), delta({ reasoning_content: "42" }), finish("stop"), DONE);
  assertEquals(all.at(-2), { type: "text_delta", text: "It is 42" });
  const done = all.at(-1);
  assert(done?.type === "done");
  assertEquals(done.response.content, [
    { type: "thinking", text: "It is 42", model: service.id },
    { type: "text", text: "It is 42" },
  ]);
});

Deno.test("Reply takes ends that are faults of the service for what they are", () => {
  for (const reason of ["insufficient_system_resource", "error", "network_error", "abort"]) {
    const { kind, retryable, message } = failure(delta({ content: "half" }), finish(reason), DONE);
    assertEquals([kind, retryable], ["server", true]);
    assertStringIncludes(message, `(the reply ended with "${reason}")`);
  }
});

Deno.test("Reply does not lose a whole answer to an error behind its end, but tells one where there is no answer", () => {
  const late = { error: { message: "late trouble", code: 500 } };
  assertEquals(read(delta({ content: "ok" }), finish("stop"), late).content, [{ type: "text", text: "ok" }]);
  assertEquals(failure(finish("stop"), late).detail, "late trouble");
  assertEquals(failure(delta({ content: "half" }), finish("error"), late).detail, "late trouble");
});

Deno.test("Reply takes thinking out of an answer that begins with its tags, wherever they are cut", () => {
  const answer = "\n<think>\nWhy? a < b\n</think>\n\nIt is <think> 42";
  for (let at = 0; at <= answer.length; at++) {
    const all = events(
      delta({ content: answer.slice(0, at) }),
      delta({ content: answer.slice(at) }),
      finish("stop"),
      DONE,
    );
    const done = all.at(-1);
    assert(done?.type === "done");
    assertEquals(done.response.content, [
      { type: "thinking", text: "\nWhy? a < b\n", model: service.id },
      { type: "text", text: "It is <think> 42" },
    ]);
    const shown = (type: string) => all.flatMap((e) => e.type === type && "text" in e ? e.text : "").join("");
    assertEquals([shown("thinking_delta"), shown("text_delta")], ["\nWhy? a < b\n", "It is <think> 42"]);
  }
});

Deno.test("Reply leaves tags of thinking that do not begin an answer", () => {
  for (const text of ["<thin", "Write <think>a</think>", "<thinker>a</thinker>", "<", " <b>x</b>"]) {
    assertEquals(read(delta({ content: text }), finish("stop"), DONE).content, [{ type: "text", text }]);
  }
});

Deno.test("Reply gives an answer that never leaves its thinking as text too", () => {
  const { content } = read(delta({ content: "<thinking>It is 4" }), delta({ content: "2</" }), finish("stop"), DONE);
  assertEquals(content.at(-1), { type: "text", text: "It is 42</" });
});

Deno.test("Reply takes a call that was written as text for one that cannot run, and not for the answer", () => {
  const markup = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a"}}\n</tool_call>';
  for (const field of ["content", "reasoning_content"]) {
    const { content, stopReason } = read(delta({ [field]: `I write.\n${markup}` }), finish("stop"), DONE);
    const call = content.at(-1);
    assert(call?.type === "tool_use");
    assertEquals([stopReason, call.name, call.input], ["tool_use", "write_file", {}]);
    assertStringIncludes(call.invalid ?? "", "Cannot call write_file: the call was written as text; nothing was done");
    const kept = field === "content"
      ? { type: "text", text: "I write." }
      : { type: "thinking", text: `I write.\n${markup}`, model: service.id };
    assertEquals<unknown>(content.slice(0, -1), [kept]);
  }
  const real = call({ index: 0, id: "c1" }, { name: "list", arguments: "{}" });
  assertEquals(read(delta({ content: markup }), real, finish("tool_calls"), DONE).content.length, 2);
  const untold = new Reply(service, "m", { hasTools: false });
  untold.add({ data: JSON.stringify(delta({ content: markup }, "stop")) });
  assertEquals(untold.end().length, 1, "where no tool was offered it is a text");
  assertEquals(read(delta({ content: `${markup} is a call` }), finish("stop"), DONE).stopReason, "end_turn");
});

Deno.test("Reply shows no half of a character that is cut between two chunks", () => {
  const all = events(delta({ content: "a\ud83d" }), delta({ content: "\ude42b" }), finish("stop"), DONE);
  assertEquals(all.slice(0, -1), [{ type: "text_delta", text: "a" }, { type: "text_delta", text: "🙂b" }]);
  assertEquals(read(delta({ content: "a\ud83d" }), finish("stop")).content, [{ type: "text", text: "a\ufffd" }]);
});

Deno.test("Reply ignores what comes after the end", () => {
  assertEquals(read(delta({ content: "ok" }), finish("stop"), DONE, "garbage", delta({ content: "!" })).content, [
    { type: "text", text: "ok" },
  ]);
});

Deno.test("Reply never shows the key that a service gives back in a broken piece", () => {
  const { message } = failure("unexpected token sk-canary");
  assert(!message.includes("sk-canary"), message);
});

Deno.test("Reply puts 5,000 pieces together in little more time than one", () => {
  const time = (pieces: number) => {
    const size = 200_000 / pieces;
    const texts = Array.from({ length: pieces }, () => JSON.stringify(delta({ content: "x".repeat(size) })));
    const args = Array.from(
      { length: pieces },
      () => JSON.stringify(call({ index: 0 }, { arguments: "y".repeat(size) })),
    );
    const open = call({ index: 0, id: "c1" }, { name: "write", arguments: '{"content":"' });
    const start = performance.now();
    read(...texts, open, ...args, call({ index: 0 }, { arguments: '"}' }), finish("tool_calls"), DONE);
    return performance.now() - start;
  };
  time(5000);
  const [one, many] = [time(1), time(5000)];
  assert(many - one < 200, `${many} ms for 10,000 pieces, ${one} ms for two`);
});

Deno.test("Reply leaves out what a service says of another choice than the first", () => {
  const other = { index: 1, delta: { content: "NO", tool_calls: [{ index: 0, id: "c9", function: { name: "x" } }] } };
  const response = read(
    { id: "r1", model: "m", choices: [{ ...other, finish_reason: "length" }] },
    { id: "r1", model: "m", choices: [other, { index: 0, delta: { content: "o" } }] },
    { id: "r1", model: "m", choices: [{ delta: { content: "k" }, finish_reason: "stop" }] },
  );
  assertEquals([response.content, response.stopReason], [[{ type: "text", text: "ok" }], "end_turn"]);
});
