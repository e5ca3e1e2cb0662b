/**
 * What is known about models and their services, as published on the date below. Everything here can be overridden by
 * configuration; nothing of it stands anywhere else in the code.
 *
 * @module
 */

import type { ModelEntry, PeakHours, ProviderEntry } from "./catalog.ts";
import { fixed } from "./dialect.ts";

/** The day to which these facts were true. */
export const AS_OF = "2026-11-30";

/** In the order in which they are taken when nothing is chosen. */
export const PROVIDERS: readonly ProviderEntry[] = [
  {
    name: "deepseek",
    kind: "openai",
    keyVariable: "DEEPSEEK_API_KEY",
    baseUrlVariable: "DEEPSEEK_BASE_URL",
    baseUrl: "https://api.deepseek.com",
    version: "",
    defaultModel: "deepseek-flash",
    dialect: "deepseek",
    topUpUrl: "https://platform.deepseek.com/top_up",
  },
  {
    name: "openai",
    kind: "openai",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-6-sol",
    topUpUrl: "https://platform.openai.com/settings/organization/billing",
  },
  {
    name: "anthropic",
    kind: "anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    defaultModel: "claude-sonnet-5-5",
    topUpUrl: "https://console.anthropic.com/settings/billing",
  },
  { name: "demo", kind: "demo", defaultModel: "demo" },
];

/** Monday to Friday 09:00–12:00 and 14:00–18:00 in Beijing, which is UTC+8 all year, but on no public holiday. */
const DEEPSEEK_PEAK: PeakHours = {
  utcOffsetHours: 8,
  weekdays: [1, 2, 3, 4, 5],
  hours: [[9, 12], [14, 18]],
  // Weekdays only. Days that are not announced yet count as working days: the cost is then shown too high, never too low.
  holidays: [
    "2026-01-01",
    "2026-01-02",
    "2026-02-16",
    "2026-02-17",
    "2026-02-18",
    "2026-02-19",
    "2026-02-20",
    "2026-02-23",
    "2026-04-06",
    "2026-05-01",
    "2026-05-04",
    "2026-05-05",
    "2026-06-19",
    "2026-09-25",
    "2026-10-01",
    "2026-10-02",
    "2026-10-05",
    "2026-10-06",
    "2026-10-07",
    "2027-01-01",
  ],
};

/** OpenAI's chat completions take no tools together with reasoning for these. */
const NO_REASONING = { effort: fixed({ reasoning_effort: "none" }) };

/** Prices in USD per million tokens. */
export const MODELS: readonly ModelEntry[] = [
  {
    provider: "deepseek",
    name: "deepseek-flash",
    contextWindow: 1_000_000,
    maxOutput: 384_000,
    vision: true,
    price: { input: 0.15, cacheRead: 0.003, cacheWrite: 0.15, output: 0.6 },
    peak: { hours: DEEPSEEK_PEAK, factor: 2 },
    aliases: ["deepseek-v4-flash", "deepseek-v4-flash-vision-exp", "deepseek-v4.1-flash"],
  },
  {
    provider: "deepseek",
    name: "deepseek-v4-pro",
    contextWindow: 1_000_000,
    maxOutput: 384_000,
    vision: false,
    price: { input: 0.66, cacheRead: 0.022, cacheWrite: 0.66, output: 1.98 },
    peak: { hours: DEEPSEEK_PEAK, factor: 2 },
  },
  {
    provider: "openai",
    name: "gpt-6-sol",
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 2, cacheRead: 0.2, cacheWrite: 2.5, output: 10 },
    longPrompt: { above: 272_000, price: { input: 4, cacheRead: 0.4, cacheWrite: 5, output: 15 } },
    dialect: NO_REASONING,
  },
  {
    provider: "openai",
    name: "gpt-6-luna",
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 0.1, cacheRead: 0.01, cacheWrite: 0.125, output: 0.5 },
    longPrompt: { above: 272_000, price: { input: 0.2, cacheRead: 0.02, cacheWrite: 0.25, output: 0.75 } },
    dialect: NO_REASONING,
  },
  {
    provider: "openai",
    name: "gpt-5.4",
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 2.5, cacheRead: 0.25, cacheWrite: 2.5, output: 15 },
    longPrompt: { above: 272_000, price: { input: 5, cacheRead: 0.5, cacheWrite: 5, output: 22.5 } },
    dialect: NO_REASONING,
  },
  {
    provider: "openai",
    name: "gpt-5.1",
    contextWindow: 400_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 1.25, cacheRead: 0.125, cacheWrite: 1.25, output: 10 },
  },
  {
    provider: "openai",
    name: "gpt-4.1",
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    vision: true,
    price: { input: 2, cacheRead: 0.5, cacheWrite: 2, output: 8 },
    dialect: { effort: {} },
  },
  {
    provider: "anthropic",
    name: "claude-sonnet-5-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 2, cacheRead: 0.1, cacheWrite: 2.5, output: 10 },
  },
  {
    provider: "anthropic",
    name: "claude-opus-5-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 4, cacheRead: 0.2, cacheWrite: 5, output: 20 },
  },
  {
    provider: "anthropic",
    name: "claude-fable-5-1",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 10, cacheRead: 0.25, cacheWrite: 12.5, output: 50 },
  },
  {
    provider: "anthropic",
    name: "claude-haiku-5-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 0.1, cacheRead: 0.01, cacheWrite: 0.125, output: 0.5 },
    longPrompt: { above: 100_000, price: { input: 0.5, cacheRead: 0.05, cacheWrite: 0.625, output: 2.5 } },
  },
  {
    provider: "anthropic",
    name: "claude-opus-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 5, cacheRead: 0.5, cacheWrite: 6.25, output: 25 },
  },
  {
    provider: "anthropic",
    name: "claude-sonnet-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    vision: true,
    price: { input: 2, cacheRead: 0.2, cacheWrite: 2.5, output: 10 },
  },
  {
    provider: "anthropic",
    name: "claude-haiku-4-5",
    contextWindow: 200_000,
    maxOutput: 64_000,
    vision: true,
    price: { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5 },
  },
  {
    provider: "demo",
    name: "demo",
    contextWindow: 100_000,
    maxOutput: 10_000,
    vision: false,
    price: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  },
];

/** Names that a service has given up, and what to ask for instead. */
export const RETIRED: Readonly<Record<string, string>> = {
  "deepseek-chat": "deepseek-flash",
  "deepseek-reasoner": "deepseek-flash",
};
