/**
 * Where a text that was not found was probably meant to be.
 *
 * @module
 */

import type { Span } from "./numbered_lines.ts";

/** The search is a courtesy: it ends when it has cost this much. */
const maxMs = 15;

/** Enough lines, or words, to know a place by. */
const maxClues = 10;

/** Something to know a place by, and the line of the wanted text that it comes from. */
interface Clue {
  readonly text: string;
  readonly index: number;
}

/**
 * Finds the lines that have most in common with a text: whole lines if there are any, else words.
 *
 * @returns `undefined` if nothing much is alike, or nothing was found in time.
 */
export function closestPlace(text: string, wanted: string): Span | undefined {
  const lines = text.split("\n");
  const sought = wanted.split("\n").map((line) => line.trim());
  const first = bestStart(lines, lineClues(sought), 0) ?? bestStart(lines, wordClues(sought), 0.4);
  if (first === undefined) return undefined;
  const start = lengthOf(lines.slice(0, first));
  return { start, end: start + lengthOf(lines.slice(first, first + sought.length)) - 1 };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** Lets each line of the file that holds a clue vote, by its length, for where the wanted text would begin. */
function bestStart(lines: readonly string[], clues: readonly Clue[], minShare: number): number | undefined {
  const deadline = performance.now() + maxMs / 2;
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [i, line] of lines.entries()) {
    if (i % 256 === 0 && performance.now() > deadline) break;
    for (const { text, index } of clues) {
      if (!line.includes(text)) continue;
      const start = Math.max(0, i - index);
      votes.set(start, (votes.get(start) ?? 0) + text.length);
      if (best === undefined || votes.get(start)! > votes.get(best)!) best = start;
    }
  }
  const all = clues.reduce((sum, { text }) => sum + text.length, 0);
  return best !== undefined && votes.get(best)! >= all * minShare ? best : undefined;
}

function lineClues(sought: readonly string[]): Clue[] {
  return longest(sought.map((text, index) => ({ text, index })).filter(({ text }) => /\p{L}.*\p{L}/u.test(text)));
}

function wordClues(sought: readonly string[]): Clue[] {
  const words = sought.flatMap((line, index) =>
    [...new Set(line.match(/[\p{L}\p{N}_]{2,}/gu))].map((text) => ({ text, index }))
  );
  return longest(words);
}

function longest(clues: readonly Clue[]): Clue[] {
  return [...clues].sort((a, b) => b.text.length - a.text.length).slice(0, maxClues);
}
