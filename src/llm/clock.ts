/**
 * Time as the model wire sees it: handed in, so that tests of waits and limits need not wait.
 *
 * @module
 */

/** Where waits and time limits come from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms` milliseconds. Returns what takes it back. */
  after(ms: number, callback: () => void): () => void;
}

/** The real time. It calls no `setTimeout`: the first call loads Node's timers, a tenth of a start. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const time = AbortSignal.timeout(ms);
    time.addEventListener("abort", callback, { once: true });
    return () => time.removeEventListener("abort", callback);
  },
};

/**
 * Waits.
 *
 * @throws The signal's reason, as soon as it aborts.
 */
export function wait(ms: number, { signal, clock = SYSTEM_CLOCK }: { signal: AbortSignal; clock?: Clock }) {
  return new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
