/**
 * A tool call as one line for people.
 *
 * @module
 */

/** Characters of a line at most. */
const MAX_LENGTH = 120;

/** `⏺ name subject`, cut to one line; the whole call stands in the record. */
export function callLine(name: string, subject: string): string {
  const line = `⏺ ${name} ${subject.replaceAll(/\s+/g, " ")}`.trim();
  const characters = [...line];
  return characters.length <= MAX_LENGTH ? line : characters.slice(0, MAX_LENGTH - 1).join("") + "…";
}
