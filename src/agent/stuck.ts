/**
 * Notices a model that asks for the same thing again and again.
 *
 * @module
 */

import type { ToolResultBlock, ToolUseBlock } from "../llm/types.ts";

/** The model is told after this many equal rounds. */
export const WARN_AFTER = 3;
/** The turn ends after this many equal rounds. */
export const STOP_AFTER = 5;
/** The longest pattern that is noticed: A, A-B, A-B-C. */
const LONGEST_PERIOD = 3;

/** What is added to a result when the model repeats itself. */
export const STUCK_WARNING =
  "You have now made the same calls with the same results several times. Do something else, or finish and say what stops you.";

/** Watches the steps of one turn. */
export class StuckDetector {
  #steps: string[] = [];

  /**
   * Takes in one step and tells how often its pattern has now come in a row, 1 for a new one. Equal calls inside one step
   * count once, so a burst of them is no repetition.
   */
  add(calls: readonly ToolUseBlock[], results: readonly ToolResultBlock[]): number {
    const answers = new Map(results.map((r) => [r.toolUseId, r.content]));
    const parts = calls.map((c) => JSON.stringify([c.name, inAnyOrder(c.input), c.invalid, answers.get(c.id)]));
    this.#steps.push([...new Set(parts)].sort().join("\n"));
    const most = LONGEST_PERIOD * STOP_AFTER;
    if (this.#steps.length > most) this.#steps = this.#steps.slice(-most);
    let repeats = 1;
    for (let period = 1; period <= LONGEST_PERIOD; period++) repeats = Math.max(repeats, this.#repeats(period));
    return repeats;
  }

  #repeats(period: number): number {
    const steps = this.#steps;
    let same = 0;
    while (same < steps.length - period && steps.at(-1 - same) === steps.at(-1 - same - period)) same++;
    return 1 + Math.floor(same / period);
  }
}

/** Models write the same arguments in one order and in another. */
function inAnyOrder(input: unknown): unknown {
  return typeof input === "object" && input !== null ? Object.entries(input).sort() : input;
}
