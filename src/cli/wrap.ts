/**
 * Breaks styled text into rows.
 *
 * @module
 */

import type { Style } from "./ansi.ts";
import { graphemes, graphemeWidth, PRINTABLE_ASCII } from "./text_width.ts";

/** A piece of text in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
  /** What follows may still change this piece: it is not to be shown for good. */
  readonly open?: boolean | undefined;
}

interface Cell {
  readonly grapheme: string;
  readonly width: number;
  readonly span: Span;
}

/**
 * Breaks text into rows at blanks and beside East Asian characters, and inside a word only where it is longer than a
 * row. Blanks at a break are left out. A text that grows at its end never changes any row but the last.
 *
 * @param width Columns of a row. Below 1 it counts as 1; a character wider than the row has one to itself.
 * @returns At least one row.
 */
export function wrap(spans: readonly Span[], width: number): Span[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let rowWidth = 0;
  // Where the row may end: cells from there on move to the next one. And where it might before that.
  let breakAt = 0;
  let earlierBreak = 0;
  for (const cell of cells(spans)) {
    if (CLOSING.test(cell.grapheme) && breakAt === row.length) breakAt = earlierBreak;
    if (rowWidth + cell.width > Math.max(1, width) && row.length > 0) {
      if (isBlank(cell)) breakAt = row.length;
      const rest = breakAt > 0 ? row.splice(breakAt) : [];
      while (row.length > 1 && isBlank(row.at(-1)!)) row.pop();
      rows.push(row);
      row = rest;
      rowWidth = rest.reduce((sum, { width }) => sum + width, 0);
      breakAt = earlierBreak = 0;
      if (isBlank(cell) && row.length === 0) continue;
    }
    const isWide = cell.width === 2;
    if (isWide && !CLOSING.test(cell.grapheme) && breakAt < row.length) [earlierBreak, breakAt] = [breakAt, row.length];
    row.push(cell);
    rowWidth += cell.width;
    if (isWide || isBlank(cell)) [earlierBreak, breakAt] = [breakAt, row.length];
  }
  rows.push(row);
  return rows.map(join);
}

/** Breaks text into rows of exactly the width, wherever that is: for code, where each blank counts. */
export function wrapHard(spans: readonly Span[], width: number): Span[][] {
  const [only] = spans;
  if (spans.length === 1 && PRINTABLE_ASCII.test(only!.text)) return slice(only!, Math.max(1, width));
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let rowWidth = 0;
  for (const cell of cells(spans)) {
    if (rowWidth + cell.width > Math.max(1, width) && row.length > 0) {
      rows.push(row);
      row = [];
      rowWidth = 0;
    }
    row.push(cell);
    rowWidth += cell.width;
  }
  rows.push(row);
  return rows.map(join);
}

/** Many lines of code, and all that are very long, have one column a character. */
function slice(span: Span, width: number): Span[][] {
  const count = Math.max(1, Math.ceil(span.text.length / width));
  return Array.from({ length: count }, (_, i) => [{ ...span, text: span.text.slice(i * width, (i + 1) * width) }]);
}

/** A row as it is written to the terminal. */
export function paint(row: readonly Span[]): string {
  return row.map(({ text, style }) => style ? style(text) : text).join("");
}

function* cells(spans: readonly Span[]): Generator<Cell> {
  for (const span of spans) {
    for (const grapheme of graphemes(span.text)) yield { grapheme, width: graphemeWidth(grapheme), span };
  }
}

function join(row: readonly Cell[]): Span[] {
  const out: { text: string; span: Span }[] = [];
  for (const { grapheme, span } of row) {
    const last = out.at(-1);
    if (last?.span === span) last.text += grapheme;
    else out.push({ text: grapheme, span });
  }
  return out.map(({ text, span }) => ({ ...span, text }));
}

function isBlank({ grapheme }: Cell): boolean {
  return grapheme === " ";
}

/** East Asian marks that do not begin a row. */
const CLOSING = /^[、。，．！？：；）」』】〉》]/;
