/**
 * What the exit status says.
 *
 * @module
 */

/** Exit codes of the program; a signal's is 128 plus its number. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Finished, but a call that was needed was denied. */
  denied: 3,
  /** Step limit or stuck loop. */
  limit: 4,
  budget: 5,
  /** The model service was unavailable after all retries. */
  unavailable: 75,
  /** The terminal has gone (SIGHUP). */
  hungUp: 129,
  interrupted: 130,
  /** The reader of standard output has gone (SIGPIPE). */
  pipe: 141,
  terminated: 143,
} as const;
