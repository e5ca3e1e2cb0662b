/**
 * The Messages protocol: one request out, one reply back.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import { post } from "./http.ts";
import { MessagesReply } from "./messages_reply.ts";
import { BINDING_BETA } from "./messages_thinking.ts";
import { toWire } from "./messages_wire.ts";
import { outputLimitIn } from "./output_limit.ts";
import type { Service } from "./service_error.ts";
import type { ServerSentEvent } from "./sse.ts";
import type { Model, ModelRequest, StreamEvent } from "./types.ts";
import type { Timeouts } from "./watchdog.ts";

/** A model and how to reach it. */
export interface MessagesOptions extends Service {
  /** The model's name as the service knows it. */
  model: string;
  /** Tokens. */
  contextWindow: number;
  vision?: boolean;
  /** Tokens of a reply at most. */
  maxOutput?: number;
  /** Whether to ask for the reply in pieces; `true` if left out. */
  stream?: boolean;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof fetch;
  clock?: Clock;
}

const VERSION = "2023-06-01";

/** What a service turned out not to take: learnt from its refusals, and kept to from then on. */
interface Manners {
  /** The fields that say how much to think. */
  thinkingFields: boolean;
  /** Thinking of earlier replies. */
  earlierThinking: boolean;
  /** Tokens of a reply at most. */
  maxOutput: number;
}

/**
 * A {@linkcode Model} that speaks the Messages protocol.
 *
 * @example
 * ```ts
 * const model = new MessagesModel({
 *   id: "anthropic/claude-sonnet-5-5",
 *   model: "claude-sonnet-5-5",
 *   url: "http://127.0.0.1:8080/v1/messages",
 *   contextWindow: 1_000_000,
 * });
 * console.assert(model.contextWindow === 1_000_000);
 * ```
 */
export class MessagesModel implements Model {
  readonly id: string;
  readonly contextWindow: number;
  readonly vision: boolean;
  readonly #options: MessagesOptions;
  #manners: Manners;

  constructor(options: MessagesOptions) {
    this.id = options.id;
    this.contextWindow = options.contextWindow;
    this.vision = options.vision ?? false;
    this.#options = options;
    this.#manners = { thinkingFields: true, earlierThinking: true, maxOutput: options.maxOutput ?? Infinity };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const reply = new MessagesReply(this.#options, this.#options.model);
    for await (const event of this.#post(request, signal, reply)) {
      yield* reply.add(event);
      if (reply.isDone) break;
    }
    yield* reply.end();
  }

  /** Sends the request; where the service cannot take something in it, once more without that. */
  async *#post(
    request: ModelRequest,
    signal: AbortSignal,
    reply: MessagesReply,
  ): AsyncGenerator<ServerSentEvent> {
    const { apiKey, stream = true, timeouts, fetch, clock } = this.#options;
    const limits = { ...(timeouts && { timeouts }), ...(fetch && { fetch }), ...(clock && { clock }) };
    while (true) {
      const body = this.#body(request, stream);
      const headers = {
        "anthropic-version": VERSION,
        ...(apiKey && { "x-api-key": apiKey }),
        ...(body.thinking?.block_binding && { "anthropic-beta": BINDING_BETA }),
      };
      try {
        const sent = { service: this.#options, headers, body: JSON.stringify(body), signal, stream };
        return yield* post({ ...sent, ...limits, isWhole: () => reply.isWhole });
      } catch (error) {
        const isRefusal = error instanceof ApiError && error.kind === "invalid_request";
        const lesson = isRefusal && learn(this.#manners, error.detail ?? "", request.maxTokens);
        if (!lesson) throw error;
        this.#manners = lesson;
      }
    }
  }

  #body(request: ModelRequest, stream: boolean) {
    const { model } = this.#options;
    const { thinkingFields, earlierThinking, maxOutput } = this.#manners;
    return toWire(request, {
      ...(earlierThinking && { id: this.id }),
      model,
      vision: this.vision,
      stream,
      thinks: thinkingFields,
      maxOutput,
    });
  }
}

/** What a refusal teaches, or `undefined` if it is about something else or was known before. */
function learn(manners: Manners, refusal: string, maxTokens: number): Manners | undefined {
  const limit = outputLimitIn(refusal, Math.min(maxTokens, manners.maxOutput));
  if (limit !== undefined && !/thinking|budget_tokens/i.test(refusal)) return { ...manners, maxOutput: limit };
  const isAboutBlocks = /signature|messages\.\d+|different conversation/i.test(refusal) && /thinking/i.test(refusal);
  if (isAboutBlocks && manners.earlierThinking) return { ...manners, earlierThinking: false };
  const isAboutFields = /thinking|budget_tokens|output_config|effort|beta/i.test(refusal);
  return isAboutFields && manners.thinkingFields ? { ...manners, thinkingFields: false } : undefined;
}
