/**
 * What `/help` prints: the commands and the keys, broken at blanks on a narrow terminal.
 *
 * @module
 */

import type { Styles } from "./ansi.ts";
import type { Command } from "./commands.ts";
import { paint, type Span, wrap } from "./wrap.ts";

/** The rows of the help for a terminal of so many columns. */
export function helpRows(commands: readonly Command[], columns: number, styles: Styles): string[] {
  const left = commands.map(({ name, aliases = [], usage = "" }) => {
    const names = [name, ...aliases].map((n) => `/${n}`).join(", ");
    return usage === "" ? names : `${names} ${usage}`;
  });
  const width = Math.max(...left.map((text) => text.length)) + 2;
  const isNarrow = columns - width < MIN_SUMMARY;
  const rows = commands.flatMap(({ summary }, i) => {
    const name = { text: left[i]!, style: styles.cyan };
    if (isNarrow) {
      return [
        ...hung([name], columns, 2),
        ...hung([{ text: summary }], columns - 4).map((row) => `    ${row}`),
      ];
    }
    const [first = "", ...more] = hung([{ text: summary }], columns - width);
    return [styles.cyan(left[i]!.padEnd(width)) + first, ...more.map((row) => " ".repeat(width) + row)];
  });
  return [...rows, "", ...KEYS.flatMap((line) => hung([{ text: line }], columns, 2))];
}

/** A text in rows, all but the first indented. */
function hung(spans: readonly Span[], columns: number, indent = 0): string[] {
  return wrap(spans, columns - indent).map((row, i) => (i === 0 ? "" : " ".repeat(indent)) + paint(row));
}

/** With fewer columns beside the names a summary stands below its name. */
const MIN_SUMMARY = 24;

const KEYS: readonly string[] = [
  "Enter sends · \\ at the end, Alt+Enter or a paste make more lines · Tab completes /commands and @files",
  "Ctrl+C ends the turn · Ctrl+R searches earlier messages · Ctrl+D leaves",
  "@file adds a file to the message · !command runs a command of your own",
];
