/**
 * When a conversation is made shorter, and when that is no use.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";

/** How full the context window may be, as a share, before the history is made shorter. */
export const COMPACT_AT = 0.8;

/** Notices when making the history shorter does not help. */
export class CompactionGuard {
  #step = -Infinity;
  #inARow = 0;

  /**
   * The history is about to be made shorter.
   *
   * @param step Model calls so far.
   * @throws {ApiError} If it was just done twice, and the window is full again.
   */
  begin(step: number): void {
    this.#inARow = step - this.#step <= 1 ? this.#inARow + 1 : 1;
    this.#step = step;
    if (this.#inARow > 2) throw tooLong();
  }
}

/** Says that the conversation cannot go on, and what to do. */
export function tooLong(cause?: unknown): ApiError {
  const message = "The conversation does not fit into the model's context window, even when it is made shorter: " +
    "begin a new one (/reset, or start without --continue), or take a model with a larger window (/model, --model)";
  return new ApiError(message, { kind: "overflow", retryable: false, cause });
}
