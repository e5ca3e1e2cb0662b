/**
 * A text with a cursor in it, and what editing keys do to it. A cursor stands between visible characters, never
 * inside one: an emoji family, a flag or a letter with its accents is one step and one deletion.
 *
 * @module
 */

import { graphemes, graphemeWidth, textWidth } from "./text_width.ts";

/** What is being written. */
export interface Draft {
  readonly text: string;
  /** Code units before the cursor. */
  readonly cursor: number;
}

/** Puts text in at the cursor. */
export function insert({ text, cursor }: Draft, added: string): Draft {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Takes out everything between two places and leaves the cursor there. */
export function remove({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** Where the character before the cursor begins. */
export function left({ text, cursor }: Draft): number {
  if (cursor === 0 || text.charCodeAt(cursor - 1) < 0x80) return Math.max(0, cursor - 1);
  const from = Math.max(text.lastIndexOf("\n", cursor - 1) + 1, cursor - MAX_CLUSTER);
  const last = graphemes(text.slice(from, cursor)).at(-1) ?? "";
  return cursor - last.length;
}

/** Where the character after the cursor ends. */
export function right({ text, cursor }: Draft): number {
  if (cursor === text.length) return cursor;
  return cursor + graphemes(text.slice(cursor, cursor + MAX_CLUSTER))[0]!.length;
}

/** Where the word before the cursor begins; blanks before the cursor are passed by. */
export function wordLeft({ text, cursor }: Draft, word: RegExp = WORD): number {
  let at = cursor;
  const previous = () => text.slice(left({ text, cursor: at }), at);
  while (at > 0 && !word.test(previous())) at -= previous().length;
  while (at > 0 && word.test(previous())) at -= previous().length;
  return at;
}

/** Where the word after the cursor ends. */
export function wordRight({ text, cursor }: Draft): number {
  let at = cursor;
  const next = () => text.slice(at, right({ text, cursor: at }));
  while (at < text.length && !WORD.test(next())) at += next().length;
  while (at < text.length && WORD.test(next())) at += next().length;
  return at;
}

/** Where the cursor's line begins. */
export function lineStart({ text, cursor }: Draft): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

/** Where the cursor's line ends, before its line end. */
export function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

/** The column in which the cursor stands, by what is seen. */
export function columnOf(draft: Draft): number {
  const before = draft.text.slice(lineStart(draft), draft.cursor);
  return before.length > MAX_MEASURED ? before.length : textWidth(before);
}

/**
 * The place at a column of the line above (`-1`) or below (`1`), or at its end where the line is shorter.
 *
 * @returns `undefined` if there is no such line.
 */
export function vertical(draft: Draft, direction: -1 | 1, column: number): number | undefined {
  const { text } = draft;
  const edge = direction < 0 ? lineStart(draft) - 1 : lineEnd(draft) + 1;
  if (edge < 0 || edge > text.length) return undefined;
  const start = lineStart({ text, cursor: edge });
  const end = lineEnd({ text, cursor: edge });
  if (end - start > MAX_MEASURED) return left({ text, cursor: Math.min(start + column + 1, end) });
  let at = start;
  let width = 0;
  for (const grapheme of graphemes(text.slice(start, end))) {
    width += graphemeWidth(grapheme);
    if (width > column) break;
    at += grapheme.length;
  }
  return at;
}

/** Letters and digits, for motions by words. */
const WORD = /^[\p{L}\p{N}_]/u;
/** Code units in which a visible character is looked for: the longest ones that are in use have about 35. */
const MAX_CLUSTER = 512;
/** Code units of a line that are measured exactly; in longer ones a code unit counts as a column. */
const MAX_MEASURED = 10_000;
