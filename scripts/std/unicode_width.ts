/**
 * Stands in for the width table of @std/cli, which no npm package carries: the same rule, from the character classes
 * of the language and a short list of ranges.
 *
 * @module
 */

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u{1160}-\u{11ff}]$/u;
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;

/** First and last code point of the wide blocks of East Asian scripts. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x2fffd],
  [0x30000, 0x3fffd],
];

/** The number of terminal columns a text takes, character by character; control characters take none. */
export function unicodeWidth(str: string): number {
  let width = 0;
  for (const char of str) width += charWidth(char, char.codePointAt(0)!);
  return width;
}

function charWidth(char: string, code: number): number {
  if (code < 0x7f) return code < 0x20 ? 0 : 1;
  if (code < 0xa0) return 0;
  if (code < 0x300) return 1; // the soft hyphen too
  if (ZERO_WIDTH.test(char)) return 0;
  if (WIDE.some(([first, last]) => first <= code && code <= last)) return 2;
  const isFlagLetter = code >= 0x1f1e6 && code <= 0x1f1ff;
  return WIDE_EMOJI.test(char) && !isFlagLetter ? 2 : 1;
}
