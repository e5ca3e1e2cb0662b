/**
 * Lines of a file as a model sees them: numbered, bounded, without control characters.
 *
 * @module
 */

/** A piece of a text, in UTF-16 units; `end` is not part of it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An arrow, and not a tab or a colon: hardly any file has it there, so a pasted number is recognised. */
const SEPARATOR = "→";

const MAX_EXCERPT_LINES = 40;
const MAX_EXCERPT_LINE_CHARS = 500;

/** One line with its number before it. */
export function numberLine(number: number, line: string): string {
  return `${number}${SEPARATOR}${showControls(line)}`;
}

/** Whether each line of the text begins with a number as {@linkcode numberLine} puts it. */
export function hasLineNumbers(text: string): boolean {
  return new RegExp(`^(?: *\\d+${SEPARATOR}.*(?:\\r?\\n|$))+$`).test(text);
}

/** The text with its control characters as `⟨U+001B⟩`; tabs and line feeds stay. */
export function showControls(text: string): string {
  return text.replace(
    CONTROLS,
    (control) => `⟨U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The first `maxChars` characters of a text, one fewer where the cut would go through a surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxChars - 1 : maxChars);
}

/** The number, from 1, of the line that holds this index. */
export function lineNumberAt(text: string, index: number): number {
  let number = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) number++;
  return number;
}

/** Where the line that holds this index begins, or one that is some lines above it. */
export function lineStartAt(text: string, index: number, above = 0): number {
  const start = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  return above === 0 || start === 0 ? start : lineStartAt(text, start - 1, above - 1);
}

/** Where the line that holds this index ends, before its line feed, or one that is some lines below it. */
export function lineEndAt(text: string, index: number, below = 0): number {
  const end = text.indexOf("\n", index);
  if (end === -1) return text.length;
  return below === 0 ? end : lineEndAt(text, end + 1, below - 1);
}

/** Some lines around a piece of a text, numbered: what lies in the middle of a long one is left out, and said so. */
export function excerpt(text: string, span: Span, contextLines: number): string {
  const from = lineStartAt(text, span.start, contextLines);
  const to = lineEndAt(text, span.end, contextLines);
  const first = lineNumberAt(text, from);
  const lines = text.slice(from, to).split("\n");
  if (to === text.length && lines.length > 1 && lines.at(-1) === "") lines.pop(); // behind the last line end is no line
  const changed = lineNumberAt(text.slice(from, span.start), span.start - from) - 1;
  const column = span.start - lineStartAt(text, span.start);
  const shown = lines.map((line, i) => numberLine(first + i, cutAround(line, i === changed ? column : 0)));
  const left = lines.length - MAX_EXCERPT_LINES;
  if (left > 0) shown.splice(MAX_EXCERPT_LINES / 2, left, `(${left} lines left out)`);
  return shown.join("\n");
}

function cutAround(line: string, column: number): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= MAX_EXCERPT_LINE_CHARS) return text;
  const from = Math.max(0, Math.min(column - 100, text.length - MAX_EXCERPT_LINE_CHARS));
  const end = from + MAX_EXCERPT_LINE_CHARS;
  const piece = cutText(text.slice(from), MAX_EXCERPT_LINE_CHARS).replace(/^[\udc00-\udfff]/, "");
  return `${from > 0 ? `(${from} characters left out) …` : ""}${piece}${
    end < text.length ? `… (${text.length - end} characters left out)` : ""
  }`;
}
