/**
 * How wide a text stands on a terminal: by grapheme, what a reader takes for one character, never by code unit.
 *
 * @module
 */

import { unicodeWidth } from "@std/cli/unicode-width";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Texts in which each code unit is a character that is one column wide. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The visible characters of a text, in order. */
export function graphemes(text: string): string[] {
  return PRINTABLE_ASCII.test(text) ? text.split("") : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that one visible character takes: 0, 1 or 2; a base letter with half-width sound marks may take 3. */
export function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0) ?? 0;
  if (first < 0x20 || (first >= 0x7f && first < 0xa0)) return 0;
  if (grapheme.length === 1) return first < 0x7f ? 1 : unicodeWidth(grapheme);
  if (grapheme.includes(EMOJI_STYLE) || FLAG.test(grapheme)) return 2;
  // What joins or combines with the first character takes no room of its own, whatever it would take alone.
  const base = unicodeWidth(String.fromCodePoint(first));
  return base + (grapheme.match(HALF_WIDTH_SOUND_MARKS)?.length ?? 0);
}

/** Columns that a text without styles takes. */
export function textWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/**
 * Shortens a text without styles to a number of columns; a cut one ends in `…`.
 *
 * @param columns At least 0.
 */
export function cutToWidth(text: string, columns: number): string {
  // No character is longer than it is wide but for combining ones: a bound on the work for huge texts.
  const head = text.length > columns * 8 + 64 ? text.slice(0, columns * 8 + 64) : text;
  if (head.length === text.length && textWidth(text) <= columns) return text;
  if (columns < 1) return "";
  let out = "";
  let width = 0;
  for (const grapheme of graphemes(head)) {
    width += graphemeWidth(grapheme);
    if (width > columns - 1) break;
    out += grapheme;
  }
  return out + "…";
}

const EMOJI_STYLE = "\ufe0f";
/** Two regional indicators, each of which may count as narrow alone. */
const FLAG = /^[\u{1f1e6}-\u{1f1ff}]{2}/u;
const HALF_WIDTH_SOUND_MARKS = /[\uff9e\uff9f]/g;
