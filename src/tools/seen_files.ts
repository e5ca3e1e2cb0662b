/**
 * What the model knows of files: each as a text that begins with the hash of its content; if only some lines of that
 * were shown, they follow, as in `9f86… 1-200,301-400/5000`.
 *
 * @module
 */

import type { SeenFile } from "./tool.ts";

/** The first and the last of some lines in a row, from 1. */
type LineRange = readonly [first: number, last: number];

/** Remembers what a call has shown. Pages of the same content add up. */
export function rememberSeen(seen: Map<string, string>, { path, hash, page }: SeenFile): void {
  const known = seen.get(path);
  if (!page || known === hash) {
    seen.set(path, hash);
    return;
  }
  const before = known !== undefined && hashOf(known) === hash ? rangesOf(known) : [];
  const ranges = joined([...before, [page.first, page.last]]);
  const isWhole = countLines(ranges) >= page.total;
  const lines = ranges.map((range) => range.join("-")).join(",");
  seen.set(path, isWhole ? hash : `${hash} ${lines}/${page.total}`);
}

/** The hash of the content of which the model knows at least some lines. */
export function hashOf(known: string): string {
  return known.split(" ", 1)[0]!;
}

/** How much of the content the model knows, as `1 of 5000 lines`; `undefined` if it knows all of it. */
export function partKnown(known: string): string | undefined {
  const total = known.split("/")[1];
  return total === undefined ? undefined : `${countLines(rangesOf(known))} of ${total} lines`;
}

function rangesOf(known: string): LineRange[] {
  return Array.from(known.matchAll(/(\d+)-(\d+)[,/]/g), ([, first, last]) => [Number(first), Number(last)]);
}

/** The ranges in order; those that overlap or touch are one. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const previous = result.at(-1);
    if (previous && first <= previous[1] + 1) result[result.length - 1] = [previous[0], Math.max(previous[1], last)];
    else result.push([first, last]);
  }
  return result;
}

function countLines(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
