/**
 * The adapter for services that speak chat completions: DeepSeek, OpenAI and all that call themselves compatible.
 *
 * @module
 */

import { Reply } from "./chat_reply.ts";
import { toWire } from "./chat_request.ts";
import type { Clock } from "./clock.ts";
import { type Dialect, dialectOf, learn } from "./dialect.ts";
import { ApiError } from "./errors.ts";
import { post } from "./http.ts";
import { outputLimitIn } from "./output_limit.ts";
import type { Service } from "./service_error.ts";
import type { ServerSentEvent } from "./sse.ts";
import type { Model, ModelRequest, StreamEvent } from "./types.ts";
import type { Timeouts } from "./watchdog.ts";

/** A model, what is known about it, and how it is reached. */
export interface ChatCompletionsOptions extends Service {
  /** The model's name on the wire. */
  model: string;
  /** Tokens. */
  contextWindow: number;
  /** Tokens of one reply at most. */
  maxOutput?: number;
  vision?: boolean;
  /** Whether replies come in pieces; `true` if left out. */
  stream?: boolean;
  /** What the address does not tell about the service. */
  dialect?: Partial<Dialect>;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof fetch;
  clock?: Clock;
}

/** How often one request is put differently after a refusal. */
const MAX_LESSONS = 4;

/**
 * A {@linkcode Model} that speaks the chat-completions protocol.
 *
 * @example
 * ```ts
 * const model = new ChatCompletionsModel({
 *   id: "openai/qwen3",
 *   model: "qwen3",
 *   url: "http://127.0.0.1:11434/v1/chat/completions",
 *   contextWindow: 32_768,
 * });
 * console.assert(model.contextWindow === 32_768);
 * ```
 */
export class ChatCompletionsModel implements Model {
  readonly id: string;
  readonly contextWindow: number;
  readonly vision: boolean;
  readonly #options: ChatCompletionsOptions;
  #dialect: Dialect;
  /** Tokens. */
  #maxOutput: number;

  constructor(options: ChatCompletionsOptions) {
    this.id = options.id;
    this.contextWindow = options.contextWindow;
    this.vision = options.vision ?? false;
    this.#options = options;
    this.#dialect = { ...dialectOf(options.url), ...options.dialect };
    this.#maxOutput = options.maxOutput ?? Infinity;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    for (let lessons = 0;; lessons++) {
      const reply = new Reply(this.#options, this.#options.model, { hasTools: request.tools.length > 0 });
      let hasBegun = false;
      try {
        for await (const event of this.#post(request, signal, reply)) {
          for (const news of reply.add(event)) {
            hasBegun = true;
            yield news;
          }
          if (reply.isDone) break; // some services leave the connection open
        }
        for (const news of reply.end()) yield news;
        return;
      } catch (error) {
        if (hasBegun || lessons === MAX_LESSONS || !this.#learnFrom(error, request)) throw error;
      }
    }
  }

  /** Whether a refusal teaches another way to put the request: it is put so from then on. */
  #learnFrom(error: unknown, request: ModelRequest): boolean {
    if (!(error instanceof ApiError) || error.kind !== "invalid_request") return false;
    const words = error.detail ?? "";
    const limit = outputLimitIn(words, Math.min(request.maxTokens, this.#maxOutput));
    const dialect = limit === undefined ? learn(this.#dialect, words) : undefined;
    this.#maxOutput = limit ?? this.#maxOutput;
    this.#dialect = dialect ?? this.#dialect;
    return limit !== undefined || dialect !== undefined;
  }

  #post(request: ModelRequest, signal: AbortSignal, reply: Reply): AsyncGenerator<ServerSentEvent> {
    const { id, model, apiKey, stream = true, timeouts, fetch, clock } = this.#options;
    const maxTokens = Math.min(request.maxTokens, this.#maxOutput);
    const target = { id, model, dialect: this.#dialect, vision: this.vision, stream };
    return post({
      service: this.#options,
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      body: JSON.stringify(toWire(target, { ...request, maxTokens })),
      signal,
      stream,
      isWhole: () => reply.isWhole,
      ...(timeouts && { timeouts }),
      ...(fetch && { fetch }),
      ...(clock && { clock }),
    });
  }
}
