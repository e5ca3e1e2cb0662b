/**
 * Finds the text that a model wants to replace, though it may not have copied it quite exactly.
 *
 * @module
 */

import { indentationMap, indentOf } from "./indentation.ts";
import type { Span } from "./numbered_lines.ts";

/** In what the text that was found may differ from the one that was asked for; each level includes those before it. */
export type Tolerance = "exact" | "line_ends" | "trailing_blanks" | "indentation";

/** All places of the strictest level that has any. */
export interface Found {
  readonly tolerance: Tolerance;
  /** In the order of the text. */
  readonly places: readonly Span[];
}

/** A text by its lines, and where each of them begins. */
interface Lines {
  /** Without their ends. */
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

/** Longer texts are looked for by lines: the engine's own search is quadratic where a long text repeats itself. */
const MAX_PLAIN_SEARCH = 1000;

/** So many lines of tolerant candidates are looked at more closely. */
const MAX_COMPARED_LINES = 100_000;

/**
 * Looks for a text: exactly, then with any line ends, then with any blanks at the end of lines, then with another
 * indentation that fits every line alike. Linear in both texts.
 *
 * @param wanted Not empty.
 * @returns `undefined` if no level finds a place.
 */
export function findPlaces(text: string, wanted: string): Found | undefined {
  const exact = findExact(text, wanted);
  if (exact.length > 0) return { tolerance: "exact", places: exact };
  if (wanted.trim() === "") return undefined;
  const lines = splitLines(text, { anyEnds: true });
  const sought = wanted.split(/\r?\n/);
  const anyEnds = text.includes("\r") || wanted.includes("\r") ? findPieces(lines, sought) : [];
  if (anyEnds.length > 0) return { tolerance: "line_ends", places: anyEnds };
  return findLines(text, lines, { sought, lineEnd: wanted.endsWith("\n") });
}

/** The two tolerant levels that compare lines whole; what fits either of them also fits without any outer blanks. */
function findLines(
  text: string,
  lines: Lines,
  { sought, lineEnd }: { sought: readonly string[]; lineEnd: boolean },
): Found | undefined {
  const wanted = lineEnd ? sought.slice(0, -1) : sought;
  const candidates = findRuns(lines.texts, wanted.map(trim), trim).slice(0, MAX_COMPARED_LINES / wanted.length);
  const linesAt = (first: number) => lines.texts.slice(first, first + wanted.length);
  const places = (firsts: readonly number[]) =>
    firsts.map((first) => spanOf(text, lines, { first, count: wanted.length, lineEnd }));
  const anyBlanks = candidates.filter((first) =>
    linesAt(first).every((line, i) => trimEnd(line) === trimEnd(wanted[i]!))
  );
  if (anyBlanks.length > 0) return { tolerance: "trailing_blanks", places: places(anyBlanks) };
  const reindented = candidates.filter((first) =>
    linesAt(first).every((line, i) => isReindented(line, wanted[i]!)) && indentationMap(wanted, linesAt(first))
  );
  return reindented.length > 0 ? { tolerance: "indentation", places: places(reindented) } : undefined;
}

/** Where each place begins that does not overlap the one before it, for a replacement of all of them. */
export function withoutOverlaps(places: readonly Span[]): Span[] {
  let end = 0;
  return places.filter((place) => {
    if (place.start < end) return false;
    end = place.end;
    return true;
  });
}

/**
 * Where a run of lines occurs (Knuth, Morris, Pratt: linear however the lines repeat).
 *
 * @param normalise Applied to each of `lines`, not to the run.
 * @returns The index of each first line.
 */
export function findRuns(
  lines: readonly string[],
  run: readonly string[],
  normalise: (line: string) => string = (line) => line,
): number[] {
  const borders = bordersOf(run);
  const found: number[] = [];
  let matched = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = normalise(lines[i]!);
    while (matched > 0 && line !== run[matched]) matched = borders[matched - 1]!;
    if (line === run[matched]) matched++;
    if (matched === run.length) {
      found.push(i - matched + 1);
      matched = borders[matched - 1]!;
    }
  }
  return found;
}

/** For each length of the run's beginning, how many of its last lines are also its first ones. */
function bordersOf(run: readonly string[]): number[] {
  const borders = [0];
  for (let i = 1, matched = 0; i < run.length; i++) {
    while (matched > 0 && run[i] !== run[matched]) matched = borders[matched - 1]!;
    if (run[i] === run[matched]) matched++;
    borders.push(matched);
  }
  return borders;
}

function findExact(text: string, wanted: string): Span[] {
  const pieces = wanted.split("\n");
  if (wanted.length > MAX_PLAIN_SEARCH && pieces.length > 2) {
    return findPieces(splitLines(text, { anyEnds: false }), pieces);
  }
  const places: Span[] = [];
  const add = (start: number) => places.push({ start, end: start + wanted.length });
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + wanted.length)) add(start);
  if (places.length !== 1) return places;
  // one that begins inside the only place makes it unclear which of the two is meant
  const overlapping = text.indexOf(wanted, places[0]!.start + 1);
  if (overlapping !== -1) add(overlapping);
  return places;
}

/** Where some lines occur, of which the first and the last may be parts of lines. */
function findPieces({ texts, starts }: Lines, pieces: readonly string[]): Span[] {
  const [head = "", tail = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length < 2) return [];
  const middle = pieces.slice(1, -1);
  const firsts = middle.length > 0 ? findRuns(texts, middle).map((i) => i - 1) : texts.keys();
  const places: Span[] = [];
  for (const first of firsts) {
    const last = first + pieces.length - 1;
    if (texts[first]?.endsWith(head) && texts[last]?.startsWith(tail)) {
      places.push({
        start: starts[first]! + texts[first].length - head.length,
        end: starts[last]! + tail.length,
      });
    }
  }
  return places;
}

function splitLines(text: string, { anyEnds }: { anyEnds: boolean }): Lines {
  const texts: string[] = [];
  const starts: number[] = [];
  for (let start = 0, next = 0; next !== -1; start = next + 1) {
    next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next - (anyEnds && text[next - 1] === "\r" ? 1 : 0);
    texts.push(text.slice(start, end));
    starts.push(start);
  }
  return { texts, starts };
}

function spanOf(text: string, lines: Lines, at: { first: number; count: number; lineEnd: boolean }): Span {
  const last = at.first + at.count - 1;
  const end = lines.starts[last]! + lines.texts[last]!.length;
  return { start: lines.starts[at.first]!, end: at.lineEnd ? lines.starts[last + 1] ?? text.length : end };
}

/** What the language itself takes for blanks is more: a byte order mark is no indentation. */
function isReindented(line: string, other: string): boolean {
  return trimEnd(line.slice(indentOf(line).length)) === trimEnd(other.slice(indentOf(other).length));
}

function trim(line: string): string {
  return line.trim();
}

function trimEnd(line: string): string {
  return line.trimEnd();
}
