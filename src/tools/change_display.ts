/**
 * What a person is shown of a change to a file.
 *
 * @module
 */

import { lineEndAt, lineStartAt } from "./numbered_lines.ts";
import type { Display } from "./tool.ts";

/** Up to this size together, both texts are shown whole. */
const MAX_WHOLE_CHARS = 100_000;

const CONTEXT_LINES = 3;
const STEP_CHARS = 4096;

/**
 * The change from one text to the other. Of big texts only the lines that changed and some around them: nobody reads
 * more, and comparing all lines would take long.
 */
export function changeDisplay(path: string, before: string, after: string): Display {
  if (before.length + after.length <= MAX_WHOLE_CHARS) return { type: "diff", path, before, after };
  const head = commonLength(before, after, (text, from, to) => text.slice(from, to));
  const shorter = Math.min(before.length, after.length);
  const tail = Math.min(
    shorter - head,
    commonLength(before, after, (text, from, to) => text.slice(Math.max(0, text.length - to), text.length - from)),
  );
  const start = lineStartAt(before, head, CONTEXT_LINES);
  const end = lineEndAt(before, before.length - tail, CONTEXT_LINES);
  const rest = Math.max(0, before.length - end - 1);
  return {
    type: "diff",
    path,
    before: before.slice(start, before.length - rest),
    after: after.slice(start, after.length - rest),
  };
}

/** How far two texts agree. Native comparisons of slices are far faster than one of each character. */
function commonLength(a: string, b: string, piece: (text: string, from: number, to: number) => string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  for (let step = STEP_CHARS; step >= 1;) {
    const next = length + step;
    if (next <= shorter && piece(a, length, next) === piece(b, length, next)) length = next;
    else step = Math.floor(step / 2);
  }
  return length;
}
