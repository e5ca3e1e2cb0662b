/**
 * What a reply cost: by the model that answered and the hour in which it was asked.
 *
 * @module
 */

import { findModel, type ModelEntry, type PeakHours, type Price } from "./catalog.ts";
import type { Usage } from "./types.ts";

/** The money of one reply in USD, by kind of token. */
export interface Cost {
  total: number;
  /** Input that was not cached; writing to the cache included. */
  miss: number;
  /** Cached input. */
  hit: number;
  output: number;
}

/** Prices that the person has set, by model name, for all hours. With `input` alone, cached input costs the same. */
export type PriceOverrides = Readonly<
  Record<string, { price?: { [K in keyof Price]?: number | undefined } | undefined }>
>;

/**
 * Prices the tokens of one reply.
 *
 * @param model The name of the model that answered.
 * @param at When the request was made: some services cost more at some hours.
 * @returns `undefined` if no price is known.
 * @example
 * ```ts
 * const usage = { inputTokens: 200, cacheReadTokens: 800, cacheWriteTokens: 0, outputTokens: 100 };
 * const prices = { m: { price: { input: 1, cacheRead: 0.1, output: 2 } } };
 * console.assert(costOf(usage, "m", new Date(), prices)?.total.toFixed(5) === "0.00048");
 * ```
 */
export function costOf(usage: Usage, model: string, at: Date, overrides: PriceOverrides = {}): Cost | undefined {
  const price = priceOf(usage, model, at, overrides);
  if (!price) return undefined;
  const { inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens } = usage;
  const miss = (inputTokens * price.input + cacheWriteTokens * price.cacheWrite) / 1e6;
  const hit = cacheReadTokens * price.cacheRead / 1e6;
  const output = outputTokens * price.output / 1e6;
  return { total: miss + hit + output, miss, hit, output };
}

function priceOf(usage: Usage, model: string, at: Date, overrides: PriceOverrides): Price | undefined {
  const entry = findModel(model);
  const known = entry && publishedPrice(entry, usage, at);
  const own = overrideOf(model, entry, overrides);
  if (own?.input === undefined && !known) return undefined;
  const input = own?.input ?? known?.input ?? 0;
  return {
    input,
    // A price for input alone holds for all of it: half an override must not mix with another price list.
    cacheRead: own?.cacheRead ?? (own?.input === undefined ? known?.cacheRead : undefined) ?? input,
    cacheWrite: own?.cacheWrite ?? (own?.input === undefined ? known?.cacheWrite : undefined) ?? input,
    output: own?.output ?? known?.output ?? 0,
  };
}

/** The person may name a model as they ask for it or as it answers. */
function overrideOf(model: string, entry: ModelEntry | undefined, overrides: PriceOverrides) {
  const names = [model, ...(entry ? [entry.name, `${entry.provider}/${entry.name}`, ...entry.aliases ?? []] : [])];
  const name = names.find((name) => Object.hasOwn(overrides, name) && overrides[name]?.price);
  return name === undefined ? undefined : overrides[name]?.price;
}

function publishedPrice({ price, longPrompt, peak }: ModelEntry, usage: Usage, at: Date): Price {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { input, cacheRead, cacheWrite, output } = longPrompt && prompt > longPrompt.above ? longPrompt.price : price;
  const factor = peak && isPeak(peak.hours, at) ? peak.factor : 1;
  return {
    input: input * factor,
    cacheRead: cacheRead * factor,
    cacheWrite: cacheWrite * factor,
    output: output * factor,
  };
}

/** Whether a moment lies in the busy hours. */
export function isPeak({ utcOffsetHours, weekdays, hours, holidays }: PeakHours, at: Date): boolean {
  const there = new Date(at.getTime() + utcOffsetHours * 3_600_000); // its UTC fields are the local time there
  const hour = there.getUTCHours();
  return weekdays.includes(there.getUTCDay()) && hours.some(([from, until]) => from <= hour && hour < until) &&
    !holidays.includes(there.toISOString().slice(0, 10));
}
