/**
 * Texts whose lines end with a carriage return alone, as on old Macintosh systems: they are worked on with line feeds.
 *
 * @module
 */

/** Whether carriage returns, and nothing else, end the lines of a text. */
export function hasCrLines(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

/** The text with line feeds if it {@linkcode hasCrLines}: every index stays what it was. */
export function withLineFeeds(text: string): string {
  return hasCrLines(text) ? text.replaceAll("\r", "\n") : text;
}
