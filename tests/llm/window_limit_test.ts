import { assertEquals } from "@std/assert";
import { contextWindowIn } from "../../src/llm/window_limit.ts";

const REFUSALS: [words: string, tokens: number | undefined][] = [
  ["prompt is too long: 202952 tokens > 200000 maximum", 200_000],
  ["This model's maximum context length is 65536 tokens. However, you requested 70120 tokens", 65_536],
  ["The prompt is too long: 267657, model maximum context length: 262143", 262_143],
  ["input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length", 200_000],
  [
    "'max_tokens' is too large: 16000. This model's maximum context length is 8192 tokens and your request has 2500",
    8192,
  ],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
  ["request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096],
  ["Prompt contains 40000 tokens, too large for model with 32,768 maximum context length", 32_768],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["Your request exceeded model token limit: 262144", 262_144],
  ["Your input exceeds the context window of this model.", undefined],
  ["the request exceeds the available context size", undefined],
  ["Request Entity Too Large", undefined],
];

for (const [words, tokens] of REFUSALS) {
  Deno.test(`contextWindowIn() reads ${tokens} from "${words}"`, () => {
    assertEquals(contextWindowIn(words), tokens);
  });
}
