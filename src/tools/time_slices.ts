/**
 * Long synchronous work in short slices, so that an interrupt is noticed and the screen goes on.
 *
 * @module
 */

const SLICE_MS = 15;
/** Signals of the system arrive only while the program rests, which costs some milliseconds each time. */
const REST_AFTER_MS = 90;

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
  #rest: number;

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
    this.#rest = now + REST_AFTER_MS;
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
    const isRest = performance.now() >= this.#rest;
    await new Promise<void>((resolve) => isRest ? setTimeout(resolve, 0) : setImmediate(resolve));
    this.#signal.throwIfAborted();
    const now = performance.now();
    this.#end = now + SLICE_MS;
    if (isRest) this.#rest = now + REST_AFTER_MS;
    return !this.isExpired;
  }
}
