/**
 * How a command ended, in the words that end its result.
 *
 * @module
 */

import type { ExitStatus } from "./process.ts";

/** Signals by number, as far as systems agree on them. A shell reports 128 and the number of its child's. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/**
 * The fixed line about the exit status.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(exitLine({ code: 0, signal: null }), "exit 0");
 * assertEquals(exitLine({ code: 139, signal: null }), "exit 139 (SIGSEGV)");
 * ```
 */
export function exitLine({ code, signal }: ExitStatus): string {
  const name = signal ?? SIGNALS[code - 128];
  return name === undefined ? `exit ${code}` : `exit ${code} (${name})`;
}
