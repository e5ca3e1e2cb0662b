import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ApiError } from "../../src/llm/errors.ts";
import { MessagesModel, type MessagesOptions } from "../../src/llm/messages_api.ts";
import { create, type ModelRequest, type StreamEvent } from "../../src/llm/types.ts";
import { FakeService, refusal } from "../testing/fake_service.ts";

const signal = new AbortController().signal;
const request: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [],
  maxTokens: 1000,
};
const KEY = "sk-test-7f3";
const id = "anthropic/m";

/** Events as they come over the wire. */
const sse = (...events: Record<string, unknown>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const start = (usage: unknown = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "m1", type: "message", role: "assistant", content: [], model: "m-2026", stop_reason: null, usage },
});
const open = (index: number, content_block: unknown) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, delta: unknown) => ({ type: "content_block_delta", index, delta });
const close = (index: number) => ({ type: "content_block_stop", index });
const end = (stop_reason: string | null, usage: unknown = { output_tokens: 5 }) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
  { type: "message_stop" },
];
const textBlock = (index: number, ...pieces: string[]) => [
  open(index, { type: "text", text: "" }),
  ...pieces.map((text) => delta(index, { type: "text_delta", text })),
  close(index),
];
const callBlock = (index: number, id: string, ...pieces: string[]) => [
  open(index, { type: "tool_use", id, name: "read_file", input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: "input_json_delta", partial_json })),
  close(index),
];

/** A service that gives this reply; the request that it got is kept. */
async function withService<T>(
  reply: string | Uint8Array[] | (() => Response),
  use: (model: MessagesModel, sent: { headers: Headers; body: unknown }[]) => Promise<T>,
  options: Partial<MessagesOptions> = {},
): Promise<T> {
  const sent: { headers: Headers; body: unknown }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (incoming) => {
    sent.push({ headers: incoming.headers, body: await incoming.json() });
    if (typeof reply === "function") return reply();
    const body = typeof reply === "string" ? reply : ReadableStream.from(reply);
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const url = `http://127.0.0.1:${server.addr.port}/v1/messages`;
  try {
    return await use(new MessagesModel({ id, model: "m", url, apiKey: KEY, contextWindow: 1000, ...options }), sent);
  } finally {
    await server.shutdown();
  }
}

const replyTo = (reply: string | (() => Response), options: Partial<MessagesOptions> = {}) =>
  withService(reply, (model) => create(model, request, signal), options);

async function failure(reply: string | (() => Response)): Promise<ApiError> {
  return await assertRejects(() => replyTo(reply), ApiError);
}

Deno.test("MessagesModel sends the key in its header, the version and the translated request", async () => {
  await withService(sse(start(), ...textBlock(0, "ok"), ...end("end_turn")), async (model, sent) => {
    await create(model, request, signal);
    assertEquals(sent[0]?.headers.get("x-api-key"), KEY);
    assertEquals(sent[0]?.headers.get("anthropic-version"), "2023-06-01");
    assertEquals(sent[0]?.headers.get("anthropic-beta"), null);
    assertEquals(sent[0]?.body, {
      model: "m",
      max_tokens: 1000,
      stream: true,
      messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] }],
    });
  });
});

Deno.test("MessagesModel names the beta that its request needs", async () => {
  await withService(sse(start(), ...textBlock(0, "ok"), ...end("end_turn")), async (model, sent) => {
    await create(model, request, signal);
    assertEquals(sent[0]?.headers.get("anthropic-beta"), "thinking-binding-controls-2026-08-01");
  }, { model: "claude-opus-5-5" });
});

Deno.test("MessagesModel streams thinking, text and calls, and gives them whole at the end", async () => {
  const body = sse(
    start({ input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 700, cache_creation_input_tokens: 30 }),
    { type: "ping" },
    open(0, { type: "thinking", thinking: "", signature: "" }),
    delta(0, { type: "thinking_delta", thinking: "Let me " }),
    delta(0, { type: "thinking_delta", thinking: "see" }),
    delta(0, { type: "signature_delta", signature: "si" }),
    delta(0, { type: "signature_delta", signature: "g==" }),
    close(0),
    open(1, { type: "redacted_thinking", data: "AAAA" }),
    close(1),
    ...textBlock(2, "价格 ", "🙂 €5"),
    ...callBlock(3, "c1", '{"pa', 'th":"a.txt"}'),
    ...callBlock(4, "c2", ""),
    ...end("tool_use", { output_tokens: 42 }),
  );
  const events: StreamEvent[] = [];
  await withService(body, async (model) => {
    for await (const event of model.stream(request, signal)) events.push(event);
  });
  assertEquals(events, [
    { type: "thinking_delta", text: "Let me " },
    { type: "thinking_delta", text: "see" },
    { type: "text_delta", text: "价格 " },
    { type: "text_delta", text: "🙂 €5" },
    { type: "tool_use_start", id: "c1", name: "read_file" },
    { type: "tool_use_start", id: "c2", name: "read_file" },
    {
      type: "done",
      response: {
        content: [
          { type: "thinking", text: "Let me see", signature: "sig==", model: id },
          { type: "thinking", text: "", redacted: "AAAA", model: id },
          { type: "text", text: "价格 🙂 €5" },
          { type: "tool_use", id: "c1", name: "read_file", input: { path: "a.txt" } },
          { type: "tool_use", id: "c2", name: "read_file", input: {} },
        ],
        stopReason: "tool_use",
        usage: { inputTokens: 10, outputTokens: 42, cacheReadTokens: 700, cacheWriteTokens: 30 },
        model: "m-2026",
      },
    },
  ]);
});

Deno.test("MessagesModel reads the same reply wherever its bytes are cut", async () => {
  const bytes = new TextEncoder().encode(
    sse(start(), ...textBlock(0, "价格 🙂"), ...callBlock(1, "c1", '{"path":"é"}'), ...end("tool_use")),
  );
  const whole = await replyTo(new TextDecoder().decode(bytes));
  for (const size of [1, 2, 3, 7, 64]) {
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, i) => bytes.slice(i * size, (i + 1) * size),
    );
    assertEquals(await withService(pieces, (model) => create(model, request, signal)), whole);
  }
});

Deno.test("MessagesModel leaves out events and blocks that it does not know", async () => {
  const body = sse(
    start(),
    { type: "brand_new_event", index: 0, delta: { text: "no" } },
    open(0, { type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"query":"x"}' }),
    close(0),
    open(1, { type: "web_search_tool_result", tool_use_id: "s1", content: [] }),
    close(1),
    open(2, { type: "text", text: "" }),
    delta(2, { type: "citations_delta", citation: {} }),
    delta(2, { type: "text_delta", text: "answer" }),
    close(2),
    ...end("end_turn"),
  );
  assertEquals((await replyTo(body)).content, [{ type: "text", text: "answer" }]);
});

Deno.test("MessagesModel counts usage once, and the latest count holds", async () => {
  const usages: [unknown, unknown, number[]][] = [
    [null, { input_tokens: 1200, output_tokens: 40 }, [1200, 40, 0, 0]],
    [{ input_tokens: 0, output_tokens: 0 }, { input_tokens: 1200, output_tokens: 40 }, [1200, 40, 0, 0]],
    [{ input_tokens: 1200, output_tokens: 1 }, { input_tokens: 0, output_tokens: 40 }, [1200, 40, 0, 0]],
    [{ input_tokens: 9, cache_read_input_tokens: 5 }, { output_tokens: 4, cache_read_input_tokens: null }, [
      9,
      4,
      5,
      0,
    ]],
    [{ input_tokens: "9", cache_read_input_tokens: "5" }, { output_tokens: "4" }, [9, 4, 5, 0]],
  ];
  for (const [first, last, [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens]] of usages) {
    const middle = { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 2 } };
    const { usage } = await replyTo(sse(start(first), ...textBlock(0, "ok"), middle, ...end("end_turn", last)));
    assertEquals<unknown>(usage, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });
  }
});

Deno.test("MessagesModel gives a refusal without content, so that nothing of it is kept (B013)", async () => {
  const empty = await replyTo(sse(start(), ...end("refusal", { output_tokens: 0 })));
  assertEquals([empty.content, empty.stopReason, empty.usage.inputTokens], [[], "refusal", 10]);
  const partial = await replyTo(sse(start(), ...textBlock(0, "Well"), ...callBlock(1, "c1", "{}"), ...end("refusal")));
  assertEquals([partial.content, partial.stopReason], [[], "refusal"]);
});

Deno.test("MessagesModel lets the calls decide, not the stop reason", async () => {
  const calls = callBlock(1, "c1", "{}");
  for (const reason of ["end_turn", "stop_sequence", "pause_turn", "something_new", null]) {
    assertEquals((await replyTo(sse(start(), ...textBlock(0, "ok"), ...calls, ...end(reason)))).stopReason, "tool_use");
  }
  for (const reason of ["end_turn", "tool_use", "pause_turn", "something_new", null]) {
    assertEquals((await replyTo(sse(start(), ...textBlock(0, "ok"), ...end(reason)))).stopReason, "end_turn");
  }
  const stopped = await replyTo(sse(start(), ...textBlock(0, "ok"), ...end("stop_sequence")));
  assertEquals(stopped.stopReason, "stop_sequence");
});

Deno.test("MessagesModel marks a call that the output limit cut, and only the last one", async () => {
  const body = sse(
    start(),
    ...callBlock(0, "c1", '{"path":"a"}'),
    ...callBlock(1, "c2", '{"path":"b'),
    ...end("max_tokens"),
  );
  const { content, stopReason } = await replyTo(body);
  assertEquals(stopReason, "max_tokens");
  assertEquals(content[0], { type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } });
  assertStringIncludes((content[1] as { invalid?: string }).invalid ?? "", "cut off by the output limit");
  const empty = await replyTo(sse(start(), ...callBlock(0, "c1", ""), ...end("max_tokens")));
  assertStringIncludes((empty.content[0] as { invalid?: string }).invalid ?? "", "cut off by the output limit");
});

Deno.test("MessagesModel marks calls whose arguments are not a JSON object", async () => {
  const { content } = await replyTo(
    sse(start(), ...callBlock(0, "c1", "{'a'"), ...callBlock(1, "c2", "[1]"), ...end("tool_use")),
  );
  const reasons = content.map((block) => block.type === "tool_use" ? [block.input, block.invalid] : []);
  assertStringIncludes(String(reasons[0]?.[1]), "not valid JSON");
  assertStringIncludes(String(reasons[1]?.[1]), "must be a JSON object, not [1]");
  assertEquals(reasons.map(([input]) => input), [{}, {}]);
});

Deno.test("MessagesModel forgives services that start blocks late, twice, at one index or with their content", async () => {
  const body = sse(
    start(),
    delta(0, { type: "text_delta", text: "late" }),
    open(0, { type: "text", text: " with" }),
    delta(0, { type: "text_delta", text: " content" }),
    open(0, { type: "tool_use", id: "c1", name: "read_file", input: { path: "at once" } }),
    open(0, { type: "tool_use", id: "c1", name: "read_file", input: {} }),
    close(0),
    open(0, { type: "tool_use", id: "", name: "list_files", input: {} }),
    ...end("tool_use"),
  );
  assertEquals((await replyTo(body)).content, [
    { type: "text", text: "late" },
    { type: "text", text: " with content" },
    { type: "tool_use", id: "c1", name: "read_file", input: { path: "at once" } },
    { type: "tool_use", id: "call_4", name: "list_files", input: {} },
  ]);
});

Deno.test("MessagesModel takes a reply that comes in one piece", async () => {
  const message = {
    ...start().message,
    content: [{ type: "text", text: "hello" }, { type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } }],
    stop_reason: "tool_use",
    usage: { input_tokens: 7, output_tokens: 3 },
  };
  await withService(
    () => new Response(`\n\n${JSON.stringify(message)}`, { headers: { "content-type": "application/json" } }),
    async (model, sent) => {
      const { content, usage, stopReason } = await create(model, request, signal);
      assertEquals(content, [
        { type: "text", text: "hello" },
        { type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } },
      ]);
      assertEquals([usage.inputTokens, usage.outputTokens, stopReason], [7, 3, "tool_use"]);
      assertEquals("stream" in (sent[0]?.body as object), false);
    },
    { stream: false },
  );
});

Deno.test("MessagesModel fails when a reply does not come to its end, and says that it may be asked again", async () => {
  const events = [start(), ...textBlock(0, "half"), ...end("end_turn")];
  for (let count = 0; count < events.length - 1; count++) {
    const error = await failure(sse(...events.slice(0, count)));
    assertEquals([error.kind, error.retryable], ["broken_reply", true], `after ${count} events`);
  }
  assertEquals((await failure("data: <html>\n\n")).kind, "broken_reply");
});

Deno.test("MessagesModel takes a whole reply for one though its last event is missing, but not with a block that is open", async () => {
  const [said] = end("end_turn");
  const whole = sse(start(), ...textBlock(0, "whole"), said!);
  await using service = new FakeService(
    { pieces: [whole], end: "reset" },
    { pieces: [whole], end: "stall" },
    { pieces: [whole] },
    { pieces: [sse(start(), ...textBlock(0, "half").slice(0, -1), said!)], end: "reset" },
  );
  const url = `${service.url}/v1/messages`;
  const model = new MessagesModel({ id, model: "m", url, contextWindow: 1000, timeouts: { silenceMs: 100 } });
  for (let count = 1; count <= 3; count++) {
    const { content, usage } = await create(model, request, signal);
    assertEquals([content, usage.outputTokens], [[{ type: "text", text: "whole" }], 5]);
    assertEquals(service.requests.length, count);
  }
  assertEquals((await assertRejects(() => create(model, request, signal), ApiError)).kind, "broken_reply");
});

Deno.test("MessagesModel takes an error inside a stream for what it is", async () => {
  const errors: [string, string, string, boolean][] = [
    ["overloaded_error", "Overloaded", "server", true],
    ["rate_limit_error", "slow down", "rate_limit", true],
    ["api_error", "internal", "server", true],
    ["invalid_request_error", "prompt is too long: 202952 tokens > 200000 maximum", "overflow", false],
    ["authentication_error", "invalid x-api-key", "auth", false],
  ];
  for (const [type, message, kind, retryable] of errors) {
    const error = await failure(sse(start(), ...textBlock(0, "half"), { type: "error", error: { type, message } }));
    assertEquals([error.kind, error.retryable], [kind, retryable], type);
    assertStringIncludes(error.message, message);
  }
});

Deno.test("MessagesModel tells the words of an error in whatever form it comes", async () => {
  const bare = `${sse(start())}event: error\ndata: {"message":"the gateway died"}\n\n`;
  const words = `${sse(start())}event: error\ndata: the gateway died\n\n`;
  for (const reply of [bare, words, () => Response.json({ detail: "the gateway died" })]) {
    const error = await failure(reply);
    assertEquals([error.kind, error.retryable, error.detail], ["server", true, "the gateway died"]);
  }
});

Deno.test("MessagesModel reads events whose kind only their name tells", async () => {
  const events = [start(), ...textBlock(0, "ok"), ...end("end_turn")] as { type: string }[];
  const named = events.map(({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`).join("");
  assertEquals((await replyTo(named)).content, [{ type: "text", text: "ok" }]);
});

Deno.test("MessagesModel does not lose a whole reply to what follows its end", async () => {
  const [said] = end("end_turn");
  const whole = sse(start(), ...textBlock(0, "ok"), said!);
  const error = { type: "error", error: { type: "api_error", message: "late trouble" } };
  for (const late of ["data: {garbage\n\n", sse(error)]) {
    assertEquals((await replyTo(whole + late)).content, [{ type: "text", text: "ok" }]);
  }
});

Deno.test("MessagesModel gives an answer that came wholly as thinking as text too", async () => {
  const thought = [
    open(0, { type: "thinking", thinking: "" }),
    delta(0, { type: "thinking_delta", thinking: "42" }),
    close(0),
  ];
  await withService(sse(start(), ...thought, ...end("end_turn")), async (model) => {
    const events = await Array.fromAsync(model.stream(request, signal));
    assertEquals(events.at(-2), { type: "text_delta", text: "42" });
    const done = events.at(-1);
    assert(done?.type === "done");
    assertEquals(done.response.content, [
      { type: "thinking", text: "42", model: id },
      { type: "text", text: "42" },
    ]);
  });
  const hidden = [open(0, { type: "redacted_thinking", data: "x" }), close(0)];
  for (const blocks of [hidden, textBlock(0, "\n ")]) {
    assertEquals((await failure(sse(start(), ...blocks, ...end("end_turn")))).kind, "empty_reply");
  }
});

Deno.test("MessagesModel reads arguments that come as a text with the start of their block", async () => {
  const block = [open(0, { type: "tool_use", id: "c1", name: "read_file", input: '{"path":"a.txt"}' }), close(0)];
  const { content } = await replyTo(sse(start(), ...block, ...end("tool_use")));
  assertEquals(content, [{ type: "tool_use", id: "c1", name: "read_file", input: { path: "a.txt" } }]);
});

Deno.test("MessagesModel reports a full context window as an overflow", async () => {
  const error = await failure(sse(start(), ...textBlock(0, "half"), ...end("model_context_window_exceeded")));
  assertEquals([error.kind, error.retryable], ["overflow", false]);
});

Deno.test("MessagesModel takes a reply without content for a failure, unless the output limit ended it", async () => {
  const error = await failure(sse(start(), ...end("end_turn")));
  assertEquals([error.kind, error.retryable], ["empty_reply", true]);
  const cut = await replyTo(sse(start(), ...end("max_tokens")));
  assertEquals([cut.content, cut.stopReason], [[], "max_tokens"]);
});

Deno.test("MessagesModel says what the service said when it refuses, and never the key", async () => {
  const body = {
    type: "error",
    error: { type: "invalid_request_error", message: `max_tokens: too small, key ${KEY}` },
  };
  const error = await failure(() => Response.json(body, { status: 400 }));
  assertEquals([error.kind, error.status], ["invalid_request", 400]);
  assertStringIncludes(error.message, "max_tokens: too small");
  assertEquals(`${error.message}${error.stack}`.includes(KEY), false);
});

Deno.test("MessagesModel closes the request as soon as it is stopped", async () => {
  const closed = Promise.withResolvers<void>();
  const stalled = () =>
    new Response(
      new ReadableStream({
        start(out) {
          out.enqueue(new TextEncoder().encode(sse(start(), ...textBlock(0, "half"))));
        },
        cancel: () => closed.resolve(),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const controller = new AbortController();
  const reason = new Error("enough");
  await withService(stalled, async (model) => {
    const error = await assertRejects(async () => {
      for await (const event of model.stream(request, controller.signal)) {
        if (event.type === "text_delta") controller.abort(reason);
      }
    });
    assertEquals(error, reason);
    await closed.promise;
  });
});

Deno.test("MessagesModel asks once more, and from then on, without what a service does not take about thinking", async () => {
  const answers = [
    Response.json({ error: { type: "invalid_request_error", message: "thinking: Extra inputs are not permitted" } }, {
      status: 400,
    }),
    new Response(sse(start(), ...textBlock(0, "ok"), ...end("end_turn"))),
    new Response(sse(start(), ...textBlock(0, "ok"), ...end("end_turn"))),
  ];
  await withService(() => answers.shift() ?? new Response(null, { status: 500 }), async (model, sent) => {
    await create(model, { ...request, effort: "high" }, signal);
    await create(model, { ...request, effort: "high" }, signal);
    assertEquals(sent.map(({ body }) => "thinking" in (body as object)), [true, false, false]);
    assertEquals(sent.map(({ headers }) => headers.has("anthropic-beta")), [true, false, false]);
  }, { model: "claude-opus-5-5" });
});

Deno.test("MessagesModel asks for no longer replies than a service says that it gives", async () => {
  const message = "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for m";
  await using service = new FakeService(
    refusal(400, { type: "invalid_request_error", message }),
    { pieces: [sse(start(), ...textBlock(0, "ok"), ...end("end_turn"))] },
  );
  const model = new MessagesModel({ id, model: "m", url: `${service.url}/v1/messages`, contextWindow: 1000 });
  for (let count = 0; count < 2; count++) await create(model, { ...request, maxTokens: 16_000 }, signal);
  assertEquals(service.requests.map(({ body }) => body.max_tokens), [16_000, 8192, 8192]);
});

Deno.test("MessagesModel leaves earlier thinking out when the service calls it invalid, and gives up when that was not it", async () => {
  const message = "messages.1.content.0: Invalid `signature` in `thinking` block";
  const refuse = () => Response.json({ error: { type: "invalid_request_error", message } }, { status: 400 });
  const messages: ModelRequest["messages"] = [
    ...request.messages,
    {
      role: "assistant",
      content: [{ type: "thinking", text: "t", signature: "s", model: id }, { type: "text", text: "a" }],
    },
    ...request.messages,
  ];
  await withService(refuse, async (model, sent) => {
    await assertRejects(() => create(model, { ...request, messages }, signal), ApiError, "Invalid `signature`");
    assertEquals(sent.map(({ body }) => JSON.stringify(body).includes('"thinking":"t"')), [true, false, false]);
  });
});
