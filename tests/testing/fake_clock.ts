/**
 * Time that stands still until a test moves it.
 *
 * @module
 */

import type { Clock } from "../../src/llm/clock.ts";

/** A {@linkcode Clock} for tests. */
export class FakeClock implements Clock {
  /** The waits that were asked for, in milliseconds. */
  readonly waits: number[] = [];
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  #now: number;
  #used = Promise.withResolvers<void>();
  /** How often somebody looked at it or set a timer. */
  uses = 0;

  constructor(now = Date.parse("2026-11-30T12:00:00Z")) {
    this.#now = now;
  }

  now(): number {
    this.#use();
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.waits.push(ms);
    this.#timers.add(timer);
    this.#use();
    return () => this.#timers.delete(timer);
  }

  /** How many timers are running. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Settles when somebody looks at it or sets a timer the next time. */
  async nextUse(): Promise<void> {
    await this.#used.promise;
  }

  #use(): void {
    this.uses++;
    this.#used.resolve();
    this.#used = Promise.withResolvers();
  }

  /** Lets time pass: what falls due is called, in order. */
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}

/** A clock on which every wait is over at once. */
export function hastyClock(now?: number): FakeClock {
  const clock = new FakeClock(now);
  const after = clock.after.bind(clock);
  clock.after = (ms, callback) => {
    const cancel = after(ms, callback);
    queueMicrotask(() => clock.advance(ms));
    return cancel;
  };
  return clock;
}
