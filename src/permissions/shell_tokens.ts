/**
 * Splits the text of a POSIX shell command into words and operators, and finds the commands inside substitutions.
 *
 * What shells read differently is marked as unclear rather than decided: the text may run in any of them.
 *
 * @module
 */

import { type Reading, ShellScanner } from "./shell_scanner.ts";
import { ShellSyntaxError, type ShellText } from "./shell_text.ts";

/** The longest command, in UTF-16 units: systems take 128 KiB for one argument. */
export const MAX_COMMAND_LENGTH = 100_000;

/**
 * Reads a whole command text.
 *
 * @throws {ShellSyntaxError} If a quote or substitution does not end, or the text is too long or not text at all.
 */
export function tokenize(text: string): ShellText {
  if (text.length > MAX_COMMAND_LENGTH) {
    throw new ShellSyntaxError(`it is longer than ${MAX_COMMAND_LENGTH} characters: write a script and run that`);
  }
  if (text.includes("\0")) throw new ShellSyntaxError("it holds a NUL character");
  if (!text.isWellFormed()) throw new ShellSyntaxError("it is not valid Unicode");
  const reading: Reading = { tokens: 0 };
  const scanner = new ShellScanner(text, 0, { reading, depth: 0 });
  try {
    scanner.readList(false);
  } catch (error) {
    // after a doubt a missing quote may be ours alone
    if (!(error instanceof ShellSyntaxError) || reading.unclear === undefined) throw error;
  }
  const { unclear } = reading;
  return { tokens: scanner.tokens, ...(unclear !== undefined && { unclear }) };
}
