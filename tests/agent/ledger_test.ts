import { assertAlmostEquals, assertEquals } from "@std/assert";
import { Ledger, type Pricing } from "../../src/agent/ledger.ts";
import type { Usage } from "../../src/llm/types.ts";

const usage: Usage = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 };
/** Twice as dear from noon on; nothing is known of "free". */
const price: Pricing = ({ inputTokens }, model, at) => {
  const total = inputTokens / 1e6 * (at.getHours() >= 12 ? 2 : 1);
  return model === "free" ? undefined : { total, miss: total, hit: 0, output: 0 };
};
const morning = new Date(2026, 10, 30, 9);
const noon = new Date(2026, 10, 30, 12);
const tomorrow = new Date(2026, 11, 1, 9);

Deno.test("Ledger adds up by model, day and tariff", () => {
  const ledger = new Ledger(price);
  for (const at of [morning, noon, morning, tomorrow]) ledger.add(usage, "a", at);
  ledger.add(usage, "free", morning);
  const lines = ledger.entries.map((
    { model, day, tariff, requests, unpriced },
  ) => [model, day, tariff, requests, unpriced]);
  assertEquals(lines, [
    ["a", "2026-11-30", 1, 2, 0],
    ["a", "2026-11-30", 2, 1, 0],
    ["a", "2026-12-01", 1, 1, 0],
    ["free", "2026-11-30", undefined, 1, 1],
  ]);
  assertAlmostEquals(ledger.total, 0.005);
});

Deno.test("Ledger enters again what it has charged, whatever the prices are by then", () => {
  const ledger = new Ledger(price);
  const charges = [morning, noon].map((at) => ledger.add(usage, "a", at));
  const later = new Ledger(() => ({ total: 99, miss: 99, hit: 0, output: 0 }));
  for (const charge of charges) later.enter(usage, JSON.parse(JSON.stringify(charge)));
  assertEquals(later.entries, ledger.entries);
});
