/**
 * The Messages protocol: one request out, one reply back.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { post, type Timeouts } from "./http.ts";
import { MessagesReply } from "./messages_reply.ts";
import { BINDING_BETA } from "./messages_thinking.ts";
import { toWire } from "./messages_wire.ts";
import type { Service } from "./service_error.ts";
import type { Model, ModelRequest, StreamEvent } from "./types.ts";

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

/** A {@linkcode Model} that speaks the Messages protocol. */
export class MessagesModel implements Model {
  readonly id: string;
  readonly contextWindow: number;
  readonly vision: boolean;
  readonly #options: MessagesOptions;

  constructor(options: MessagesOptions) {
    this.id = options.id;
    this.contextWindow = options.contextWindow;
    this.vision = options.vision ?? false;
    this.#options = options;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const { model, apiKey, stream = true, maxOutput, timeouts, fetch, clock } = this.#options;
    const body = toWire(request, {
      id: this.id,
      model,
      vision: this.vision,
      stream,
      ...(maxOutput !== undefined && { maxOutput }),
    });
    const headers = {
      "anthropic-version": VERSION,
      ...(apiKey !== undefined && { "x-api-key": apiKey }),
      ...(needsBinding(body) && { "anthropic-beta": BINDING_BETA }),
    };
    const reply = new MessagesReply(this.#options);
    const events = post({
      service: this.#options,
      headers,
      body: JSON.stringify(body),
      signal,
      stream,
      ...(timeouts && { timeouts }),
      ...(fetch && { fetch }),
      ...(clock && { clock }),
    });
    for await (const event of events) {
      yield* reply.add(event);
      if (reply.isDone) break;
    }
    const response = reply.finish();
    yield { type: "done", response: { ...response, model: response.model || model } };
  }
}

function needsBinding({ thinking }: { thinking?: unknown }): boolean {
  return (thinking as { block_binding?: unknown } | undefined)?.block_binding !== undefined;
}
