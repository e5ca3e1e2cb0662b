/**
 * Draws a Markdown table when all of its lines are there.
 *
 * @module
 */

import type { Styles } from "./ansi.ts";
import { parseInline } from "./markdown_inline.ts";
import { textWidth } from "./text_width.ts";
import { paint, type Span, wrap } from "./wrap.ts";

/**
 * Draws the lines of a table in columns; where the terminal is too narrow for them, as a list of rows. Lines without
 * a line of dashes under the first one are no table and come back as they are.
 *
 * @param width Columns of the terminal.
 */
export function drawTable(lines: readonly string[], width: number, styles: Styles): string[] {
  if (!isRule(lines[1] ?? "")) return lines.flatMap((line) => wrap(parseInline(line, styles), width).map(paint));
  const source = [lines[0]!, ...lines.slice(2)].map((line) => splitRow(line));
  const count = source[0]!.length;
  const cells = source.map((row) => Array.from({ length: count }, (_, i) => parseInline(row[i] ?? "", styles)));
  const widths = fit(natural(cells), width - GAP.length * (count - 1));
  return widths ? inColumns(cells, widths, styles) : asList(cells, width, styles);
}

/** Whether a line is the one under the names of the columns. */
export function isRule(line: string): boolean {
  return /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line);
}

function splitRow(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function natural(rows: readonly Span[][][]): number[] {
  return rows[0]!.map((_, i) => Math.max(1, ...rows.map((row) => spansWidth(row[i]!))));
}

/** Takes from the widest columns until all fit; `undefined` if they would become too narrow to read. */
function fit(widths: readonly number[], room: number): number[] | undefined {
  if (room < widths.reduce((sum, width) => sum + Math.min(width, MIN_COLUMN), 0)) return undefined;
  const out = [...widths];
  // The limit that all columns together keep is found by halving: no column loses while a wider one is left.
  let [low, high] = [MIN_COLUMN, Math.max(MIN_COLUMN, ...widths)];
  const total = (limit: number) => out.reduce((sum, width) => sum + Math.min(width, limit), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return out.map((width) => Math.min(width, low));
}

function inColumns(rows: readonly Span[][][], widths: readonly number[], styles: Styles): string[] {
  const rule = widths.map((width) => "─".repeat(width)).join(GAP);
  return rows.flatMap((row, at) => {
    const wrapped = row.map((cell, i) => wrap(cell, widths[i]!));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, line) => {
      const parts = wrapped.map((cell, i) => {
        const text = paint(cell[line] ?? []);
        const shown = at === 0 ? styles.bold(text) : text;
        return shown + " ".repeat(Math.max(0, widths[i]! - spansWidth(cell[line] ?? [])));
      });
      return parts.join(GAP).trimEnd();
    });
    return at === 0 ? [...lines, styles.grey(rule)] : lines;
  });
}

function asList([head, ...rows]: readonly Span[][][], width: number, styles: Styles): string[] {
  return rows.flatMap((row, at) => {
    const lines = row.flatMap((cell, i) => {
      const name: Span[] = head![i]!.map((span) => ({ ...span, style: styles.bold }));
      return wrap([...name, { text: ": " }, ...cell], width).map(paint);
    });
    return at === 0 ? lines : ["", ...lines];
  });
}

function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

const GAP = "  ";
/** A column narrower than this is not worth having, unless its content is. */
const MIN_COLUMN = 6;
