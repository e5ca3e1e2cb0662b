/**
 * Finds what is known about a model or a provider.
 *
 * @module
 */

import { MODELS, PROVIDERS } from "./catalog_data.ts";
import type { Dialect, DIALECTS } from "./dialect.ts";

export { AS_OF, MODELS, PROVIDERS, RETIRED } from "./catalog_data.ts";

/** The protocol of a provider; `demo` needs none. */
export type ProviderKind = "openai" | "anthropic" | "demo";

/** A model service. */
export interface ProviderEntry {
  name: string;
  kind: ProviderKind;
  /** The environment variable that holds the key. */
  keyVariable?: string;
  /** The environment variable that can hold another address. */
  baseUrlVariable?: string;
  baseUrl?: string;
  /** What stands before the endpoint when an address has no path; `/v1` if left out. */
  version?: string;
  defaultModel: string;
  /** How it speaks, where its address does not tell: it may be reached through another one. */
  dialect?: keyof typeof DIALECTS;
  /** Where the account is topped up. */
  topUpUrl?: string;
}

/** USD per million tokens. */
export interface Price {
  /** Input that was not cached. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** Output, thinking included. */
  output: number;
}

/** When a service is busy and costs more. */
export interface PeakHours {
  /** The hours below are in this zone. */
  utcOffsetHours: number;
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** From and until, in hours of the day. */
  hours: readonly (readonly [from: number, until: number])[];
  /** Days there as `YYYY-MM-DD` that have no peak. */
  holidays: readonly string[];
}

/** A model. */
export interface ModelEntry {
  provider: string;
  name: string;
  /** Tokens of request and reply together. */
  contextWindow: number;
  /** Tokens of one reply at most. */
  maxOutput: number;
  vision: boolean;
  price: Price;
  /** Within these hours the price is multiplied. */
  peak?: { hours: PeakHours; factor: number };
  /** The price of requests with more input tokens than this. */
  longPrompt?: { above: number; price: Price };
  /** Other names under which it answers. */
  aliases?: readonly string[];
  /** What its service does differently for it. */
  dialect?: Partial<Dialect>;
}

/** The provider of this name. */
export function findProvider(name: string): ProviderEntry | undefined {
  return PROVIDERS.find((provider) => provider.name === name);
}

/**
 * The model of this name: its own, another one that it has, or one of these with a date or build behind it, as services
 * give it. A vendor in front, as gateways write it, does not matter.
 *
 * @example
 * ```ts
 * console.assert(findModel("claude-haiku-4-5-20251001")?.name === "claude-haiku-4-5");
 * ```
 */
export function findModel(name: string): ModelEntry | undefined {
  const bare = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return MODELS.find((model) => namesOf(model).includes(bare)) ??
    MODELS.find((model) => namesOf(model).some((known) => isBuildOf(bare, known)));
}

function namesOf({ name, aliases = [] }: ModelEntry): readonly string[] {
  return [name, ...aliases];
}

function isBuildOf(name: string, known: string): boolean {
  return name.startsWith(known) && /^[-@:]?(\d{4,8}(-\d\d-\d\d)?|latest)$/.test(name.slice(known.length));
}
