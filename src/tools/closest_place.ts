/**
 * Where a text that was not found was probably meant to be.
 *
 * @module
 */

import { lineEndAt, lineStartAt, type Span } from "./numbered_lines.ts";

/** The search is a courtesy: it ends when it has cost this much. */
const MAX_MS = 15;

/** Enough lines, or words, to know a place by. */
const MAX_CLUES = 10;

/** A clue that is in more places than this says little about any of them. */
const MAX_PLACES = 20;

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
  const sought = wanted.split("\n").map((line) => line.trim());
  const start = bestStart(text, lineClues(sought), 0) ?? bestStart(text, wordClues(sought), 0.4);
  return start === undefined ? undefined : { start, end: lineEndAt(text, start, sought.length - 1) };
}

/** Lets each place of a clue vote, by the clue's length, for where the wanted text would begin. */
function bestStart(text: string, clues: readonly Clue[], minShare: number): number | undefined {
  const deadline = performance.now() + MAX_MS / 2;
  const votes = new Map<number, number>();
  for (const clue of clues) {
    let at = text.indexOf(clue.text);
    for (let i = 0; i < MAX_PLACES && at !== -1 && performance.now() < deadline; i++) {
      const start = lineStartAt(text, at, clue.index);
      votes.set(start, (votes.get(start) ?? 0) + clue.text.length);
      at = text.indexOf(clue.text, at + clue.text.length);
    }
  }
  const all = clues.reduce((sum, clue) => sum + clue.text.length, 0);
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= all * minShare ? best[0] : undefined;
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
  return [...clues].sort((a, b) => b.text.length - a.text.length).slice(0, MAX_CLUES);
}
