import { assertEquals } from "@std/assert";
import { type Dialect, dialectOf, DIALECTS, learn } from "../../src/llm/dialect.ts";

Deno.test("dialectOf() recognises services by host or local port", () => {
  const urls: [string, Dialect][] = [
    ["https://api.deepseek.com/chat/completions", DIALECTS.deepseek],
    ["https://api.openai.com/v1/chat/completions", DIALECTS.openai],
    ["https://me.openai.azure.com/x", DIALECTS.openai],
    ["https://openrouter.ai/api/v1/chat/completions", DIALECTS.openrouter],
    ["https://api.mistral.ai/v1/chat/completions", DIALECTS.mistral],
    ["http://127.0.0.1:11434/v1/chat/completions", DIALECTS.ollama],
    ["http://192.168.1.5:11434/v1/chat/completions", DIALECTS.ollama],
    ["http://localhost:8080/v1/chat/completions", DIALECTS.llamacpp],
    ["http://localhost:8000/v1/chat/completions", DIALECTS.vllm],
    ["http://[::1]:1234/v1/chat/completions", DIALECTS.lmstudio],
    ["https://llm.example.org/v1/chat/completions", DIALECTS.plain],
    ["https://notdeepseek.com/v1", DIALECTS.plain],
  ];
  for (const [url, dialect] of urls) assertEquals(dialectOf(url), dialect, url);
});

Deno.test("dialectOf() takes an unknown server on this machine for one with a strict chat template", () => {
  for (const host of ["127.0.0.1:9999", "localhost", "[::1]:5000"]) {
    assertEquals(dialectOf(`http://${host}/v1`), { ...DIALECTS.plain, strictRoles: true });
  }
});

const REFUSALS: [words: string, lesson: Partial<Dialect>][] = [
  [
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    { reasoningAlways: true },
  ],
  ["Missing `reasoning_content` field in the assistant message at message index 2", { reasoningAlways: true }],
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { maxTokens: "max_completion_tokens" },
  ],
  ["Extra inputs are not permitted: stream_options", { streamOptions: false }],
  ["Unrecognized request argument supplied: reasoning_effort", { effort: {} }],
  ["property 'messages.1.reasoning_content' is unsupported", { reasoning: undefined }],
  ["Invalid parameter: 'response_format' of type 'json_schema' is not supported", { schema: "words" }],
  ["Conversation roles must alternate user/assistant/user/assistant/...", { strictRoles: true }],
  ["Tool call id was call_7 but must be a-z, A-Z, 0-9, with a length of 9.", { shortIds: true }],
  ["messages[0].content: unknown variant `image_url`, expected `text`", { images: false }],
];

for (const [words, lesson] of REFUSALS) {
  Deno.test(`learn() learns from "${words}", once`, () => {
    const learnt = learn(DIALECTS.plain, words);
    assertEquals(learnt, { ...DIALECTS.plain, ...lesson });
    assertEquals(learn(learnt!, words), undefined);
  });
}

Deno.test("learn() sends tools without reasoning where a service takes no other", () => {
  const words = "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. " +
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const { effort } = learn(DIALECTS.openai, words)!;
  assertEquals([effort.default, effort.high], [{ reasoning_effort: "none" }, { reasoning_effort: "none" }]);
});

Deno.test("learn() learns nothing from what is no matter of dialect", () => {
  for (const words of ["bad request", "messages[0].role: unknown variant `developer`", "Invalid tool schema", ""]) {
    assertEquals(learn(DIALECTS.plain, words), undefined);
  }
});
