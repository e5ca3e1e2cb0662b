/**
 * How full the model's context window is.
 *
 * @module
 */

import type { Message, ModelResponse } from "../llm/types.ts";

/** Characters of text and code that make a token, about. */
const CHARACTERS_PER_TOKEN = 4;

/** What the service last said about the size of the conversation. */
export interface Measured {
  /** Tokens of the last request and its reply. */
  tokens: number;
  /** Messages in the history when the reply had been appended. */
  messages: number;
}

/** The size after a reply, by the service's own count. */
export function measure({ usage }: ModelResponse, messages: number): Measured {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return { tokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens, messages };
}

/** Tokens that the next request will hold: what was last counted, and an estimate of what came since. */
export function contextTokens(messages: readonly Message[], measured: Measured = { tokens: 0, messages: 0 }): number {
  const added = messages.slice(measured.messages);
  const characters = added.length === 0 ? 0 : JSON.stringify(added).length;
  return measured.tokens + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
