/**
 * Figures as a table of plain text.
 *
 * @module
 */

/** A figure of ours beside the same of the floor. */
export interface Row {
  figure: string;
  unit: string;
  ours: number;
  /** Absent where the floor has no such thing. */
  floor?: number;
  /** In words. */
  goal: string;
}

/**
 * Puts figures into columns.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   formatRows([{ figure: "Start", unit: "ms", ours: 120, floor: 80, goal: "1.4x" }]).split("\n")[1]?.split(/ {2,}/),
 *   ["Start", "120 ms", "80 ms", "1.50", "1.4x"],
 * );
 * ```
 */
export function formatRows(rows: readonly Row[]): string {
  const cells = rows.map(({ figure, unit, ours, floor, goal }) => [
    figure,
    withUnit(ours, unit),
    floor === undefined ? "-" : withUnit(floor, unit),
    floor === undefined ? "-" : (ours / floor).toFixed(2),
    goal,
  ]);
  const table = [["figure", "ours", "floor", "ratio", "goal"], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}

function withUnit(number: number, unit: string): string {
  return `${number >= 100 ? Math.round(number) : number.toFixed(number >= 10 ? 1 : 2)} ${unit}`.trimEnd();
}
