/**
 * Notices that a service answers with another model than the one asked for: some do so for a name that they do not know.
 *
 * @module
 */

import { findModel } from "../llm/catalog.ts";

/** Says each such pair of models once. */
export class UnexpectedModels {
  readonly #said = new Set<string>();

  /**
   * What to say about a reply, if anything.
   *
   * @param asked The name that was sent.
   * @param answered The name that the service gave.
   */
  notice(asked: string, answered: string): string | undefined {
    const other = findModel(answered);
    if (!other || other.name === (findModel(asked)?.name ?? asked)) return undefined;
    const pair = `${asked} ${answered}`;
    if (this.#said.has(pair)) return undefined;
    this.#said.add(pair);
    return `"${asked}" was asked, "${answered}" answers: the cost is that model's`;
  }
}
