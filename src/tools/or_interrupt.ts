/**
 * Waiting that an interrupt ends.
 *
 * @module
 */

/** Waits for one thing, or throws the signal's reason when it aborts, whether or not what is waited for obeys it. */
export async function orInterrupt<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([step, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
