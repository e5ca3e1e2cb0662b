/**
 * Files that are not UTF-8, or whose lines end CR: a search decodes them, and a program that looks at their bytes finds
 * other lines in them.
 *
 * @module
 */

import type { PatternNode, SearchPattern } from "./search_pattern.ts";

/** What `rg` needs to name such files: those that hold more than UTF-8 without a CR but at the end of a line. */
export const OTHER_TEXT_OPTIONS = ["--invert-match", "--line-regexp", String.raw`--regexp=[^\r]*\r?`];

/** The characters that a byte above ASCII can stand for. */
const HIGH_CHARS = Array.from(
  new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 0x80 }, (_, i) => 0x80 + i)),
);

/** Whether a pattern may match in such a file what it does not match in its bytes. */
export function matchesOtherText({ root, ignoreCase }: SearchPattern): boolean {
  return mayMatchOther(root, ignoreCase ? "iv" : "v");
}

function mayMatchOther(node: PatternNode, flags: string): boolean {
  switch (node.type) {
    case "char": {
      const expression = new RegExp(`^${node.js}$`, flags);
      return HIGH_CHARS.some((char) => expression.test(char));
    }
    case "assertion":
      return true; // what stands beside it may be such a character, or the end of such a line
    case "sequence":
      return node.parts.some((part) => mayMatchOther(part, flags));
    case "choice":
      return node.options.some((option) => mayMatchOther(option, flags));
    case "repeat":
      return mayMatchOther(node.body, flags);
    default:
      return node satisfies never;
  }
}
