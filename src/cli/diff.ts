/**
 * The difference between two texts, line by line.
 *
 * @module
 */

/** A line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  /** With its line end, unless it is the last line of a text and has none. */
  readonly text: string;
}

/** Changed lines that lie close together, with the lines around them. */
export type Hunk = readonly DiffLine[];

/**
 * Compares two texts. The answer is the smallest difference where that is cheap to find; in texts with very many
 * changes a whole region counts as replaced, so that the time stays bounded.
 *
 * @param context Lines that are the same to show around each change.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { diffLines } from "./diff.ts";
 *
 * const [hunk] = diffLines("a\nb\n", "a\nc\n", 0);
 * assertEquals(hunk!.map((line) => line.kind + " " + line.text), ["removed b\n", "added c\n"]);
 * ```
 */
export function diffLines(before: string, after: string, context = 3): Hunk[] {
  const a = splitLines(before);
  const b = splitLines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const pairs = commonLines(a.slice(start, a.length - tail), b.slice(start, b.length - tail));

  // The lines around the middle count as same only as far as they are shown.
  const from = Math.max(0, start - context);
  const same: [number, number][] = [];
  for (let i = from; i < start; i++) same.push([i, i]);
  for (const [x, y] of pairs) same.push([x + start, y + start]);
  for (let i = tail; i > Math.max(0, tail - context); i--) same.push([a.length - i, b.length - i]);
  const rest = Math.max(0, tail - context);
  return intoHunks(align(a.slice(0, a.length - rest), b.slice(0, b.length - rest), same, from), context);
}

/** The lines of a text with their line ends, so that gaining or losing one is a change. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** All lines from `from` on, in order; what is not in `same` was removed from `a` or added to `b`. */
function align(
  a: readonly string[],
  b: readonly string[],
  same: readonly [number, number][],
  from: number,
): DiffLine[] {
  const out: DiffLine[] = [];
  let [x, y] = [from, from];
  for (const [i, j] of [...same, [a.length, b.length] as const]) {
    for (; x < i; x++) out.push({ kind: "removed", text: a[x]! });
    for (; y < j; y++) out.push({ kind: "added", text: b[y]! });
    if (i < a.length) out.push({ kind: "same", text: a[i]! });
    [x, y] = [i + 1, j + 1];
  }
  return out;
}

/** Keeps the changes and the lines around them; a gap begins a new hunk. */
function intoHunks(lines: readonly DiffLine[], context: number): Hunk[] {
  const hunks: DiffLine[][] = [];
  let next = 0; // the first line that is not in a hunk
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return;
    const from = Math.max(next, at - context);
    if (from > next || hunks.length === 0) hunks.push([]);
    let end = Math.max(next, at + 1);
    while (end <= at + context && lines[end]?.kind === "same") end++;
    hunks.at(-1)!.push(...lines.slice(from, end));
    next = end;
  });
  return hunks;
}

/** Pairs of equal lines in order, as many as the bounded search of E. Myers finds (An O(ND) difference algorithm). */
function commonLines(a: readonly string[], b: readonly string[]): [number, number][] {
  const max = Math.min(a.length + b.length, MAX_EDITS);
  const furthest = new Int32Array(2 * max + 2);
  const trace: Int32Array[] = [];
  for (let edits = 0, steps = 0; edits <= max && steps < MAX_STEPS; edits++) {
    trace.push(furthest.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && furthest[max + k - 1]! < furthest[max + k + 1]!);
      let x = down ? furthest[max + k + 1]! : furthest[max + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) {
        x++;
        steps++;
      }
      furthest[max + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a.length, b.length, trace, max);
    }
  }
  return [];
}

function walkBack(x: number, y: number, trace: readonly Int32Array[], max: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && furthest[max + k - 1]! < furthest[max + k + 1]!);
    const previousK = down ? k + 1 : k - 1;
    const previousX = edits === 0 ? 0 : furthest[max + previousK]!;
    const previousY = edits === 0 ? 0 : previousX - previousK;
    while (x > previousX && y > previousY) pairs.push([--x, --y]);
    [x, y] = [previousX, previousY];
  }
  return pairs.reverse();
}

/** Removed and added lines up to which the smallest difference is looked for. */
const MAX_EDITS = 600;
/** Equal lines that are passed over in the search, those of each attempt counted. */
const MAX_STEPS = 500_000;
