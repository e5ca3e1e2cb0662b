/**
 * Long synchronous work in short slices, so that an interrupt is noticed and the screen goes on.
 *
 * @module
 */

const SLICE_MS = 15;

/**
 * Says when to pause, and when to give up.
 *
 * @example
 * ```ts ignore
 * const slices = new TimeSlices(signal, 30_000);
 * for (const item of items) {
 *   work(item);
 *   if (slices.isOver && !await slices.pause()) break;
 * }
 * ```
 */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #deadline: number;
  #end: number;

  /**
   * Begins the first slice.
   *
   * @param limitMs Milliseconds for the whole work.
   * @throws The reason of the signal, if it is aborted.
   */
  constructor(signal: AbortSignal, limitMs = Infinity) {
    signal.throwIfAborted();
    const now = performance.now();
    this.#signal = signal;
    this.#deadline = now + limitMs;
    this.#end = now + SLICE_MS;
  }

  /** Whether it is time to pause. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Whether the time for the whole work is up. */
  get isExpired(): boolean {
    return performance.now() >= this.#deadline;
  }

  /**
   * Lets everything else run, then begins the next slice.
   *
   * @returns Whether there is time left.
   * @throws The reason of the signal, if it was aborted.
   */
  async pause(): Promise<boolean> {
    // a timer: between callbacks of setImmediate no signal of the system is delivered
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
    return !this.isExpired;
  }
}
