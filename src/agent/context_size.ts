/**
 * How full the model's context window is.
 *
 * @module
 */

import type { ModelRequest, ModelResponse } from "../llm/types.ts";

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

/**
 * Tokens that the next request will hold: what was last counted, and an estimate of what came since. Where nothing was
 * counted yet, all of it is estimated.
 */
export function contextTokens({ system, tools, messages }: Sized, measured?: Measured): number {
  const definitions = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  const added = measured ? messages.slice(measured.messages) : [system, definitions, ...messages];
  const characters = added.length === 0 ? 0 : JSON.stringify(added).length;
  return (measured?.tokens ?? 0) + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** What is counted. */
export type Sized = Pick<ModelRequest, "system" | "tools" | "messages">;
