/**
 * The bytes of a reply: bounded, and watched while somebody waits for them.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import type { Service } from "./service_error.ts";
import type { Watchdog } from "./watchdog.ts";

/** Who answers, and how long may be waited for more. */
export interface ReplyBodyOptions {
  service: Service;
  watchdog: Watchdog;
  silenceMs(): number;
  clock: Clock;
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** How long the end of a reply may take to arrive once nobody needs more of it. */
const SETTLE_MS = 50;

/** Reads one reply. */
export class ReplyBody {
  /** Held while its body is read: once it is collected, its signal does not end the body any more. */
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: ReplyBodyOptions;
  #size = 0;
  #isAtEnd = false;

  /** @param response Has a body, of which nothing is read yet. */
  constructor(response: Response, options: ReplyBodyOptions) {
    this.response = response;
    this.#reader = response.body!.getReader();
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
      result = await watchdog.whileWaiting(this.#reader.read(), silenceMs());
    } catch (error) {
      watchdog.signal.throwIfAborted();
      throw this.#failure("the connection broke", { retryable: true, cause: error });
    }
    this.#isAtEnd = result.done;
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

  /**
   * Waits a moment for the end of a reply that is read as far as anybody needs: the connection can then serve the next
   * request, where closing it would cost a new one.
   */
  async settle(): Promise<void> {
    const { watchdog, clock } = this.#options;
    if (this.#isAtEnd || watchdog.signal.aborted) return;
    const time = Promise.withResolvers<void>();
    const cancel = clock.after(SETTLE_MS, time.resolve);
    await Promise.race([this.#reader.read().catch(() => {}), time.promise]);
    cancel();
  }

  #failure(state: string, options: { retryable: boolean; cause?: unknown }): ApiError {
    return new ApiError(`Cannot read the reply of "${this.#options.service.id}": ${state}`, {
      kind: "broken_reply",
      ...options,
    });
  }
}
