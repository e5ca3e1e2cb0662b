/**
 * The time limits of one request.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import type { Service } from "./service_error.ts";

/** Time limits of one request, in milliseconds. */
export interface Timeouts {
  /** Until the service begins to answer; a reply that comes in one piece may take `replyMs`. */
  connectMs: number;
  /** Without a byte; a comment of the service is one too. */
  silenceMs: number;
  /** For the whole reply, comments and all. */
  replyMs: number;
}

/** The limits where nothing else is set. */
export const DEFAULT_TIMEOUTS: Readonly<Timeouts> = { connectMs: 30_000, silenceMs: 120_000, replyMs: 600_000 };

type Limit = "connect" | "silence" | "reply";

/** Ends a request that takes too long: its signal aborts with an {@linkcode ApiError} that says so. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #cancels = new Map<Limit, () => void>();
  readonly #service: Service;
  readonly #clock: Clock;
  /** When somebody began to wait for the next bytes. */
  #waitingSince: number | undefined;
  /** What the timer counts to. */
  #silenceMs = Infinity;

  constructor(service: Service, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sets a limit from now on, in place of an earlier one of its kind. */
  limit(limit: Limit, ms: number): void {
    this.#after(limit, ms, () => this.#abort(limit, ms));
  }

  lift(limit: Limit): void {
    this.#cancels.get(limit)?.();
    this.#cancels.delete(limit);
  }

  /** Counts silence while this promise is open. One timer serves all waits: to set one for each would cost more. */
  async whileWaiting<T>(promise: Promise<T>, silenceMs: number): Promise<T> {
    this.#waitingSince = this.#clock.now();
    if (!this.#cancels.has("silence") || silenceMs < this.#silenceMs) this.#watchSilence(silenceMs, silenceMs);
    try {
      return await promise;
    } finally {
      this.#waitingSince = undefined;
    }
  }

  /** Lifts all limits and closes the request. */
  end(): void {
    for (const limit of [...this.#cancels.keys()]) this.lift(limit);
    this.#controller.abort();
  }

  #watchSilence(silenceMs: number, ms: number): void {
    this.#silenceMs = silenceMs;
    this.#after("silence", ms, () => {
      if (this.#waitingSince === undefined) return; // whoever waits next sets it again
      const left = this.#waitingSince + silenceMs - this.#clock.now();
      if (left > 0) this.#watchSilence(silenceMs, left);
      else this.#abort("silence", silenceMs);
    });
  }

  #after(limit: Limit, ms: number, callback: () => void): void {
    this.lift(limit);
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(limit);
      callback();
    });
    this.#cancels.set(limit, cancel);
  }

  #abort(limit: Limit, ms: number): void {
    const state = {
      connect: `no answer from ${new URL(this.#service.url).origin} within ${ms / 1000} s`,
      silence: `the reply stood still for ${ms / 1000} s`,
      reply: `the reply was not complete after ${ms / 1000} s`,
    }[limit];
    const error = new ApiError(`Cannot ask "${this.#service.id}": ${state}`, { kind: "timeout", retryable: true });
    this.#controller.abort(error);
  }
}
