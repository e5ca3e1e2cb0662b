/**
 * Remarks at the end of a result about what it leaves out.
 *
 * @module
 */

/** Paths that are named; the rest is counted. */
const MAX_NAMED = 10;

/** A remark that names paths, or nothing if there are none. */
export function namingNote(what: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return [`[${what}: ${paths.slice(0, MAX_NAMED).join(", ")}${more}]`];
}

/** A number and its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
