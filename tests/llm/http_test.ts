import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ApiError } from "../../src/llm/errors.ts";
import { post, type PostOptions } from "../../src/llm/http.ts";
import type { ServerSentEvent } from "../../src/llm/sse.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { FakeService, refusal, type ScriptedReply, type Step } from "../testing/fake_service.ts";

const KEY = "sk-canary-7f3/9+ä".replace("ä", "a");

interface Options extends Partial<Omit<PostOptions, "service">> {
  url?: string;
}

function open(service: { url: string }, options: Options = {}): AsyncGenerator<ServerSentEvent> {
  const { url = `${service.url}/v1/chat/completions?token=secret`, ...rest } = options;
  return post({
    service: {
      id: "deepseek/deepseek-flash",
      url,
      apiKey: KEY,
      keyVariable: "DEEPSEEK_API_KEY",
      topUpUrl: "https://pay",
    },
    headers: { authorization: `Bearer ${KEY}` },
    body: "{}",
    signal: new AbortController().signal,
    ...rest,
  });
}

async function drain(service: { url: string }, options: Options = {}): Promise<ServerSentEvent[]> {
  return await Array.fromAsync(open(service, options));
}

async function failure(step: Step, options: Options = {}): Promise<ApiError> {
  await using service = new FakeService(step);
  const error = await assertRejects(() => drain(service, options), ApiError);
  assert(!error.message.includes("secret"), `the query string is shown: ${error.message}`);
  return error;
}

Deno.test("post() sends a JSON body with its headers and yields the events", async () => {
  await using service = new FakeService({ pieces: ["event: a\ndata: 1\n\n", "data: 2\n\n"] });
  assertEquals(await drain(service, { body: '{"a":1}' }), [{ event: "a", data: "1" }, { data: "2" }]);
  const [{ method, path, headers, text }] = service.requests as [typeof service.requests[0]];
  assertEquals([method, path, text], ["POST", "/v1/chat/completions?token=secret", '{"a":1}']);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("authorization"), `Bearer ${KEY}`);
});

Deno.test("post() yields a JSON document as one event, blank lines in front of it or not", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  await using service = new FakeService({ headers, pieces: ["\n\n", "\n", '{"a":', "\n1}"] });
  assertEquals(await drain(service), [{ data: '{"a":\n1}' }]);
});

Deno.test("post() takes events apart between which a service forgot the blank line", async () => {
  const pieces = [
    'event: x\ndata: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n\ndata: {"c":\ndata: 3}\n\ndata: {"d"\ndata: x\n\n',
  ];
  await using service = new FakeService({ pieces });
  assertEquals(await drain(service), [
    { event: "x", data: '{"a":1}' },
    { event: "x", data: '{"b":2}' },
    { event: "x", data: "[DONE]" },
    { data: '{"c":\n3}' },
    { data: '{"d"\nx' },
  ]);
});

Deno.test("post() reads a stream that calls itself a document, and lines of documents", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const events = [{ data: '{"a":1}' }, { data: '{"b":2}' }];
  for (
    const text of ['data: {"a":1}\n\ndata: {"b":2}\n\n', '\n: ping\n\ndata:{"a":1}\ndata:{"b":2}', '{"a":1}\n{"b":2}\n']
  ) {
    await using service = new FakeService({ headers, pieces: [text] });
    assertEquals(await drain(service), events);
  }
});

Deno.test("post() reads a compressed stream", async () => {
  const zip = new Blob(["data: hello\n\n"]).stream().pipeThrough(new CompressionStream("gzip"));
  const pieces = [await new Response(zip).bytes()];
  await using service = new FakeService({ headers: { "content-encoding": "gzip" }, pieces });
  assertEquals(await drain(service), [{ data: "hello" }]);
});

const REFUSALS: [name: string, reply: ScriptedReply, kind: string, retryable: boolean, words: string][] = [
  ["400 for a model", refusal(400, { message: "Model Not Exist" }), "not_found", false, "no such model or address"],
  ["401", refusal(401, { message: "no" }), "auth", false, "set DEEPSEEK_API_KEY to a valid one (HTTP 401: no)"],
  ["402", refusal(402, { message: "Insufficient Balance" }), "quota", false, "top it up at https://pay"],
  ["403", refusal(403, "forbidden"), "auth", false, "what the key in DEEPSEEK_API_KEY may do (HTTP 403: forbidden)"],
  [
    "400 for tools",
    refusal(400, { message: "registry.ollama.ai/library/gemma does not support tools" }),
    "invalid_request",
    false,
    'the model takes no tools, set models.deepseek-flash.tools to "text"',
  ],
  ["400 for a key", refusal(400, { message: "API key not valid. Pass a valid one." }), "auth", false, "to a valid one"],
  ["404", refusal(404, { message: "no model" }), "not_found", false, "/v1/chat/completions): no model".slice(0, 20)],
  ["408", refusal(408, {}), "timeout", true, "did not answer in time"],
  ["409", refusal(409, { message: "busy" }), "invalid_request", true, "busy"],
  ["413", { status: 413, pieces: ["Request Entity Too Large"] }, "overflow", false, "context window"],
  ["422", refusal(422, [{ loc: ["x"], msg: "bad x" }]), "invalid_request", false, "bad x"],
  ["429", refusal(429, { message: "slow down" }), "rate_limit", true, "slow down"],
  ["429 without money", refusal(429, { message: "x", code: "insufficient_quota" }), "quota", false, "top it up"],
  ["500", refusal(500, { message: "oops" }), "server", true, "oops"],
  ["503", { status: 503, pieces: ["upstream connect error"] }, "server", true, "upstream connect error"],
  ["529", refusal(529, { type: "overloaded_error", message: "Overloaded" }), "server", true, "Overloaded"],
  [
    "a web page",
    { status: 502, headers: { "content-type": "text/html" }, pieces: ["<!DOCTYPE html><html>bad gateway</html>"] },
    "server",
    true,
    "HTTP 502: the answer is a web page",
  ],
];

for (const [name, reply, kind, retryable, words] of REFUSALS) {
  Deno.test(`post() makes a sentence and a class of a refusal: ${name}`, async () => {
    const error = await failure(reply);
    assertEquals([error.kind, error.retryable, error.status], [kind, retryable, reply.status]);
    assertStringIncludes(error.message, words);
    assert(!error.message.includes("<html>"));
  });
}

Deno.test("post() recognises a request that is too large in all the words of the services", async () => {
  const refusals: [number, unknown][] = [
    [400, { type: "invalid_request_error", message: "prompt is too long: 202952 tokens > 200000 maximum" }],
    [400, {
      message: "This model's maximum context length is 65536 tokens. However, you requested 70120 tokens",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    }],
    [400, { message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" }],
    [400, { message: "The prompt is too long: 267657, model maximum context length: 262143" }],
    [500, {
      code: 500,
      message: "the request exceeds the available context size",
      type: "exceed_context_size_error",
    }],
    [400, { message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." }],
    [400, { message: "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000" }],
    [400, { message: "This endpoint's maximum context length is 131072 tokens" }],
    [400, { message: "Please reduce the length of the messages or completion." }],
    [400, { message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }],
    [400, { message: "Input is too long for requested model." }],
    [400, { message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" }],
    [400, { message: "Invalid request: Your request exceeded model token limit: 262144" }],
    [400, { message: "too many tokens: size limit exceeded" }],
    [400, { message: "The total number of tokens (prompt + completion) exceeds limit 32768" }],
    [400, { message: "Total tokens of image and text exceed max message tokens" }],
    [400, { message: "`inputs` tokens + `max_new_tokens` must be <= 32768. Given: 40000 `inputs` tokens and 1024" }],
    [400, { message: "prompt token count of 140000 exceeds the limit of 128000" }],
    [400, { message: "Range of input length should be [1, 129024]" }],
    [400, { message: "litellm.ContextWindowExceededError: bad request" }],
    [400, { message: "The input exceeds the maximum allowed input length" }],
    [400, { message: "token limit exceeded" }],
    [400, {
      message: "trying to keep the first 9000 tokens when context the overflows: greater than the context length",
    }],
  ];
  for (const [status, error] of refusals) {
    const { kind, retryable, message } = await failure(refusal(status, error));
    assertEquals([kind, retryable], ["overflow", false], message);
  }
});

Deno.test("post() takes a limit on the reply or on the rate for what it is, not for too large a request", async () => {
  const outputLimit = {
    message: "max_tokens is too large: 999999. This model supports at most 16384 completion tokens",
  };
  assertEquals((await failure(refusal(400, outputLimit))).kind, "invalid_request");
  const range = { message: "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]" };
  assertEquals((await failure(refusal(400, range))).kind, "invalid_request");
  const rate = { message: "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000" };
  assertEquals((await failure(refusal(429, rate))).kind, "rate_limit");
});

Deno.test("post() never shows the key, in whatever form the service gives it back", async () => {
  const forms = [KEY, encodeURIComponent(KEY), btoa(KEY), btoa(KEY).replace(/=+$/, "").replaceAll("/", "_")];
  for (const status of [401, 500]) {
    const { message, detail, stack } = await failure(refusal(status, { message: `bad ${forms.join(" ")} end` }));
    for (const form of forms) assert(!`${message} ${detail} ${stack}`.includes(form), `${form} is in: ${message}`);
    assertStringIncludes(message, "[key]");
  }
});

Deno.test("post() shows a service's words on one line, short and without control characters", async () => {
  const { message } = await failure(refusal(400, { message: `a\u001b[2J\nb\u202ec ${"x".repeat(5000)}` }));
  // deno-lint-ignore no-control-regex -- exactly these must be gone
  assert(!/[\u0000-\u001f\u202e]/.test(message), JSON.stringify(message));
  assert(message.length < 800, `${message.length} characters`);
});

Deno.test("post() does not follow a redirect and asks nothing of where it leads", async () => {
  for (const status of [301, 302, 307, 308]) {
    await using other = new FakeService("stolen");
    const { kind, retryable, message } = await failure({ status, headers: { location: `${other.url}/x` } });
    assertEquals([kind, retryable, other.requests.length], ["invalid_request", false, 0]);
    assertStringIncludes(message, "redirects to another address");
  }
});

Deno.test("post() says that nothing listens at the address, without its query string", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}/v1?token=secret`;
  listener.close();
  const error = await assertRejects(() => drain({ url: "" }, { url }), ApiError);
  assertEquals([error.kind, error.retryable, error.cause], ["network", true, undefined]);
  assertEquals(
    error.message,
    `Cannot reach http://127.0.0.1:${listener.addr.port}: Connection refused, check that a server runs there`,
  );
  assert(!error.message.includes("secret"));
});

Deno.test("post() says that a host has no address, and to look at the base URL", async () => {
  const cause = new Error(
    "error sending request for url (http://h.invalid/?key=secret): client error (Connect): dns error: no such name",
  );
  const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
  const { message, retryable } = await assertRejects(() => drain({ url: "http://h.invalid" }, { fetch }), ApiError);
  assertEquals(retryable, true);
  assertEquals(message, "Cannot reach http://h.invalid: no such name, check the base URL and the network");
});

Deno.test("post() says that a port is one that is never asked", async () => {
  const error = await assertRejects(() => drain({ url: "" }, { url: "http://127.0.0.1:1/v1" }), ApiError);
  assertEquals([error.kind, error.retryable], ["network", true]);
  assertEquals(error.message, "Cannot reach http://127.0.0.1:1: requests to port 1 are blocked, take another port");
});

Deno.test("post() says that the process may not use the network, and asks nobody", async () => {
  const fetch = () => Promise.reject(new Deno.errors.NotCapable('Requires net access to "h:1"'));
  const error = await assertRejects(() => drain({ url: "http://127.0.0.1:1" }, { fetch }), ApiError);
  assertEquals([error.kind, error.retryable], ["network", false]);
  assertStringIncludes(error.message, "--allow-net=127.0.0.1:1");
});

Deno.test("post() fails when the connection breaks in the middle of the reply", async () => {
  const { kind, retryable } = await failure({ pieces: ["data: 1\n\n"], end: "reset" });
  assertEquals([kind, retryable], ["broken_reply", true]);
});

Deno.test("post() says that a web page came in place of a reply", async () => {
  const { message, retryable } = await failure({
    headers: { "content-type": "text/html" },
    pieces: ["<html>hi</html>"],
  });
  assertStringIncludes(message, "answers with a web page, check the base URL");
  assertEquals(retryable, false);
});

Deno.test("post() gives up on a service that begins no answer, after the shorter of two limits", async () => {
  for (const timeouts of [{ connectMs: 4000 }, { silenceMs: 4000 }]) {
    const clock = new FakeClock();
    await using service = new FakeService({ end: "silent" });
    const outcome = assertRejects(() => drain(service, { timeouts, clock }), ApiError);
    await service.request(0);
    clock.advance(3999);
    assertEquals(clock.pending, 2);
    clock.advance(1);
    const { kind, retryable, message } = await outcome;
    assertEquals([kind, retryable], ["timeout", true]);
    assertStringIncludes(message, "within 4 s");
  }
});

Deno.test("post() waits no longer than a moment for what may follow a whole reply", async () => {
  const clock = new FakeClock();
  let whole = false;
  await using service = new FakeService({ pieces: ["data: 1\n\n"], end: "stall" });
  const events = open(service, { clock, isWhole: () => whole });
  await events.next();
  whole = true;
  const end = events.next();
  clock.advance(14_999);
  assertEquals(clock.pending, 2);
  clock.advance(1);
  assertEquals((await end).done, true, "nothing is lost");
});

Deno.test("post() lets a reply that comes in one piece take as long as a whole reply may", async () => {
  const answer = Promise.withResolvers<void>();
  const headers = { "content-type": "application/json" };
  const clock = new FakeClock();
  await using service = new FakeService(async () => (await answer.promise, { headers, pieces: ["{}"] }));
  const events = drain(service, { stream: false, clock, timeouts: { connectMs: 10, silenceMs: 10, replyMs: 1000 } });
  await service.request(0);
  clock.advance(999);
  answer.resolve();
  assertEquals(await events, [{ data: "{}" }]);
});

Deno.test("post() gives up on a reply that stands still, and closes the request", async () => {
  const clock = new FakeClock();
  await using service = new FakeService({ pieces: ["data: 1\n\n"], end: "stall" });
  const events = open(service, { clock });
  await events.next();
  clock.advance(1_000); // the reader is slow: that is no silence of the service
  const outcome = assertRejects(() => events.next(), ApiError, "stood still for 120 s");
  clock.advance(119_999);
  assertEquals(clock.pending, 2);
  clock.advance(1);
  const { kind, retryable } = await outcome;
  assertEquals([kind, retryable], ["timeout", true]);
  await service.requests[0]?.aborted;
});

Deno.test("post() takes comments for signs of life, but only up to the limit for the whole reply", async () => {
  const clock = new FakeClock();
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const comments = gates.flatMap(({ promise }) => [promise, ": keep-alive\n\n"]);
  await using service = new FakeService({ pieces: ["data: 1\n\n", ...comments], end: "stall" });
  const events = open(service, { clock });
  await events.next();
  const outcome = assertRejects(() => events.next(), ApiError, "not complete after 600 s");
  for (const { resolve } of gates) {
    clock.advance(100_000);
    const { uses } = clock;
    resolve();
    while (clock.uses === uses) await clock.nextUse(); // the comment has been read
  }
  clock.advance(100_000);
  await outcome;
});

Deno.test("post() throws the signal's reason, and the service sees the request closed", async () => {
  for (const step of [{ end: "silent" }, { pieces: ["data: 1\n\n"], end: "stall" }] satisfies Step[]) {
    await using service = new FakeService(step);
    const reason = new Error("interrupted");
    const controller = new AbortController();
    const events = drain(service, { signal: controller.signal });
    const { aborted } = await service.request(0);
    controller.abort(reason);
    assertEquals(await assertRejects(() => events), reason);
    await aborted;
  }
});

Deno.test("post() asks nothing when the signal has aborted before", async () => {
  await using service = new FakeService("hello");
  const reason = new Error("interrupted");
  assertEquals(await assertRejects(() => drain(service, { signal: AbortSignal.abort(reason) })), reason);
  assertEquals(service.requests.length, 0);
});

Deno.test("post() closes the request of a reader who leaves early, and leaves no timer behind", async () => {
  await using service = new FakeService({ pieces: ["data: 1\n\n"], end: "stall" });
  const clock = new FakeClock();
  const events = open(service, { clock });
  await events.next();
  const left = events.return(undefined);
  while (!clock.waits.includes(50)) await clock.nextUse();
  clock.advance(50);
  await left;
  await service.requests[0]?.aborted;
  assertEquals(clock.pending, 0);
});

Deno.test("post() waits a moment for the end of a reply, so that the connection can be used again", async () => {
  let connections = 0;
  const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (_request, { remoteAddr }) => {
    if (remoteAddr.port !== lastPort) connections++;
    lastPort = remoteAddr.port;
    return new Response("data: 1\n\ndata: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });
  });
  let lastPort = 0;
  const url = `http://127.0.0.1:${listener.addr.port}/`;
  for (let request = 0; request < 5; request++) {
    for await (const { data } of open({ url }, { url })) if (data === "[DONE]") break;
  }
  await listener.shutdown();
  assertEquals(connections, 1);
});

Deno.test("post() reports a refusal whose body never ends by its status", async () => {
  await using service = new FakeService({ status: 503, pieces: ["busy"], end: "stall" });
  const clock = new FakeClock();
  const outcome = assertRejects(() => drain(service, { clock }), ApiError);
  await service.request(0);
  while (!clock.waits.includes(5000)) await clock.nextUse();
  clock.advance(5000);
  assertEquals((await outcome).status, 503);
});

Deno.test("post() reads no more of a refusal than is needed, and refuses a reply that never ends", async () => {
  const long = await failure({ status: 500, pieces: ["x".repeat(200_000)], end: "stall" });
  assertEquals(long.status, 500);
  const megabyte = `: ${"x".repeat(1024 * 1024)}\n`;
  const flood = await failure({ pieces: Array.from({ length: 70 }, () => megabyte) });
  assertEquals([flood.kind, flood.retryable], ["broken_reply", false]);
});
