/**
 * Token counts of the chat-completions protocol in our kinds, which exclude each other.
 *
 * @module
 */

import { isRecord } from "./json.ts";
import type { Usage } from "./types.ts";

/**
 * Reads a `usage` object. The protocol counts cached input within the prompt, and reasoning within the completion; some
 * gateways give the counts other names, or write them as texts.
 *
 * @returns `undefined` if it holds no counts: many services send empty ones until the end.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const given = value.prompt_tokens_details ?? value.input_tokens_details;
  const details = isRecord(given) ? given : {};
  const hits = [value.prompt_cache_hit_tokens, details.cached_tokens, value.cached_tokens].map(tokenCount);
  const hit = hits.find((tokens) => tokens > 0) ?? 0;
  const write = tokenCount(details.cache_write_tokens ?? value.cache_creation_input_tokens);
  const prompt = tokenCount(value.prompt_tokens ?? value.input_tokens) ||
    hit + tokenCount(value.prompt_cache_miss_tokens);
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
  const completion = tokenCount(usage.completion_tokens ?? usage.output_tokens);
  const reasoning = tokenCount(details.reasoning_tokens);
  return tokenCount(usage.total_tokens) === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** A count as services write it: a number, or its digits as a text; 0 if it is neither. */
export function tokenCount(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? Math.round(number) : 0;
}
