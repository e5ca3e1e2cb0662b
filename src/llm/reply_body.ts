/**
 * The bytes of a reply: bounded, and watched while somebody waits for them.
 *
 * @module
 */

import { ApiError } from "./errors.ts";
import type { Service } from "./service_error.ts";
import type { Watchdog } from "./watchdog.ts";

/** Who answers, and how long may be waited for more. */
export interface ReplyBodyOptions {
  service: Service;
  watchdog: Watchdog;
  silenceMs: number;
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Reads one reply. */
export class ReplyBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: ReplyBodyOptions;
  #size = 0;

  constructor(body: ReadableStream<Uint8Array>, options: ReplyBodyOptions) {
    this.#reader = body.getReader();
    this.#options = options;
  }

  /**
   * The next bytes, or `undefined` at the end.
   *
   * @throws {ApiError} If the connection breaks, keeps silent for too long, or brings more than a reply may hold.
   */
  async next(): Promise<Uint8Array | undefined> {
    const { watchdog, silenceMs } = this.#options;
    let result: ReadableStreamReadResult<Uint8Array>;
    try {
      result = await watchdog.whileWaiting(this.#reader.read(), silenceMs);
    } catch (error) {
      watchdog.signal.throwIfAborted();
      throw this.#failure("the connection broke", { retryable: true, cause: error });
    }
    this.#size += result.value?.length ?? 0;
    if (this.#size > MAX_REPLY_BYTES) {
      throw this.#failure(`it is larger than ${MAX_REPLY_BYTES} bytes`, { retryable: false });
    }
    return result.value;
  }

  /** All of it as text, or what comes until there are `maxBytes`. */
  async text(maxBytes = Infinity): Promise<string> {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    for (let bytes = await this.next(); bytes; bytes = await this.next()) {
      pieces.push(decoder.decode(bytes, { stream: true }));
      if (this.#size >= maxBytes) break;
    }
    return pieces.join("");
  }

  #failure(state: string, options: { retryable: boolean; cause?: unknown }): ApiError {
    return new ApiError(`Cannot read the reply of "${this.#options.service.id}": ${state}`, {
      kind: "broken_reply",
      ...options,
    });
  }
}
