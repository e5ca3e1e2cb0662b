import { assert, assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { BUILTIN_COMMANDS } from "../../src/cli/builtin_commands.ts";
import { helpRows } from "../../src/cli/help_rows.ts";

const styles = makeStyles(false);
const help = (columns: number) => helpRows(BUILTIN_COMMANDS, columns, styles);
const words = (rows: readonly string[]) => rows.join("\n").split(/\s+/);

Deno.test("the help fits its columns and breaks no word", () => {
  for (const columns of [100, 60, 40]) {
    const rows = help(columns);
    assertEquals(rows.filter((row) => row.length > columns), [], `${columns} columns`);
    assertEquals(words(rows), words(help(1000)));
  }
});

Deno.test("a summary stands beside its command, on a narrow terminal below it", () => {
  assert(help(100).some((row) => /^\/mode \[plan\S*\]  +show the permission mode, or change it$/.test(row)));
  const narrow = help(40);
  assertEquals(narrow[narrow.indexOf("/tools") + 1], "    what the model can do, and what is");
  assertEquals(narrow[narrow.indexOf("/tools") + 2], "    missing");
});
