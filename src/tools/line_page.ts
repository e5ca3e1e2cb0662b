/**
 * A page of a text's lines, from pieces of the text as they come.
 *
 * @module
 */

import { cutText, numberLine, showControls } from "./numbered_lines.ts";

/** Which lines, and how much of them. */
export interface PageOptions {
  /** The first line, from 1. */
  readonly offset: number;
  readonly maxLines: number;
  /** Characters of the whole page, line numbers included. */
  readonly maxChars: number;
  /** Characters of one line; what is over is left out and counted. */
  readonly maxLineChars: number;
}

/** A control character is shown as eight. */
const MAX_CHARS_OF_ONE = 8;

/**
 * Collects the lines of one page and counts the others, without holding more of the text than the page. If there is a
 * line at the offset, it is on the page, however long it is: whoever reads on gets on.
 */
export class LinePage {
  /** The lines, numbered. */
  readonly lines: string[] = [];
  /** Lines of the whole text, as far as it has come. */
  totalLines = 0;
  /** How many of them end with CR LF. */
  returns = 0;
  /** How many lines of the page were cut. */
  cutLines = 0;
  /** Whether the text ends with a line end. */
  endsWithNewline = true;

  readonly #options: PageOptions;
  #chars = 0;
  #isFull = false;
  /** The line that has not ended yet: its beginning, its whole length, whether its last character is a CR. */
  #head = "";
  #length = 0;
  #hasReturn = false;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** Takes the next piece of the text. */
  add(text: string): void {
    for (let start = 0; start < text.length;) {
      const next = text.indexOf("\n", start);
      this.#extend(text, start, next === -1 ? text.length : next);
      if (next === -1) return;
      this.#finishLine(true);
      start = next + 1;
    }
  }

  /** Says that the text has ended. */
  end(): void {
    if (this.#length > 0) this.#finishLine(false);
  }

  #extend(text: string, start: number, end: number): void {
    if (start === end) return;
    this.#length += end - start;
    this.#hasReturn = text.charCodeAt(end - 1) === 0x0d;
    // one more than is shown, for a CR that does not count
    const room = this.#options.maxLineChars + 1 - this.#head.length;
    if (room > 0 && this.#wantsLine(this.totalLines + 1)) this.#head += text.slice(start, Math.min(end, start + room));
  }

  #finishLine(hasNewline: boolean): void {
    const isReturn = hasNewline && this.#hasReturn;
    this.totalLines++;
    if (isReturn) this.returns++;
    this.endsWithNewline = hasNewline;
    if (this.#wantsLine(this.totalLines)) this.#show(this.#head, this.#length - (isReturn ? 1 : 0));
    this.#head = "";
    this.#length = 0;
    this.#hasReturn = false;
  }

  #wantsLine(number: number): boolean {
    return number >= this.#options.offset && this.lines.length < this.#options.maxLines && !this.#isFull;
  }

  #show(head: string, length: number): void {
    const { maxChars, maxLineChars } = this.#options;
    let text = cutText(head, Math.min(length, maxLineChars));
    if (showControls(text).length > maxLineChars) text = cutText(text, Math.floor(maxLineChars / MAX_CHARS_OF_ONE));
    const left = length - text.length;
    const line = numberLine(this.totalLines, text) + (left > 0 ? `… (${left} more characters in this line)` : "");
    this.#isFull = this.lines.length > 0 && this.#chars + line.length + 1 > maxChars;
    if (this.#isFull) return;
    this.#chars += line.length + 1;
    this.lines.push(line);
    if (left > 0) this.cutLines++;
  }
}
