/**
 * Fits a replacement into the place that was found for it.
 *
 * @module
 */

import { indentationMap, indentOf, type Reindent } from "./indentation.ts";
import type { Tolerance } from "./match.ts";
import type { Span } from "./numbered_lines.ts";

/** A line of the file in the place, and what it ends with: nothing, if the place ends with it. */
interface PlacedLine {
  readonly text: string;
  readonly end: string;
}

/** Beyond this many pairs of lines no alignment is looked for: the whole middle then counts as changed. */
const MAX_ALIGNED_PAIRS = 250_000;

/** What to put in a place; `undefined` if a new line's indentation cannot be told from those around it. */
export type Fitter = (place: Span) => string | undefined;

/** An edit as the model gave it, and how closely it fits. */
export interface Replacement {
  readonly wanted: string;
  readonly replacement: string;
  readonly tolerance: Tolerance;
}

/**
 * Tells what has to stand in each place of `wanted`: lines that the replacement leaves as they are keep their bytes, the
 * others get the line ends and the indentation of the place.
 */
export function replacementFitter(text: string, { wanted, replacement, tolerance }: Replacement): Fitter {
  // asked once: in a file that is one endless line, looking for the end at each place would be quadratic
  const lineEnd = text.includes("\r\n") ? (place: Span) => lineEndAt(text, place.start) : () => "\n";
  if (tolerance === "exact") {
    // models write line feeds: where nothing says that one is meant, it becomes what the file has
    const isMeant = !replacement.includes("\n") || wanted.includes("\n") || replacement.includes("\r\n");
    return (place) => isMeant ? replacement : replacement.replaceAll("\n", lineEnd(place));
  }
  const [from, to] = [wanted.split(/\r?\n/), replacement.split(/\r?\n/)];
  return (place) => {
    const placed = placedLines(text.slice(place.start, place.end));
    const isUnended = from.length > placed.length; // the file ends here without the line end that was asked for
    const before = isUnended ? from.slice(0, -1) : from;
    const after = isUnended && to.at(-1) === "" ? to.slice(0, -1) : to;
    const reindent = tolerance === "indentation" ? indentationMap(before, placed.map((line) => line.text)) : undefined;
    return weave(placed, alignLines(before, after), (i) => fitLine(after[i]!, reindent), lineEnd(place));
  };
}

/** The end of the line that holds this index, or of the one before it. */
function lineEndAt(text: string, index: number): string {
  const next = text.indexOf("\n", index);
  const at = next === -1 ? text.lastIndexOf("\n") : next;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

function placedLines(text: string): PlacedLine[] {
  return text.split(/(?<=\n)/).concat(text.endsWith("\n") ? [""] : []).map((line) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? "";
    return { text: line.slice(0, line.length - end.length), end };
  });
}

function fitLine(line: string, reindent: Reindent | undefined): string | undefined {
  if (!reindent || line.trim() === "") return line;
  const indent = indentOf(line);
  const fitted = reindent(indent);
  return fitted === undefined ? undefined : fitted + line.slice(indent.length);
}

/** Puts the lines together. A changed line ends as the one does in whose place it comes. */
function weave(
  placed: readonly PlacedLine[],
  kept: readonly (number | undefined)[],
  newLine: (index: number) => string | undefined,
  lineEnd: string,
): string | undefined {
  const stays = new Set(kept);
  let woven = "";
  let next = 0;
  for (const [i, from] of kept.entries()) {
    const replaces = from ?? (stays.has(next) ? undefined : next);
    const line = from === undefined ? newLine(i) : placed[from]!.text;
    if (line === undefined) return undefined;
    const end = (replaces === undefined ? "" : placed[replaces]?.end) || lineEnd;
    if (replaces !== undefined) next = replaces + 1;
    woven += i === kept.length - 1 ? line : line + end;
  }
  return woven;
}

/**
 * Which line of `from` each line of `to` is, if any: the longest common subsequence.
 *
 * @returns One index for each line of `to`, rising.
 */
function alignLines(from: readonly string[], to: readonly string[]): (number | undefined)[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const shift = from.length - to.length;
  const middle = alignMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  return to.map((_, i) => {
    if (i < head) return i;
    if (i >= to.length - tail) return i + shift;
    const index = middle[i - head];
    return index === undefined ? undefined : index + head;
  });
}

function alignMiddle(from: readonly string[], to: readonly string[]): (number | undefined)[] {
  if (from.length * to.length > MAX_ALIGNED_PAIRS) return [];
  // longest[i][k]: how many lines the rests from i and from k on have in common
  const longest = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    for (let k = to.length - 1; k >= 0; k--) {
      longest[i]![k] = from[i] === to[k]
        ? longest[i + 1]![k + 1]! + 1
        : Math.max(longest[i + 1]![k]!, longest[i]![k + 1]!);
    }
  }
  const aligned: (number | undefined)[] = [];
  for (let i = 0, k = 0; k < to.length;) {
    if (i < from.length && from[i] === to[k]) {
      aligned.push(i++);
      k++;
    } else if (i < from.length && longest[i + 1]![k]! >= longest[i]![k + 1]!) {
      i++;
    } else {
      aligned.push(undefined);
      k++;
    }
  }
  return aligned;
}
