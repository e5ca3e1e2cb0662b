/**
 * What a conversation cost so far, by model, day and tariff.
 *
 * @module
 */

import type { Cost } from "../llm/prices.ts";
import { addUsage, NO_USAGE, type Usage } from "../llm/types.ts";
import { isoDay } from "./prompt.ts";

/** Prices one reply: by the model that answered and the time of the request. Undefined where no price is known. */
export type Pricing = (usage: Usage, model: string, at: Date) => Cost | undefined;

/** What one reply was charged at. Plain data that is kept with the reply: prices may change later. */
export interface Charge {
  model: string;
  /** The local calendar day of the request, for example `2026-11-30`. */
  day: string;
  /** USD for a million tokens of input that is not cached: tells the hours of a service apart. */
  tariff?: number;
  /** Absent where no price is known. */
  cost?: Cost;
}

/** One line of the ledger. */
export interface LedgerEntry {
  model: string;
  day: string;
  tariff?: number;
  requests: number;
  usage: Usage;
  cost: Cost;
  /** Requests for which no price is known: the cost leaves them out. */
  unpriced: number;
}

/** Adds up replies by model, day and tariff. */
export class Ledger {
  readonly #price: Pricing;
  readonly #entries = new Map<string, LedgerEntry>();
  #held = 0;

  constructor(price: Pricing) {
    this.#price = price;
  }

  /** Prices one reply and enters it. */
  add(usage: Usage, model: string, at: Date): Charge {
    const cost = this.#price(usage, model, at);
    const rate = this.#price({ ...NO_USAGE, inputTokens: 1_000_000 }, model, at);
    const charge: Charge = { model, day: isoDay(at), ...(rate && { tariff: rate.total }), ...(cost && { cost }) };
    this.enter(usage, charge);
    return charge;
  }

  /** Enters a reply that has been priced before. */
  enter(usage: Usage, { model, day, tariff, cost }: Charge): void {
    const key = JSON.stringify([model, day, tariff]);
    const entry = this.#entries.get(key) ?? {
      model,
      day,
      ...(tariff !== undefined && { tariff }),
      requests: 0,
      usage: NO_USAGE,
      cost: { total: 0, miss: 0, hit: 0, output: 0 },
      unpriced: 0,
    };
    this.#entries.set(key, {
      ...entry,
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

  /** In the order in which they began. */
  get entries(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  /** USD. */
  get total(): number {
    return this.entries.reduce((sum, entry) => sum + entry.cost.total, 0);
  }

  /** USD that requests under way may still cost. */
  get held(): number {
    return this.#held;
  }

  /** Sets aside what a request may cost at most, until its reply is entered or there is none. */
  hold(usd: number): Disposable {
    this.#held += usd;
    return { [Symbol.dispose]: () => void (this.#held -= usd) };
  }

  /** Goes on from another conversation's replies. */
  clear(): void {
    this.#entries.clear();
  }
}
