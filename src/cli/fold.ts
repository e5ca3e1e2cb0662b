/**
 * Long output as a few rows.
 *
 * @module
 */

import type { Look } from "./look.ts";
import { cutToWidth } from "./text_width.ts";
import { paint, wrap } from "./wrap.ts";

/** Which lines of a long text are worth a row. */
export type FoldEnd = "head" | "tail";

/**
 * A few rows of a text, each cut to one row, and how many lines are left out. The first row hangs from `⎿`.
 *
 * @param end Whether the first or the last lines are shown.
 * @param maxRows At least 1; the row that counts the rest comes on top of it.
 */
export function foldText(text: string, look: Look, end: FoldEnd = "head", maxRows = 4): string[] {
  const lines = look.neutralise(text).replace(/\s+$/, "").split("\n");
  const hidden = Math.max(0, lines.length - maxRows);
  const shown = end === "head" ? lines.slice(0, maxRows) : lines.slice(hidden);
  const rows = shown.map((line) => line.slice(0, MAX_LINE).replaceAll("\t", "  "));
  const rest = `… ${hidden} more ${hidden === 1 ? "line" : "lines"}`;
  if (hidden > 0 && end === "head") rows.push(rest);
  if (hidden > 0 && end === "tail") rows.unshift(rest);
  return hang(rows).map((row) => cutToWidth(row, look.columns));
}

/** The first lines of a message that is to be read whole: broken at blanks, and cut only where it is very long. */
export function foldMessage(text: string, look: Look, maxRows = 6): string[] {
  const lines = look.neutralise(text).replace(/\s+$/, "").replaceAll("\t", "  ").split("\n");
  const width = Math.max(1, look.columns - INDENT);
  const rows = lines.slice(0, maxRows).flatMap((line) => wrap([{ text: line.slice(0, MAX_LINE) }], width).map(paint));
  const hasMore = rows.length > maxRows || lines.length > maxRows;
  return hang(hasMore ? [...rows.slice(0, maxRows), "…"] : rows);
}

/** Rows hung under the line of their call. */
export function hang(rows: readonly string[]): string[] {
  return rows.map((row, i) => (i === 0 ? "  ⎿ " : "    ") + row);
}

/** Columns that stand before a row that is hung. */
const INDENT = 4;

/** Longer than any row, so that a huge line costs nothing. */
const MAX_LINE = 2000;
