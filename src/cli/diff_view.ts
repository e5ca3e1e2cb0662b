/**
 * Draws a change to a file.
 *
 * @module
 */

import { type DiffLine, diffLines } from "./diff.ts";
import { visible } from "../permissions/neutralise.ts";
import type { Look } from "./look.ts";
import { paint, wrapHard } from "./wrap.ts";

/** The texts of a file before and after. */
export interface Change {
  before: string;
  after: string;
}

/**
 * The changed lines with some around them, removed ones red and added ones green. Long lines are broken, never
 * cut, and what cannot be seen is named: a person may have to decide by it.
 *
 * @param maxRows Rows at most; one more says how many lines are left out.
 */
export function diffRows({ before, after }: Change, look: Look, maxRows: number): string[] {
  const { styles } = look;
  const hunks = diffLines(before, after);
  if (hunks.length === 0) return [styles.grey("(no change)")];
  // Where all line ends are alike their carriage returns are noise, where they change they are the point.
  const isCrlf = (text: string) => text.includes("\r\n");
  const showCr = before !== "" && after !== "" && isCrlf(before) !== isCrlf(after);
  const rows: string[] = [];
  let left = hunks.reduce((sum, hunk) => sum + hunk.length, 0);
  for (const [at, hunk] of hunks.entries()) {
    if (at > 0) rows.push(styles.grey("⋮"));
    for (const line of hunk) {
      if (rows.length >= maxRows) return [...rows, styles.grey(`… ${left} more ${left === 1 ? "line" : "lines"}`)];
      rows.push(...lineRows(line, look, showCr));
      left--;
    }
  }
  return rows;
}

function lineRows({ kind, text }: DiffLine, look: Look, showCr: boolean): string[] {
  const { styles, columns } = look;
  const style = kind === "removed" ? styles.red : kind === "added" ? styles.green : styles.grey;
  const mark = kind === "removed" ? "-" : kind === "added" ? "+" : " ";
  const line = text.replace(showCr ? /\n$/ : /\r?\n$/, "");
  const shown = `${mark} ${visible(line).replaceAll("\t", "    ")}`;
  const rows = wrapHard([{ text: shown, style }], columns).map(paint);
  return text.endsWith("\n") ? rows : [...rows, styles.grey("  (no line end)")];
}
