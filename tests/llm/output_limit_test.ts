import { assertEquals } from "@std/assert";
import { outputLimitIn } from "../../src/llm/output_limit.ts";

const REFUSALS: [words: string, limit: number | undefined][] = [
  [
    "max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.",
    4096,
  ],
  [
    "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022",
    8192,
  ],
  ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
  ["`max_tokens` must be less than or equal to `8,192`, the maximum value for `max_tokens`", 8192],
  ["max_completion_tokens is too large: 16000. This model supports at most 4096 completion tokens.", 4096],
  ["Unable to submit request because it has a maxOutputTokens value of 16000, the range is from 1 to 8193.", 8193],
  ["max_tokens must be at least 1", undefined],
  ["max_tokens is not supported with this model. Use max_completion_tokens instead.", undefined],
  ["temperature must be at most 2, and messages[1024] is empty", undefined],
];

for (const [words, limit] of REFUSALS) {
  Deno.test(`outputLimitIn() reads ${limit} from "${words}"`, () => {
    assertEquals(outputLimitIn(words, 16_000), limit);
  });
}
