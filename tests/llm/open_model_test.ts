import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ApiError, ConfigError } from "../../src/llm/errors.ts";
import { endpointUrl, openModel, type OpenModelOptions } from "../../src/llm/open_model.ts";
import { create, type ModelRequest } from "../../src/llm/types.ts";
import { chatReply, FakeService, refusal } from "../testing/fake_service.ts";

const signal = new AbortController().signal;
const request: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [],
  maxTokens: 500_000,
};

const ADDRESSES: [kind: "openai" | "anthropic", given: string, asked: string][] = [
  // [B146]
  ["openai", "http://h:1/v1", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1/v1/", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1/v1//", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1/api/v3", "http://h:1/api/v3/chat/completions"],
  ["openai", "http://h:1/v1/chat/completions", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1/v1?api-version=2", "http://h:1/v1/chat/completions?api-version=2"],
  ["openai", "  http://h:1/v1  ", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1/", "http://h:1/v1/chat/completions"],
  ["openai", "http://h:1?k=1", "http://h:1/v1/chat/completions?k=1"],
  ["openai", "http://h:1/v1/chat/completions/?k=1#x", "http://h:1/v1/chat/completions?k=1"],
  ["openai", "https://H.example/deployments/m", "https://h.example/deployments/m/chat/completions"],
  ["anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"],
  ["anthropic", "https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages"],
  ["anthropic", "https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1/messages"],
  ["anthropic", "http://h:1/v1/messages", "http://h:1/v1/messages"],
  ["anthropic", "http://h:1/v1/messages?beta=true", "http://h:1/v1/messages?beta=true"],
];

for (const [kind, given, asked] of ADDRESSES) {
  Deno.test(`endpointUrl() makes of "${given}" an address for ${kind}`, () => {
    assertEquals(endpointUrl(kind, given), asked);
  });
}

Deno.test("endpointUrl() refuses what is no http address, and shows no password", () => {
  const refused: [given: string, shown: string][] = [
    ["localhost:1234/v1", `"localhost:1234/v1"`],
    ["api.example.com", `"api.example.com"`],
    ["", `""`],
    ["ftp://h/v1", `"ftp:"`],
    ["file:///etc/passwd", `"file:"`],
    ["https://me:secret@h/v1", `"h"`],
    ["https://secret@h/v1", `"h"`],
    ["me:secret@h?key=secret", `"me:"`],
    ["secret@h?key=secret", `"h"`],
  ];
  for (const [given, shown] of refused) {
    const { message } = assertThrows(() => endpointUrl("openai", given), ConfigError);
    assertStringIncludes(message, `Cannot use the base URL`);
    assertStringIncludes(message, shown);
    assert(!message.includes("secret"), message);
  }
});

/** What a model that is opened so asks of its service. */
async function asked(options: OpenModelOptions) {
  await using service = new FakeService(chatReply({ text: "ok" }));
  await create(openModel({ baseUrl: service.url, ...options }), request, signal);
  return service.requests[0]!;
}

Deno.test("openModel() opens DeepSeek's default model as the catalogue knows it", async () => {
  const model = openModel({ provider: "deepseek", model: "deepseek-flash", apiKey: "k" });
  assertEquals([model.id, model.contextWindow, model.vision], ["deepseek/deepseek-flash", 1_000_000, true]);
  const { path, headers, body } = await asked({ provider: "deepseek", model: "deepseek-flash", apiKey: " k7 \n" });
  assertEquals([path, headers.get("authorization")], ["/chat/completions", "Bearer k7"]);
  assertEquals([body.model, body.max_tokens, body.stream], ["deepseek-flash", 384_000, true]);
});

Deno.test("openModel() speaks DeepSeek's dialect at whatever address DeepSeek is reached", async () => {
  const fetch: typeof globalThis.fetch = (_url, init) => {
    const { thinking, reasoning_effort } = JSON.parse(String(init?.body));
    assertEquals([thinking, reasoning_effort], [{ type: "enabled" }, "max"]);
    return Promise.resolve(new Response(chatReply({ text: "ok" }).pieces.join("")));
  };
  const model = openModel({ provider: "deepseek", model: "m", apiKey: "k", baseUrl: "http://127.0.0.1:9/x", fetch });
  await create(model, { ...request, effort: "max" }, signal);
});

Deno.test("openModel() lets the person know better than the catalogue", async () => {
  const own = { contextWindow: 7000, maxOutput: 700, vision: false, stream: false };
  const model = openModel({ provider: "deepseek", model: "deepseek-flash", apiKey: "k", ...own });
  assertEquals([model.contextWindow, model.vision], [7000, false]);
  const { body } = await asked({ provider: "deepseek", model: "deepseek-flash", apiKey: "k", ...own });
  assertEquals([body.max_tokens, body.stream], [700, false]);
});

Deno.test("openModel() opens a model that nobody knows, and a provider of the person's own", () => {
  const model = openModel({ provider: "openai", model: "qwen3", baseUrl: "http://127.0.0.1:11434" });
  assertEquals([model.id, model.contextWindow], ["openai/qwen3", 128_000]);
  const provider = {
    name: "mine",
    kind: "anthropic",
    baseUrl: "https://h.example/x",
    keyVariable: "MINE_KEY",
  } as const;
  const own = openModel({ provider, model: "claude-sonnet-5-5", apiKey: "k" });
  assertEquals([own.id, own.contextWindow], ["mine/claude-sonnet-5-5", 128_000]);
});

Deno.test("openModel() speaks the messages protocol where the provider does", async () => {
  const options = { provider: "anthropic", model: "claude-sonnet-5-5", apiKey: "k" };
  assertEquals(openModel(options).contextWindow, 1_000_000);
  const paths: string[] = [];
  const fetch: typeof globalThis.fetch = (url) => {
    paths.push(new URL(String(url)).pathname);
    return Promise.reject(new TypeError("no network here"));
  };
  await assertRejects(() => create(openModel({ ...options, fetch }), request, signal), ApiError);
  assertEquals(paths, ["/v1/messages"]);
});

Deno.test("openModel() opens the demo model, which needs nothing", async () => {
  const model = openModel({ provider: "demo", model: "demo" });
  assertEquals([model.id, model.contextWindow], ["demo/demo", 128_000]);
  assertEquals((await create(model, request, signal)).model, "demo");
});

Deno.test("openModel() sends no key to a local server that was given none", async () => {
  const { path, headers } = await asked({ provider: "openai", model: "m" });
  assertEquals([path, headers.get("authorization")], ["/v1/chat/completions", null]);
});

Deno.test("openModel() says which variable is missing, and which provider there is none of", () => {
  const open = (options: OpenModelOptions) => assertThrows(() => openModel(options), ConfigError).message;
  assertStringIncludes(open({ provider: "openai", model: "m" }), "no key, set OPENAI_API_KEY");
  assertStringIncludes(open({ provider: "deepseek", model: "m", apiKey: "  " }), "no key, set DEEPSEEK_API_KEY");
  assertStringIncludes(open({ provider: "nobody", model: "m" }), `provider "nobody"`);
});

Deno.test("openModel() refuses a misshapen key by the name of its variable, and never shows it", () => {
  for (const apiKey of ["sk-1\nsk-2", "sk-1 sk-2", "sk-1\t2", "sk-1é", "“sk-1”", "sk-1\u0000", "sk-1\u200b"]) {
    const { message } = assertThrows(() => openModel({ provider: "deepseek", model: "m", apiKey }), ConfigError);
    assertStringIncludes(message, "DEEPSEEK_API_KEY");
    assert(!message.includes("sk-"), message);
  }
});

Deno.test("openModel() tells the model what to say when the account is empty or the key is wrong", async () => {
  for (
    const [status, words] of [[402, "https://platform.deepseek.com/top_up"], [401, "set DEEPSEEK_API_KEY"]] as const
  ) {
    await using service = new FakeService(refusal(status, { message: "no" }));
    const model = openModel({ provider: "deepseek", model: "m", apiKey: "k", baseUrl: service.url });
    const { message } = await assertRejects(() => create(model, request, signal), ApiError);
    assertStringIncludes(message, words);
  }
});
