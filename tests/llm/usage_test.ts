import { assertEquals } from "@std/assert";
import { readUsage } from "../../src/llm/usage.ts";

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});

Deno.test("readUsage() leaves cached input out of the input [B106]", () => {
  const deepseek = {
    prompt_tokens: 1000,
    completion_tokens: 100,
    total_tokens: 1100,
    prompt_cache_hit_tokens: 800,
    prompt_cache_miss_tokens: 200,
    prompt_tokens_details: { cached_tokens: 800 },
  };
  assertEquals(readUsage(deepseek), usage(200, 100, 800));
  const openai = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 600 } };
  assertEquals(readUsage(openai), usage(400, 100, 600));
  assertEquals(readUsage({ prompt_tokens: 1000, completion_tokens: 100, cached_tokens: 600 }), usage(400, 100, 600));
  assertEquals(readUsage({ prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 }), usage(200, 0, 800));
});

Deno.test("readUsage() counts what was written to a cache apart", () => {
  const details = { cached_tokens: 600, cache_write_tokens: 300 };
  assertEquals(
    readUsage({ prompt_tokens: 1000, completion_tokens: 1, prompt_tokens_details: details }),
    usage(100, 1, 600, 300),
  );
});

Deno.test("readUsage() counts reasoning once", () => {
  const within = { completion_tokens: 100, completion_tokens_details: { reasoning_tokens: 60 } };
  assertEquals(readUsage({ prompt_tokens: 10, total_tokens: 110, ...within }), usage(10, 100));
  assertEquals(readUsage({ prompt_tokens: 10, ...within }), usage(10, 100));
  const beside = { completion_tokens: 40, completion_tokens_details: { reasoning_tokens: 60 } };
  assertEquals(readUsage({ prompt_tokens: 10, total_tokens: 110, ...beside }), usage(10, 100));
});

Deno.test("readUsage() takes empty counts for none, and impossible ones not at their word", () => {
  for (
    const empty of [undefined, null, {}, [], "x", { prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: null }]
  ) {
    assertEquals(readUsage(empty), undefined);
  }
  assertEquals(readUsage({ prompt_tokens: 10, completion_tokens: -5, cached_tokens: 50 }), usage(0, 0, 10));
  assertEquals(readUsage({ prompt_tokens: "many", completion_tokens: 3, prompt_tokens_details: null }), usage(0, 3));
});

Deno.test("readUsage() reads counts that are texts, and those under the names of other protocols", () => {
  const texts = { prompt_tokens: "1000", completion_tokens: "100", prompt_tokens_details: { cached_tokens: "600" } };
  assertEquals(readUsage(texts), usage(400, 100, 600));
  const other = { input_tokens: 1000, output_tokens: 100, input_tokens_details: { cached_tokens: 600 } };
  assertEquals(readUsage(other), usage(400, 100, 600));
});

Deno.test("readUsage() believes the field that tells of cached input, not one that is 0 beside it", () => {
  const fields = { prompt_cache_hit_tokens: 0, prompt_tokens_details: { cached_tokens: 600 } };
  assertEquals(readUsage({ prompt_tokens: 1000, completion_tokens: 1, ...fields }), usage(400, 1, 600));
});
