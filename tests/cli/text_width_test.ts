import { assertEquals } from "@std/assert";
import { cutToWidth, graphemes, graphemeWidth, textWidth } from "../../src/cli/text_width.ts";

Deno.test("a visible character is as wide as a terminal draws it", () => {
  const widths: [string, number][] = [
    ["a", 1],
    ["你", 2],
    ["한", 2],
    ["\u1112\u1161\u11ab", 2], // the same syllable from three letters
    ["ｶ", 1],
    ["ｶﾞ", 2],
    ["e\u0301", 1],
    ["🙂", 2],
    ["👨‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["❤\ufe0f", 2],
    ["1\ufe0f\u20e3", 2],
    ["\u200b", 0],
    ["\x1b", 0],
  ];
  for (const [text, width] of widths) {
    assertEquals(graphemes(text).length, 1, JSON.stringify(text));
    assertEquals(graphemeWidth(text), width, JSON.stringify(text));
  }
  assertEquals(textWidth(widths.map(([text]) => text).join(" ")), 23 + widths.length - 1);
});

Deno.test("a text is cut before the character that does not fit, never inside one", () => {
  assertEquals(cutToWidth("你好世界", 8), "你好世界");
  assertEquals(cutToWidth("你好世界", 7), "你好世…");
  assertEquals(cutToWidth("你好世界", 6), "你好…");
  assertEquals(cutToWidth("👨‍👩‍👧👨‍👩‍👧", 3), "👨‍👩‍👧…");
  assertEquals(cutToWidth("abc", 1), "…");
  assertEquals(cutToWidth("abc", 0), "");
});

Deno.test("a huge text is cut without looking at all of it", () => {
  assertEquals(cutToWidth("x".repeat(50_000_000), 10), "xxxxxxxxx…");
});
