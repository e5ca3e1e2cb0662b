/**
 * Reads the regular expression of a search: what JavaScript and `rg` have in common, with the meaning that it has in
 * `rg`. Letters, digits and word boundaries are those of Unicode, and no part of a pattern matches a line end, so
 * that a line is found or not whatever stands around it.
 *
 * @module
 */

import { ANY_CHAR, type CharNode, literalChar, readCharEscape, readSet } from "./pattern_chars.ts";
import { PatternCursor } from "./pattern_cursor.ts";

/** A part of a pattern. */
export type PatternNode =
  | CharNode
  | { readonly type: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly type: "choice"; readonly options: readonly PatternNode[] }
  // whether as much or as little as possible is taken makes no difference to the lines that are found
  | { readonly type: "repeat"; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: "assertion"; readonly kind: Assertion };

/** A place between two characters. */
export type Assertion = "line_start" | "line_end" | "word_boundary" | "no_word_boundary";

/** A pattern that was read. */
export interface SearchPattern {
  readonly root: PatternNode;
  readonly ignoreCase: boolean;
}

const MAX_NESTING = 50;
const MAX_REPEAT = 1000;

/**
 * Reads a pattern.
 *
 * @throws {SyntaxError} If it is not one; the message says what is wrong and where.
 */
export function parsePattern(source: string, ignoreCase: boolean): SearchPattern {
  const cursor = new PatternCursor(source);
  const flags = cursor.match(/\(\?([imsu]+)\)/y);
  const root = readChoice(cursor, 0);
  if (!cursor.isAtEnd) throw cursor.problem(`a ")" has no "("; write "\\)" for the character itself`);
  return { root, ignoreCase: ignoreCase || (flags?.[1]?.includes("i") ?? false) };
}

function readChoice(cursor: PatternCursor, nesting: number): PatternNode {
  const options = [readSequence(cursor, nesting)];
  while (cursor.take("|")) options.push(readSequence(cursor, nesting));
  return options.length === 1 ? options[0]! : { type: "choice", options };
}

function readSequence(cursor: PatternCursor, nesting: number): PatternNode {
  const parts: PatternNode[] = [];
  while (!["", "|", ")"].includes(cursor.peek())) parts.push(readRepeat(readPart(cursor, nesting), cursor));
  return parts.length === 1 ? parts[0]! : { type: "sequence", parts };
}

function readPart(cursor: PatternCursor, nesting: number): PatternNode {
  const char = cursor.next();
  switch (char) {
    case "(":
      return readGroup(cursor, nesting + 1);
    case "[":
      return readSet(cursor);
    case ".":
      return ANY_CHAR;
    case "^":
      return { type: "assertion", kind: "line_start" };
    case "$":
      return { type: "assertion", kind: "line_end" };
    case "*":
    case "+":
    case "?":
      throw cursor.problem(`"${char}" has nothing to repeat; write "\\${char}" for the character itself`);
    case "\\": {
      if (cursor.take("b")) return { type: "assertion", kind: "word_boundary" };
      if (cursor.take("B")) return { type: "assertion", kind: "no_word_boundary" };
      const escaped = readCharEscape(cursor);
      if (escaped.literal === "\n") throw cursor.problem(`"\\n" matches nothing: each line is searched by itself`);
      return escaped;
    }
    default:
      return literalChar(char);
  }
}

function readGroup(cursor: PatternCursor, nesting: number): PatternNode {
  if (nesting > MAX_NESTING) throw cursor.problem("its groups are nested too deeply");
  if (cursor.match(/\?<?[=!]/y)) throw cursor.problem("look-around is not supported");
  if (!cursor.match(/\?(?::|P?<[A-Za-z_]\w*>)/y) && cursor.take("?")) {
    throw cursor.problem(`"(?${cursor.peek()}" is not supported; only "(?:", "(?<name>" and, at the start, "(?i)" are`);
  }
  const body = readChoice(cursor, nesting);
  if (!cursor.take(")")) throw cursor.problem(`a "(" is never closed; write "\\(" for the character itself`);
  return body;
}

function readRepeat(body: PatternNode, cursor: PatternCursor): PatternNode {
  const written = cursor.match(/(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y);
  if (!written) return body;
  if (cursor.match(/[*+?]/y)) {
    throw cursor.problem(`"${written[0]}" has nothing to repeat; write "\\" before a character that means itself`);
  }
  const [text, low, comma, high] = written;
  const min = low !== undefined ? Number(low) : text.startsWith("+") ? 1 : 0;
  const max = low === undefined
    ? (text.startsWith("?") ? 1 : Infinity)
    : (comma === undefined ? min : high ? Number(high) : Infinity);
  if (min > max) throw cursor.problem(`"${text}" runs backwards`);
  if (Math.max(min, max === Infinity ? 0 : max) > MAX_REPEAT) {
    throw cursor.problem(`"${text}" repeats more than ${MAX_REPEAT} times`);
  }
  return { type: "repeat", body, min, max };
}
