import { assert, assertEquals, assertRejects } from "@std/assert";
import { ChatCompletionsModel, type ChatCompletionsOptions } from "../../src/llm/chat_completions.ts";
import { DIALECTS } from "../../src/llm/dialect.ts";
import { ApiError } from "../../src/llm/errors.ts";
import { create, type ModelRequest, NO_USAGE, type StreamEvent } from "../../src/llm/types.ts";
import { chatChunk, chatReply, FakeService, refusal, type Step } from "../testing/fake_service.ts";
import { randomPieces, seeded } from "../testing/random.ts";

const never = new AbortController().signal;
const request: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [{ name: "list", description: "Lists.", inputSchema: { type: "object" } }],
  maxTokens: 100,
};

const modelOf = (service: FakeService, options: Partial<ChatCompletionsOptions> = {}) =>
  new ChatCompletionsModel({
    id: "openai/m",
    model: "m",
    url: `${service.url}/v1/chat/completions`,
    contextWindow: 1000,
    ...options,
  });

Deno.test("ChatCompletionsModel streams a reply and ends with the whole of it", async () => {
  const usage = { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } };
  const call = { id: "c1", name: "list", args: { path: "." } };
  await using service = new FakeService(
    chatReply({ text: "Let me see", reasoning: "hm", calls: [call], usage, model: "m-7" }),
  );
  const events = await Array.fromAsync(modelOf(service, { apiKey: "sk-1" }).stream(request, never));
  assertEquals(events, [
    { type: "thinking_delta", text: "hm" },
    { type: "text_delta", text: "Let me see" },
    { type: "tool_use_start", id: "c1", name: "list" },
    {
      type: "done",
      response: {
        content: [
          { type: "thinking", text: "hm", model: "openai/m" },
          { type: "text", text: "Let me see" },
          { type: "tool_use", id: "c1", name: "list", input: { path: "." } },
        ],
        stopReason: "tool_use",
        usage: { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 2, outputTokens: 3 },
        model: "m-7",
      },
    },
  ]);
  const [sent] = service.requests;
  assertEquals([sent?.method, sent?.path], ["POST", "/v1/chat/completions"]);
  assertEquals(sent?.headers.get("authorization"), "Bearer sk-1");
  assertEquals(sent?.body.messages[0], { role: "system", content: "Be brief." });
});

Deno.test("ChatCompletionsModel yields each piece when it arrives, not at the end", async () => {
  const seen = Promise.withResolvers<void>();
  const pieces = [chatChunk({ content: "first" }), seen.promise, chatChunk({ content: " second" }, "stop")];
  await using service = new FakeService({ pieces });
  const texts: string[] = [];
  for await (const event of modelOf(service).stream(request, never)) {
    if (event.type !== "text_delta") continue;
    texts.push(event.text);
    seen.resolve(); // the rest is only sent once the first piece has been shown
  }
  assertEquals(texts, ["first", " second"]);
});

Deno.test("ChatCompletionsModel reads keep-alive comments, fields without a blank, cut characters [B001, B004, B007]", async () => {
  const chunk = (content: string) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  const bodies: [string, string][] = [
    [`: keep-alive\n\n: keep-alive\n\ndata: ${chunk("Hel")}\n\n: keep-alive\ndata: ${chunk("lo")}\n\n`, "Hello"],
    [`data:${chunk("o")}\n\ndata:${chunk("k")}\n\n`, "ok"],
    [`data: ${chunk("价格 🙂 €5")}\r\n\r\n`, "价格 🙂 €5"],
  ];
  for (const [body, text] of bodies) {
    const bytes = new TextEncoder().encode(`${body}${chatChunk({}, "stop")}data:[DONE]\n\n`);
    await using service = new FakeService({ pieces: Array.from(bytes, (byte) => Uint8Array.of(byte)) });
    assertEquals((await create(modelOf(service), request, never)).content, [{ type: "text", text }]);
  }
});

Deno.test("ChatCompletionsModel works without streaming, and when a service does not stream though asked", async () => {
  const reply = JSON.stringify({
    model: "m-7",
    choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 1 },
  });
  for (const stream of [false, true]) {
    const headers = { "content-type": "application/json" };
    await using service = new FakeService({ headers, pieces: ["\n\n\n", reply] });
    const response = await create(modelOf(service, { stream }), request, never);
    assertEquals([response.content, response.model], [[{ type: "text", text: "hello" }], "m-7"]);
    assertEquals(service.requests[0]?.body.stream, stream);
    assertEquals("stream_options" in service.requests[0]?.body, stream);
  }
});

Deno.test("ChatCompletionsModel does not wait for a service that leaves the connection open", async () => {
  await using service = new FakeService({ ...chatReply({ text: "ok" }), end: "stall" });
  assertEquals((await create(modelOf(service), request, never)).content, [{ type: "text", text: "ok" }]);
});

Deno.test("ChatCompletionsModel never takes a reply that breaks off for an answer", async () => {
  const half = chatChunk({ content: "The answer is" });
  for (const step of [{ pieces: [half] }, { pieces: [half], end: "reset" }, { pieces: [] }] satisfies Step[]) {
    await using service = new FakeService(step);
    const { kind, retryable } = await assertRejects(() => create(modelOf(service), request, never), ApiError);
    assertEquals([kind, retryable], ["broken_reply", true]);
  }
});

Deno.test("ChatCompletionsModel takes a whole reply for one, whatever becomes of the connection before its last line", async () => {
  const pieces = [chatChunk({ content: "ok" }), chatChunk({}, "stop")];
  for (const end of ["reset", "stall"] as const) {
    await using service = new FakeService({ pieces, end });
    const { content, stopReason } = await create(modelOf(service, { timeouts: { silenceMs: 100 } }), request, never);
    assertEquals([content, stopReason], [[{ type: "text", text: "ok" }], "end_turn"]);
    assertEquals(service.requests.length, 1);
  }
});

Deno.test("ChatCompletionsModel ends a whole reply that is interrupted before its last line as an interruption", async () => {
  await using service = new FakeService({ pieces: [chatChunk({ content: "ok" }, "stop")], end: "stall" });
  const interrupt = new AbortController();
  const read = async () => {
    for await (const _ of modelOf(service).stream(request, interrupt.signal)) interrupt.abort(new Error("stopped"));
  };
  await assertRejects(read, Error, "stopped");
});

Deno.test("ChatCompletionsModel puts a refused request differently, and keeps to what it has learnt", async () => {
  const words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'";
  await using service = new FakeService(
    refusal(400, { message: words }),
    refusal(400, { message: "Unknown parameter: stream_options" }),
    chatReply({ text: "ok" }),
  );
  const model = modelOf(service);
  for (let turn = 0; turn < 2; turn++) await create(model, request, never);
  const sent = service.requests.map(({ body }) => [Object.hasOwn(body, "max_tokens"), "stream_options" in body]);
  assertEquals(sent, [[true, true], [false, true], [false, false], [false, false]]);
  assertEquals(service.requests[3]?.body.max_completion_tokens, 100);
});

Deno.test("ChatCompletionsModel gives DeepSeek an empty reasoning for foreign turns once it asks for one", async () => {
  const words = "The `reasoning_content` in the thinking mode must be passed back to the API.";
  await using service = new FakeService(
    ({ body }) =>
      body.messages.every((m: Record<string, unknown>) => m.role !== "assistant" || "reasoning_content" in m)
        ? chatReply({ text: "ok" })
        : refusal(400, { message: words, type: "invalid_request_error", code: "invalid_request_error" }),
  );
  const model = modelOf(service, { id: "deepseek/m", dialect: DIALECTS.deepseek });
  const messages: ModelRequest["messages"] = [
    ...request.messages,
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm", signature: "c2ln", model: "anthropic/x" },
        { type: "tool_use", id: "c1", name: "list", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", toolUseId: "c1", content: "a.txt", isError: false }] },
  ];
  const reply = await create(model, { ...request, messages }, never);
  assertEquals([reply.content, service.requests.length], [[{ type: "text", text: "ok" }], 2]);
  assertEquals(service.requests[1]?.body.messages[2].reasoning_content, "");
});

Deno.test("ChatCompletionsModel asks for no longer replies than a service says that it gives", async () => {
  const words = "max_completion_tokens is too large: 16000. This model supports at most 4096 completion tokens";
  await using service = new FakeService(refusal(400, { message: words }), "fine", "fine");
  const model = modelOf(service);
  for (const maxTokens of [16_000, 16_000, 300]) await create(model, { ...request, maxTokens }, never);
  assertEquals(service.requests.map(({ body }) => body.max_tokens), [16_000, 4096, 4096, 300]);
});

Deno.test("ChatCompletionsModel learns from a refusal in a stream too, but not once it has shown something", async () => {
  const error = `data: ${JSON.stringify({ error: { code: 400, message: "Unknown parameter: stream_options" } })}\n\n`;
  await using service = new FakeService({ pieces: [error] }, chatReply({ text: "ok" }));
  assertEquals((await create(modelOf(service), request, never)).content, [{ type: "text", text: "ok" }]);
  await using late = new FakeService({ pieces: [chatChunk({ content: "half" }), error] }, chatReply({ text: "ok" }));
  await assertRejects(() => create(modelOf(late), request, never), ApiError, "stream_options");
});

Deno.test("ChatCompletionsModel does not ask for ever: a refusal that teaches nothing new is the error", async () => {
  await using service = new FakeService(refusal(400, { message: "Unknown parameter: stream_options" }));
  await assertRejects(() => create(modelOf(service), request, never), ApiError, "stream_options");
  assertEquals(service.requests.length, 2);
  const fickle: Step = ({ body }) =>
    refusal(400, { message: body.max_tokens ? "Use max_completion_tokens" : "Unknown: max_completion_tokens" });
  await using other = new FakeService(fickle);
  await assertRejects(() => create(modelOf(other), request, never), ApiError);
  assertEquals(other.requests.length, 5);
});

Deno.test("ChatCompletionsModel meets a service that knows only four roles [B092]", async () => {
  await using service = new FakeService(({ body }) => {
    const odd = body.messages.find(({ role }: { role: string }) =>
      !["system", "user", "assistant", "tool"].includes(role)
    );
    return odd ? refusal(400, { message: `messages[0].role: unknown variant \`${odd.role}\`` }) : "fine";
  });
  assertEquals((await create(modelOf(service), request, never)).content, [{ type: "text", text: "fine" }]);
});

Deno.test("ChatCompletionsModel reads generated replies the same however the bytes are cut", async () => {
  const seed = 417;
  const random = seeded(seed);
  const texts = ["", "a", "价格 🙂", "line\r\nline", '"quoted" \\ ', "data: x\n\n", "[DONE]", "\u2028"];
  const sentence = () => Array.from({ length: random.below(4) }, () => random.pick(texts)).join("") + "x";
  for (let round = 0; round < 200; round++) {
    const answer = {
      text: sentence(),
      reasoning: sentence(),
      calls: Array.from(
        { length: random.below(4) },
        (_, i) => ({ id: `c${i}`, name: "list", args: { path: sentence() } }),
      ),
    };
    const ends = random.pick(["\n", "\r\n", "\r"]);
    const comment = random.pick(["", `: keep-alive${ends}`]);
    const body = chatReply(answer).pieces.map((piece) => comment + piece.replaceAll("\n", ends)).join("");
    const pieces = randomPieces(new TextEncoder().encode(body), random);
    const fetch = () =>
      Promise.resolve(
        new Response(ReadableStream.from(pieces), { headers: { "content-type": "text/event-stream" } }),
      );
    const model = new ChatCompletionsModel({ id: "openai/m", model: "m", url: "http://h/", contextWindow: 1, fetch });
    const events: StreamEvent[] = await Array.fromAsync(model.stream(request, never));
    const done = events.at(-1);
    assert(done?.type === "done");
    const where = `seed ${seed}, round ${round}`;
    assertEquals(done.response.content, [
      { type: "thinking", text: answer.reasoning, model: "openai/m" },
      { type: "text", text: answer.text },
      ...answer.calls.map(({ id, name, args }) => ({ type: "tool_use" as const, id, name, input: args })),
    ], where);
    const shown = events.flatMap((event) => event.type === "text_delta" ? event.text : []).join("");
    assertEquals(shown, answer.text, where);
  }
});
