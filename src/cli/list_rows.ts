/**
 * Names with what they stand for, in two columns that break at blanks.
 *
 * @module
 */

import type { Style } from "./ansi.ts";
import { paint, type Span, wrap } from "./wrap.ts";

/** An entry of a list. */
export interface ListEntry {
  readonly name: string;
  readonly text: string;
  readonly nameStyle?: Style | undefined;
  readonly textStyle?: Style | undefined;
}

/** The rows of a list: a text stands beside its name, on a narrow terminal below it. */
export function listRows(entries: readonly ListEntry[], columns: number): string[] {
  const width = Math.max(0, ...entries.map(({ name }) => name.length)) + 2;
  const isNarrow = columns - width < MIN_TEXT;
  return entries.flatMap(({ name, text, nameStyle, textStyle }) => {
    const span = { text, style: textStyle };
    if (isNarrow) {
      return [
        ...hungRows([{ text: name, style: nameStyle }], columns, 2),
        ...hungRows([span], columns - 4).map((row) => `    ${row}`),
      ];
    }
    const [first = "", ...more] = hungRows([span], columns - width);
    const left = paint([{ text: name.padEnd(width), style: nameStyle }]);
    return [left + first, ...more.map((row) => " ".repeat(width) + row)];
  });
}

/** A text in rows, all but the first indented. */
export function hungRows(spans: readonly Span[], columns: number, indent = 0): string[] {
  return wrap(spans, columns - indent).map((row, i) => (i === 0 ? "" : " ".repeat(indent)) + paint(row));
}

/** With fewer columns beside the names a text stands below its name. */
const MIN_TEXT = 24;
