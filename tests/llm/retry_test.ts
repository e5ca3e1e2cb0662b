import { assert, assertEquals, assertRejects } from "@std/assert";
import { ChatCompletionsModel } from "../../src/llm/chat_completions.ts";
import { ApiError, type ApiErrorKind } from "../../src/llm/errors.ts";
import { type RetryOptions, withRetry } from "../../src/llm/retry.ts";
import { create, type Model, type ModelRequest, NO_USAGE, type StreamEvent } from "../../src/llm/types.ts";
import { FakeClock, hastyClock } from "../testing/fake_clock.ts";
import { chatChunk, chatReply, FakeService, refusal, type ScriptedReply } from "../testing/fake_service.ts";

const request: ModelRequest = { system: "", messages: [], tools: [], maxTokens: 100 };
const DONE: StreamEvent = {
  type: "done",
  response: { content: [{ type: "text", text: "ok" }], stopReason: "end_turn", usage: NO_USAGE, model: "m" },
};

/** A model that plays one attempt after the other; an error ends an attempt. */
function fakeModel(...attempts: (StreamEvent | Error)[][]): Model & { asked: number } {
  return {
    id: "deepseek/m",
    contextWindow: 1000,
    vision: true,
    asked: 0,
    async *stream(_request, signal) {
      signal.throwIfAborted();
      const attempt = attempts[Math.min(this.asked++, attempts.length - 1)] ?? [];
      for (const event of attempt) {
        if (event instanceof Error) throw event;
        yield await Promise.resolve(event);
      }
    },
  };
}

function failed(kind: ApiErrorKind, more: Partial<ConstructorParameters<typeof ApiError>[1]> = {}): ApiError {
  return new ApiError(`Cannot ask "deepseek/m": it failed`, { kind, retryable: true, ...more });
}

const never = () => new AbortController().signal;

async function run(model: Model, options: RetryOptions = {}): Promise<StreamEvent[]> {
  const retrying = withRetry(model, { clock: hastyClock(), random: () => 0, ...options });
  return await Array.fromAsync(retrying.stream(request, never()));
}

Deno.test("withRetry() keeps what the model says of itself", () => {
  const { id, contextWindow, vision } = withRetry(fakeModel());
  assertEquals([id, contextWindow, vision], ["deepseek/m", 1000, true]);
});

Deno.test("withRetry() asks a broken reply again whole and says that what came before is void", async () => {
  const half: StreamEvent = { type: "text_delta", text: "The answer is" };
  const model = fakeModel([half, failed("broken_reply")], [half, DONE]);
  assertEquals(await run(model), [
    half,
    { type: "restart", attempt: 1, maxAttempts: 5, delayMs: 500, reason: `Cannot ask "deepseek/m": it failed` },
    half,
    DONE,
  ]);
});

Deno.test("withRetry() asks only twice again for a reply that is empty, whatever failed before", async () => {
  const empty = failed("empty_reply");
  const model = fakeModel([failed("server")], [failed("server")], [failed("server")], [empty], [empty], [empty], [
    DONE,
  ]);
  const error = await assertRejects(() => run(model), ApiError, "(tried 6 times)");
  assertEquals([error.kind, model.asked], ["empty_reply", 6]);
  const empties = fakeModel([empty]);
  await assertRejects(() => run(empties), ApiError, "(tried 3 times)");
  const restarts = await run(fakeModel([empty], [DONE]));
  assertEquals(restarts[0]?.type === "restart" && restarts[0].maxAttempts, 2);
});

Deno.test("withRetry() waits longer from retry to retry, up to its limit, and spreads the waits", async () => {
  const waits = async (options: RetryOptions) => {
    const events: StreamEvent[] = [];
    const model = withRetry(fakeModel([failed("server")]), { clock: hastyClock(), max: 6, ...options });
    await assertRejects(async () => {
      for await (const event of model.stream(request, never())) events.push(event);
    });
    return events.flatMap((event) => event.type === "restart" ? event.delayMs : []);
  };
  assertEquals(await waits({ random: () => 0 }), [500, 1000, 2000, 4000, 8000, 10_000]);
  assertEquals(await waits({ random: () => 1 }), [375, 750, 1500, 3000, 6000, 7500]);
  assertEquals(await waits({ random: () => 0, baseMs: 100, maxMs: 300 }), [100, 200, 300, 300, 300, 300]);
});

Deno.test("withRetry() gives up after its last retry and says how often it was tried", async () => {
  for (const [options, tries] of [[{}, 6], [{ max: 2 }, 3], [{ max: 0 }, 1]] as const) {
    const model = fakeModel([failed("rate_limit", { status: 429, detail: "slow down" })]);
    const error = await assertRejects(() => run(model, options), ApiError);
    assertEquals(model.asked, tries);
    assertEquals([error.kind, error.status, error.detail], ["rate_limit", 429, "slow down"]);
    assertEquals(error.message.includes(`(tried ${tries} times)`), tries > 1, error.message);
  }
});

Deno.test("withRetry() waits as long as the service asks, but never more than a minute", async () => {
  const delays = async (retryAfterMs: number) => {
    const events = await run(fakeModel([failed("rate_limit", { retryAfterMs })], [DONE]));
    return events.flatMap((event) => event.type === "restart" ? event.delayMs : []);
  };
  assertEquals(await delays(20_000), [20_000]);
  assertEquals(await delays(0), [0]);
  assertEquals(await delays(3_600_000), [60_000]);
});

Deno.test("withRetry() passes on what is no failure of the service", async () => {
  const bug = new TypeError("x is undefined");
  const model = fakeModel([bug]);
  assertEquals(await assertRejects(() => run(model)), bug);
  assertEquals(model.asked, 1);
});

Deno.test("withRetry() ends a wait at once when the person interrupts, and asks no more [B086]", async () => {
  const clock = new FakeClock();
  const model = fakeModel([failed("rate_limit", { retryAfterMs: 20_000 })], [DONE]);
  const controller = new AbortController();
  const reason = new Error("interrupted");
  const events = Array.fromAsync(withRetry(model, { clock }).stream(request, controller.signal));
  while (clock.waits.length === 0) await clock.nextUse();
  clock.advance(1000);
  controller.abort(reason);
  assertEquals(await assertRejects(() => events), reason);
  assertEquals([model.asked, clock.pending], [1, 0]);
});

Deno.test("withRetry() does not retry a failure that comes with the interrupt", async () => {
  const controller = new AbortController();
  const model: Model = {
    id: "a/b",
    contextWindow: 1,
    // deno-lint-ignore require-yield -- it fails before it has anything to say
    async *stream() {
      controller.abort(new Error("interrupted"));
      throw await Promise.resolve(failed("network"));
    },
  };
  await assertRejects(() => Array.fromAsync(withRetry(model).stream(request, controller.signal)), Error, "interrupted");
});

// Every class of failure, as a service makes it.

interface Failure {
  name: string;
  reply: ScriptedReply;
  kind: ApiErrorKind;
  /** The wait that it leads to, or `undefined` where nothing is tried again. */
  waits: number | undefined;
}

const half = chatChunk({ content: "half" });
const error = (fields: unknown) => `data: ${JSON.stringify({ error: fields })}\n\n`;
const httpDate = (ms: number) => new Date(ms).toUTCString();
const NOW = Date.parse("2026-11-30T12:00:00Z");

const FAILURES: Failure[] = [
  { name: "400", reply: refusal(400, { message: "bad" }), kind: "invalid_request", waits: undefined },
  { name: "401", reply: refusal(401, { message: "bad" }), kind: "auth", waits: undefined },
  { name: "402", reply: refusal(402, { message: "bad" }), kind: "quota", waits: undefined },
  { name: "403", reply: refusal(403, { message: "bad" }), kind: "auth", waits: undefined },
  { name: "404", reply: refusal(404, { message: "bad" }), kind: "not_found", waits: undefined },
  { name: "408", reply: refusal(408, { message: "bad" }), kind: "timeout", waits: 500 },
  { name: "409", reply: refusal(409, { message: "bad" }), kind: "invalid_request", waits: 500 },
  { name: "413", reply: refusal(413, { message: "bad" }), kind: "overflow", waits: undefined },
  { name: "422", reply: refusal(422, { message: "bad" }), kind: "invalid_request", waits: undefined },
  { name: "429", reply: refusal(429, { message: "bad" }), kind: "rate_limit", waits: 500 },
  { name: "429, in seconds", reply: refusal(429, {}, { "retry-after": "7" }), kind: "rate_limit", waits: 7000 },
  {
    name: "429, as a date [B109]",
    reply: refusal(429, { message: "rate" }, { "retry-after": httpDate(NOW + 3000), date: httpDate(NOW) }),
    kind: "rate_limit",
    waits: 3000,
  },
  { name: "500", reply: refusal(500, { message: "bad" }), kind: "server", waits: 500 },
  { name: "500 too large", reply: refusal(500, { message: "prompt is too long" }), kind: "overflow", waits: undefined },
  { name: "502 page", reply: { status: 502, pieces: ["<html></html>"] }, kind: "server", waits: 500 },
  { name: "503, in ms", reply: refusal(503, {}, { "retry-after-ms": "80" }), kind: "server", waits: 80 },
  { name: "529", reply: refusal(529, { message: "bad" }), kind: "server", waits: 500 },
  { name: "no answer", reply: { end: "silent" }, kind: "timeout", waits: 500 },
  { name: "standstill", reply: { pieces: [half], end: "stall" }, kind: "timeout", waits: 500 },
  { name: "reset", reply: { pieces: [half], end: "reset" }, kind: "broken_reply", waits: 500 },
  { name: "an end without its end", reply: { pieces: [half] }, kind: "broken_reply", waits: 500 },
  { name: "half a chunk", reply: { pieces: [half, 'data: {"choi'] }, kind: "broken_reply", waits: 500 },
  {
    name: "an error event",
    reply: { pieces: [half, error({ code: 502, message: "bad" })] },
    kind: "server",
    waits: 500,
  },
  {
    name: "a bad request in a stream",
    reply: { pieces: [error({ code: 400 })] },
    kind: "invalid_request",
    waits: undefined,
  },
  { name: "nothing", reply: { pieces: [chatChunk({}, "stop")] }, kind: "empty_reply", waits: 500 },
  {
    name: "no resources",
    reply: { pieces: [half, chatChunk({}, "insufficient_system_resource")] },
    kind: "server",
    waits: 500,
  },
];

for (const { name, reply, kind, waits } of FAILURES) {
  Deno.test(`A model with retries meets ${name}: ${waits === undefined ? "gives up" : `waits ${waits} ms`}`, async () => {
    await using service = new FakeService(reply, chatReply({ text: "whole" }));
    const clock = new FakeClock(NOW);
    const model = new ChatCompletionsModel({
      id: "deepseek/m",
      model: "m",
      url: `${service.url}/chat/completions`,
      apiKey: "k",
      contextWindow: 1000,
      clock,
    });
    const retrying = withRetry(model, { clock: hastyClock(NOW), random: () => 0 });
    if (waits === undefined) {
      const error = await assertRejects(() => create(retrying, request, never()), ApiError);
      assertEquals([error.kind, service.requests.length], [kind, 1]);
      return;
    }
    const shown: string[] = [];
    const reading = Array.fromAsync(retrying.stream(request, never()), (event) => {
      if (event.type === "text_delta") shown.push(event.text);
      return event;
    });
    await service.request(0);
    if (reply.end === "silent") clock.advance(30_000);
    if (reply.end === "stall") {
      while (!shown.includes("half")) await clock.nextUse();
      clock.advance(120_000);
    }
    const events = await reading;
    const restart = events.find((event) => event.type === "restart");
    assertEquals([restart?.delayMs, restart?.attempt, service.requests.length], [waits, 1, 2]);
    const done = events.at(-1);
    assert(done?.type === "done");
    assertEquals(done.response.content, [{ type: "text", text: "whole" }]);
    assertEquals(service.requests[1]?.text, service.requests[0]?.text);
  });
}
