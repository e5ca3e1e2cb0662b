/**
 * Draws a draft: which rows of it are seen, and where the cursor stands.
 *
 * @module
 */

import { type Draft, left } from "./draft.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { graphemes, graphemeWidth, textWidth } from "./text_width.ts";

/** The size of a terminal, neither below 1. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Rows of text, none wider than the terminal, and the place of the cursor in them. */
export interface Block {
  readonly rows: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/**
 * Draws the part of a draft around the cursor that fits. The work depends on the size of the terminal and not on that
 * of the draft.
 *
 * @param size `rows` is the most that may be used.
 * @param prompt Stands before the first row; the others are indented by its width. Left out where there is no room.
 */
export function drawDraft(draft: Draft, size: Size, prompt = "> "): Block {
  const lead = size.columns >= textWidth(prompt) + 2 ? prompt : "";
  const leadWidth = textWidth(lead);
  // The last column stays free: terminals differ in what a character there does to the cursor.
  const width = Math.max(1, size.columns - 1 - leadWidth);
  const { from, until } = visiblePart(draft, size.rows, width);
  const { rows, row, column } = layOut(draft.text.slice(from, until), width, draft.cursor - from);

  const top = Math.max(0, Math.min(row - (size.rows >> 1), rows.length - size.rows));
  const indent = " ".repeat(leadWidth);
  const first = from === 0 && top === 0 ? lead : indent.replace(" ", "…");
  return {
    rows: rows.slice(top, top + size.rows).map((text, i) => (i === 0 ? first : indent) + text),
    cursor: { row: row - top, column: Math.min(leadWidth + column, size.columns - 1) },
  };
}

/** The part of the text that can be seen at all, and a little more. Long lines move through it in whole steps. */
function visiblePart({ text, cursor }: Draft, rows: number, width: number): { from: number; until: number } {
  const step = rows * width;
  const nearest = Math.max(0, (Math.floor(cursor / step) - 1) * step);
  let from = cursor;
  for (let i = 0; i <= rows && from > nearest; i++) from = text.lastIndexOf("\n", from - 1);
  let until = cursor;
  for (let i = 0; i <= rows && until >= 0; i++) until = text.indexOf("\n", until + Number(i > 0));
  return {
    from: from >= nearest ? Math.max(0, from) : nearest === 0 ? 0 : left({ text, cursor: nearest + 1 }),
    until: Math.min(until < 0 ? text.length : until, cursor + step),
  };
}

function layOut(text: string, width: number, cursor: number): { rows: string[]; row: number; column: number } {
  const rows = [""];
  let column = 0;
  let at = 0;
  let found: { row: number; column: number } | undefined;
  const meet = () => {
    if (at >= cursor) found ??= { row: rows.length - 1, column };
  };
  const isSafe = neutralise(text) === text; // one look at the whole is far cheaper than one at each character
  for (const grapheme of graphemes(text)) {
    if (grapheme === "\n") {
      meet();
      rows.push("");
      column = 0;
    } else {
      const isTab = grapheme === "\t";
      const drawn = isTab ? " ".repeat(Math.min(width, TAB - column % TAB)) : isSafe ? grapheme : neutralise(grapheme);
      const columns = drawn === grapheme ? graphemeWidth(grapheme) : textWidth(drawn);
      if (column + columns > width && column > 0) {
        rows.push("");
        column = 0;
      }
      meet();
      rows.push(rows.pop() + drawn);
      column += columns;
    }
    at += grapheme.length;
  }
  meet();
  return { rows, row: found!.row, column: found!.column };
}

const TAB = 4;
