/**
 * Token counts of the chat-completions protocol in our kinds, which exclude each other.
 *
 * @module
 */

import { isRecord } from "./json.ts";
import type { Usage } from "./types.ts";

/**
 * Reads a `usage` object. The protocol counts cached input within the prompt, and reasoning within the completion.
 *
 * @returns `undefined` if it holds no counts: many services send empty ones until the end.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const details = isRecord(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const hit = count(value.prompt_cache_hit_tokens ?? details.cached_tokens ?? value.cached_tokens);
  const write = count(details.cache_write_tokens ?? value.cache_creation_input_tokens);
  const prompt = count(value.prompt_tokens) || hit + count(value.prompt_cache_miss_tokens);
  const output = outputOf(value, prompt);
  if (prompt === 0 && output === 0) return undefined;
  const cached = Math.min(hit, prompt);
  const written = Math.min(write, prompt - cached);
  return {
    inputTokens: prompt - cached - written,
    outputTokens: output,
    cacheReadTokens: cached,
    cacheWriteTokens: written,
  };
}

/** Some services leave reasoning out of the completion: their total says so. */
function outputOf(usage: Record<string, unknown>, prompt: number): number {
  const details = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const completion = count(usage.completion_tokens);
  const reasoning = count(details.reasoning_tokens);
  return count(usage.total_tokens) === prompt + completion + reasoning ? completion + reasoning : completion;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
