/**
 * Which tools a hook is for.
 *
 * @module
 */

import { compileSegments, GLOBSTAR } from "../tools/wildcard.ts";

/**
 * Compiles a hook's `match`: names of tools or globs, with `|` between them.
 *
 * @throws {SyntaxError} If one of the globs cannot be read.
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const match = compileMatch("write_*|edit_file");
 * assert(match("write_file") && match("edit_file") && !match("read_file"));
 * ```
 */
export function compileMatch(match = "*"): (tool: string) => boolean {
  const globs = match.split("|").map((glob) => compileSegments(glob.trim()));
  return (tool) => globs.some(([test, ...more]) => more.length === 0 && (test === GLOBSTAR || (test?.(tool) ?? false)));
}
