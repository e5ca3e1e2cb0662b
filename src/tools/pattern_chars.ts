/**
 * Characters and sets of characters in a pattern: escapes, classes, brackets.
 *
 * @module
 */

import type { PatternCursor } from "./pattern_cursor.ts";

/** One character of a set. No set but `\r` itself holds a line end. */
export interface CharNode {
  readonly type: "char";
  /** The only character of the set, where there is just one. */
  readonly literal?: string;
  /** The set as JavaScript writes it under the flag `v`. */
  readonly js: string;
  /** The set as `rg` writes it; absent where `rg` would understand it differently. */
  readonly rg?: string;
}

/** What stands in a decoded text for bytes that are no text. Sets do not hold it, as in `rg` they do not hold the bytes. */
export const REPLACEMENT = "\uFFFD";

/** The word characters of Unicode, as JavaScript writes them under the flag `v`. */
export const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

/** Any character of a line. */
export const ANY_CHAR: CharNode = { type: "char", js: String.raw`[^\r\n]`, rg: "." };

const CLASSES: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`[^\p{Nd}\r\n]`,
  w: WORD,
  W: String.raw`[^${WORD}\r\n]`,
  s: String.raw`[\p{White_Space}--[\r\n]]`,
  S: String.raw`\P{White_Space}`,
};

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: "[0-9A-Za-z]",
  alpha: "[A-Za-z]",
  blank: String.raw`[ \t]`,
  digit: "[0-9]",
  lower: "[a-z]",
  punct: String.raw`[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]`,
  space: String.raw`[ \t\v\f]`,
  upper: "[A-Z]",
  word: "[0-9A-Za-z_]",
  xdigit: "[0-9A-Fa-f]",
};

const CONTROLS: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n", f: "\f", v: "\v" };

/** The set that holds one character. */
export function literalChar(char: string): CharNode {
  const code = char.codePointAt(0)!.toString(16);
  const node = { type: "char", literal: char, js: `\\u{${code}}` } as const;
  return char === "\r" || char === REPLACEMENT ? node : { ...node, rg: `\\x{${code}}` };
}

/** Reads what follows a `\` and means a character or a class of them. */
export function readCharEscape(cursor: PatternCursor): CharNode {
  const char = cursor.next();
  if (char === "") throw cursor.problem(`it ends with a lone "\\"`);
  if (Object.hasOwn(CLASSES, char)) return { type: "char", js: CLASSES[char]!, rg: `\\${char}` };
  if (Object.hasOwn(CONTROLS, char)) return literalChar(CONTROLS[char]!);
  if (char === "p" || char === "P") return readProperty(char, cursor);
  if (char === "x" || char === "u") return readCodePoint(char, cursor);
  if (/[1-9k]/.test(char)) throw cursor.problem("back-references are not supported");
  if (/[0A-Za-z]/.test(char)) throw cursor.problem(`"\\${char}" has no meaning`);
  return literalChar(char);
}

/** Reads what follows a `[`, to its `]`. */
export function readSet(cursor: PatternCursor): CharNode {
  const isNegated = cursor.take("^");
  const items: { js: string; rg: string | undefined }[] = [];
  while (!cursor.take("]")) {
    if (cursor.isAtEnd) throw cursor.problem(`a "[" is never closed; write "\\[" for the character itself`);
    const low = readSetItem(cursor);
    const range = low.literal !== undefined && cursor.match(/-(?!\])/y) ? readRange(low, cursor) : [low];
    items.push(...range.map(({ js, rg }) => ({ js, rg })));
  }
  if (items.length === 0) throw cursor.problem(`an empty "[]" matches nothing; write "[\\]]" for a bracket`);
  const js = items.map((item) => item.js).join("");
  const rg = items.every((item) => item.rg !== undefined) ? items.map((item) => item.rg).join("") : undefined;
  return {
    type: "char",
    js: isNegated ? `[^${js}\\r\\n]` : `[${js}]`,
    ...(rg !== undefined && { rg: isNegated ? `[^${rg}]` : `[${rg}]` }),
  };
}

function readRange(low: CharNode, cursor: PatternCursor): CharNode[] {
  const high = readSetItem(cursor);
  if (high.literal === undefined) return [low, literalChar("-"), high];
  if (low.literal!.codePointAt(0)! > high.literal.codePointAt(0)!) {
    throw cursor.problem(`the range "${low.literal}-${high.literal}" runs backwards`);
  }
  return [{ type: "char", js: `${low.js}-${high.js}`, ...(low.rg && high.rg && { rg: `${low.rg}-${high.rg}` }) }];
}

function readSetItem(cursor: PatternCursor): CharNode {
  const posix = cursor.match(/\[:([a-z]+):\]/y);
  const known = posix && Object.hasOwn(POSIX_CLASSES, posix[1]!) ? POSIX_CLASSES[posix[1]!] : undefined;
  if (posix && known === undefined) throw cursor.problem(`"${posix[0]}" is not a character class`);
  if (known !== undefined) return { type: "char", js: known, rg: known };
  const char = cursor.next();
  if (char !== "\\") return literalChar(char);
  return cursor.take("b") ? literalChar("\b") : readCharEscape(cursor);
}

/** `\p{…}`, `\P{…}`, or the short `\pL` of `rg`. */
function readProperty(kind: "p" | "P", cursor: PatternCursor): CharNode {
  const written = cursor.match(/\{([A-Za-z0-9_=]+)\}|([A-Z])/y);
  if (!written) throw cursor.problem(`"\\${kind}" needs a property such as "{L}"`);
  const name = written[1] ?? written[2]!;
  // `rg` takes the bare name of a script, as in \p{Han}
  const property = [`\\p{${name}}`, `\\p{Script=${name}}`].find(isProperty);
  if (property === undefined) throw cursor.problem(`"\\p{${name}}" is not a property of characters`);
  const js = kind === "p" ? `[${property}--[\\r\\n]]` : `[^${property}\\r\\n]`;
  return { type: "char", js, rg: `\\${kind}{${name}}` };
}

function isProperty(written: string): boolean {
  try {
    new RegExp(written, "v");
    return true;
  } catch {
    return false;
  }
}

/** `\xHH`, `\uHHHH`, `\x{…}` or `\u{…}`. */
function readCodePoint(kind: "x" | "u", cursor: PatternCursor): CharNode {
  const digits = kind === "x" ? /\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2})/y : /\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{4})/y;
  const written = cursor.match(digits);
  const code = parseInt(written?.[1] ?? written?.[2] ?? "", 16);
  if (!(code <= 0x10ffff)) throw cursor.problem(`"\\${kind}" needs the number of a character`);
  return literalChar(String.fromCodePoint(code));
}
