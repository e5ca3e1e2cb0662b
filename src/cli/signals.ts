/**
 * Listening to signals, on systems that know them.
 *
 * @module
 */

/** Calls functions on signals. Returns a function that ends it. */
export function listen(listeners: { readonly [Name in Deno.Signal]?: () => void }): () => void {
  const added: [Deno.Signal, () => void][] = [];
  for (const [signal, listener] of Object.entries(listeners) as [Deno.Signal, () => void][]) {
    try {
      Deno.addSignalListener(signal, listener);
      added.push([signal, listener]);
    } catch {
      // Windows knows few of them, and what does not exist cannot come.
    }
  }
  return () => added.splice(0).forEach(([signal, listener]) => Deno.removeSignalListener(signal, listener));
}

/** Exit codes of a program that a signal has ended: 128 and the signal's number. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGTERM: 143 } as const;
