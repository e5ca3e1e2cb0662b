/**
 * Puts the results of one reply's calls into the order of the calls. They are recorded in the order in which the calls
 * ended.
 *
 * @module
 */

import type { ToolResultBlock, ToolUseBlock } from "../llm/types.ts";

/** The calls of one reply and the results that have come so far. */
export class CallResults {
  #ids: readonly string[] = [];
  #results = new Map<string, ToolResultBlock[]>();

  /** A reply with these calls has come. */
  expect(calls: readonly ToolUseBlock[]): void {
    this.#ids = calls.map(({ id }) => id);
    this.#results = new Map();
  }

  /** A call was answered. When all calls of its id have an answer, it takes the place of the last one. */
  add(block: ToolResultBlock): void {
    const results = this.#results.get(block.toolUseId) ?? [];
    const calls = this.#ids.filter((id) => id === block.toolUseId).length;
    if (results.length < calls) results.push(block);
    else if (calls > 0) results[calls - 1] = block;
    this.#results.set(block.toolUseId, results);
  }

  /** The results there are, in the order of the calls. Empty when they have been taken. */
  take(): ToolResultBlock[] {
    const results = this.#ids.flatMap((id) => this.#results.get(id)?.shift() ?? []);
    this.expect([]);
    return results;
  }
}
