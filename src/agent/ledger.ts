/**
 * What a conversation cost so far, by model.
 *
 * @module
 */

import type { Cost } from "../llm/prices.ts";
import { addUsage, NO_USAGE, type Usage } from "../llm/types.ts";

/** Prices one reply: by the model that answered and the time of the request. Undefined where no price is known. */
export type Pricing = (usage: Usage, model: string, at: Date) => Cost | undefined;

/** One line of the ledger. */
export interface LedgerEntry {
  model: string;
  requests: number;
  usage: Usage;
  cost: Cost;
  /** Requests for which no price is known: the cost leaves them out. */
  unpriced: number;
}

/** Adds up replies by model. */
export class Ledger {
  readonly #price: Pricing;
  readonly #entries = new Map<string, LedgerEntry>();

  constructor(price: Pricing) {
    this.#price = price;
  }

  /** Takes in one reply. */
  add(usage: Usage, model: string, at: Date): void {
    const cost = this.#price(usage, model, at);
    const entry = this.#entries.get(model) ??
      { model, requests: 0, usage: NO_USAGE, cost: { total: 0, miss: 0, hit: 0, output: 0 }, unpriced: 0 };
    this.#entries.set(model, {
      model,
      requests: entry.requests + 1,
      usage: addUsage(entry.usage, usage),
      cost: {
        total: entry.cost.total + (cost?.total ?? 0),
        miss: entry.cost.miss + (cost?.miss ?? 0),
        hit: entry.cost.hit + (cost?.hit ?? 0),
        output: entry.cost.output + (cost?.output ?? 0),
      },
      unpriced: entry.unpriced + (cost ? 0 : 1),
    });
  }

  /** In the order in which the models first answered. */
  get entries(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  /** USD. */
  get total(): number {
    return this.entries.reduce((sum, entry) => sum + entry.cost.total, 0);
  }
}
