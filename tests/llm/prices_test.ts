import { assertAlmostEquals, assertEquals } from "@std/assert";
import { findModel } from "../../src/llm/catalog.ts";
import { costOf } from "../../src/llm/prices.ts";
import { NO_USAGE } from "../../src/llm/types.ts";

const usage = { inputTokens: 200, cacheReadTokens: 800, cacheWriteTokens: 0, outputTokens: 100 };
const million = { inputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 0, outputTokens: 1e6 };
const OFF_PEAK = new Date("2026-11-28T02:00:00Z"); // a Saturday

/** What the million of each kind costs at this moment. */
const priceAt = (at: string, model = "deepseek-flash") => {
  const { miss, hit, output } = costOf(million, model, new Date(at))!;
  return [miss, hit, output];
};

Deno.test("costOf() charges cached input once, at its own price [B106]", () => {
  const prices = { "deepseek-flash": { price: { input: 1, cacheRead: 0.1, output: 2 } } };
  const cost = costOf(usage, "deepseek-flash", OFF_PEAK, prices)!;
  assertAlmostEquals(cost.total, 0.00048);
  assertAlmostEquals(cost.miss, 0.0002);
  assertAlmostEquals(cost.hit, 0.00008);
  assertAlmostEquals(cost.output, 0.0002);
});

Deno.test("costOf() prices DeepSeek by the Beijing hour of the request", () => {
  const low = [0.15, 0.003, 0.6];
  const high = [0.3, 0.006, 1.2];
  // 2026-11-30 is a Monday.
  assertEquals(priceAt("2026-11-30T00:59:59Z"), low);
  assertEquals(priceAt("2026-11-30T01:00:00Z"), high);
  assertEquals(priceAt("2026-11-30T03:59:59Z"), high);
  assertEquals(priceAt("2026-11-30T04:00:00Z"), low);
  assertEquals(priceAt("2026-11-30T06:00:00Z"), high);
  assertEquals(priceAt("2026-11-30T09:59:59Z"), high);
  assertEquals(priceAt("2026-11-30T10:00:00Z"), low);
  assertEquals(priceAt("2026-11-30T17:00:00Z"), low); // 01:00 on Tuesday there
});

Deno.test("costOf() knows weekends and Chinese holidays", () => {
  assertEquals(priceAt("2026-11-28T02:00:00Z"), [0.15, 0.003, 0.6]);
  assertEquals(priceAt("2026-11-29T02:00:00Z"), [0.15, 0.003, 0.6]);
  assertEquals(priceAt("2026-10-01T02:00:00Z"), [0.15, 0.003, 0.6]);
  assertEquals(priceAt("2026-10-08T02:00:00Z"), [0.3, 0.006, 1.2]);
});

Deno.test("costOf() prices by the model that answered, under whatever name it gives", () => {
  assertEquals(priceAt("2026-11-28T02:00:00Z", "deepseek-v4-pro"), [0.66, 0.022, 1.98]);
  for (const name of ["deepseek-v4-flash", "deepseek/deepseek-flash", "DeepSeek-V4.1-Flash-1017"]) {
    assertEquals(priceAt("2026-11-28T02:00:00Z", name), [0.15, 0.003, 0.6], name);
  }
  assertEquals(costOf(usage, "m", OFF_PEAK), undefined);
  assertEquals(costOf(usage, "deepseek-flashy", OFF_PEAK), undefined);
});

Deno.test("costOf() counts writing to the cache as missed input, at its own price", () => {
  const { miss, total } = costOf(
    { ...NO_USAGE, inputTokens: 1e6, cacheWriteTokens: 1e6 },
    "claude-opus-5-5",
    OFF_PEAK,
  )!;
  assertEquals([miss, total], [9, 9]);
});

Deno.test("costOf() takes the dearer price for long prompts where there is one", () => {
  const price = (cacheReadTokens: number) =>
    costOf({ ...NO_USAGE, cacheReadTokens, outputTokens: 1e6 }, "claude-haiku-5-5", OFF_PEAK)!.output;
  assertEquals([price(100_000), price(100_001)], [0.5, 2.5]);
});

Deno.test("costOf() lets the person's prices win: of any model, in part, at all hours", () => {
  const peak = new Date("2026-11-30T02:00:00Z");
  const own = { m: { price: { input: 1, output: 2 } }, "deepseek-flash": { price: { output: 9 } }, x: {} };
  assertAlmostEquals(costOf(usage, "m", peak, own)!.total, 0.0012);
  assertAlmostEquals(costOf(usage, "deepseek-v4-flash", OFF_PEAK, own)!.output, 0.0009);
  assertAlmostEquals(costOf(usage, "deepseek-flash", OFF_PEAK, own)!.miss, 0.00003);
  assertEquals(costOf(usage, "x", peak, own), undefined);
  assertEquals(costOf(usage, "constructor", peak, own), undefined);
});

Deno.test("findModel() takes a date or a build behind a name, and nothing else", () => {
  assertEquals(findModel("claude-haiku-4-5-20251001")?.name, "claude-haiku-4-5");
  assertEquals(findModel("gpt-6-sol-2026-09-22")?.name, "gpt-6-sol");
  assertEquals(findModel("anthropic/claude-sonnet-5-5")?.name, "claude-sonnet-5-5");
  assertEquals(findModel("claude-opus-5-5")?.name, "claude-opus-5-5");
  assertEquals(findModel("gpt-6-sol-mini"), undefined);
  assertEquals(findModel(""), undefined);
});
