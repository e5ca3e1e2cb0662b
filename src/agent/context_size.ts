/**
 * How full the model's context window is.
 *
 * @module
 */

import type { Model, ModelRequest, ModelResponse } from "../llm/types.ts";

/** Characters of text and code that make a token, about. */
const CHARACTERS_PER_TOKEN = 4;

/** What the service last said about the size of the conversation. */
export interface Measured {
  /** Tokens of the last request and its reply. */
  tokens: number;
  /** Messages in the history when the reply had been appended. */
  messages: number;
}

/** The size after a reply, by the service's own count; none from a service that does not count. */
export function measure({ usage }: ModelResponse, messages: number): Measured | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  return input === 0 ? undefined : { tokens: input + outputTokens, messages };
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

/** A share of what is estimated: it may be more. */
const ESTIMATE_MARGIN = 0.2;
/** A reply is never allowed less than this, unless less is wanted. */
const MIN_REPLY_TOKENS = 1024;

/** Tokens that a reply may have so that it fits into the window beside its request. */
export function replyTokens(wanted: number, { window, context, isMeasured }: ReplyRoom): number {
  const room = Math.floor(window - context * (isMeasured ? 1 : 1 + ESTIMATE_MARGIN));
  return Math.min(wanted, Math.max(room, MIN_REPLY_TOKENS));
}

/** What a reply has to fit into. In tokens. */
export interface ReplyRoom {
  window: number;
  /** Of the request. */
  context: number;
  /** Whether the service has counted most of it. */
  isMeasured: boolean;
}

/** The windows of models as far as they are known: a service may tell that one is smaller. */
export class ContextWindows {
  readonly #told = new Map<string, number>();

  /** Tokens. */
  of({ id, contextWindow }: Pick<Model, "id" | "contextWindow">): number {
    return Math.min(contextWindow, this.#told.get(id) ?? Infinity);
  }

  /** Learns from the words of a refusal. */
  async learn({ id }: Pick<Model, "id">, refusal: string): Promise<void> {
    const { contextWindowIn } = await import("../llm/window_limit.ts");
    const tokens = contextWindowIn(refusal);
    if (tokens !== undefined) this.#told.set(id, tokens);
  }
}

/** What is counted. */
export type Sized = Pick<ModelRequest, "system" | "tools" | "messages">;
