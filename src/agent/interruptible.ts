/**
 * An interrupt is obeyed at once, whether or not what is waited for obeys it.
 *
 * @module
 */

/**
 * Yields what an iterable yields, until the signal aborts: then it throws the signal's reason, and what is still under way
 * is ended behind it.
 */
export async function* interruptible<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let interrupt = (): void => {};
  const onAbort = () => interrupt();
  signal.addEventListener("abort", onAbort, { once: true });
  // one listener for all steps: a reply has thousands of them
  const step = () =>
    new Promise<IteratorResult<T>>((resolve, reject) => {
      interrupt = () => reject(signal.reason);
      if (signal.aborted) interrupt();
      iterator.next().then(resolve, reject);
    });
  try {
    for (let result = await step(); !result.done; result = await step()) yield result.value;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a source that does not end must not hold up who has left.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
