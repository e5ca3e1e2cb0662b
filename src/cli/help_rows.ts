/**
 * What `/help` prints: the commands and the keys, broken at blanks on a narrow terminal.
 *
 * @module
 */

import type { Styles } from "./ansi.ts";
import type { Command } from "./commands.ts";
import { hungRows, listRows } from "./list_rows.ts";

/** The rows of the help for a terminal of so many columns. */
export function helpRows(commands: readonly Command[], columns: number, styles: Styles): string[] {
  const entries = commands.map(({ name, aliases = [], usage = "", summary }) => {
    const names = [name, ...aliases].map((n) => `/${n}`).join(", ");
    return { name: usage === "" ? names : `${names} ${usage}`, text: summary, nameStyle: styles.cyan };
  });
  return [...listRows(entries, columns), "", ...KEYS.flatMap((line) => hungRows([{ text: line }], columns, 2))];
}

const KEYS: readonly string[] = [
  "Enter sends · \\ at the end, Alt+Enter or a paste make more lines · Tab completes /commands and @files",
  "Ctrl+C ends the turn · Ctrl+R searches earlier messages · Ctrl+D leaves",
  "@file adds a file to the message · !command runs a command of your own",
];
