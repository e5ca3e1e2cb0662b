/**
 * The lines of a file that a search shows: those that match and those around them.
 *
 * @module
 */

import { lineEnd, lineStart } from "./line_search.ts";

/** A line that is shown. */
export interface FoundLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without its end; a long line is cut around the match. */
  readonly text: string;
  /** Whether it matches, or only stands beside one that does. */
  readonly isMatch: boolean;
}

/** Characters of a line that are shown. */
const MAX_LENGTH = 300;

/** Collects the lines of one file, piece by piece. Where two pieces meet, the lines before a match may be missing. */
export class FoundLines {
  readonly lines: FoundLine[] = [];
  readonly #context: number;
  #text = "";
  /** The start of the first line that was not passed yet, and its number. */
  #at = 0;
  #number = 1;
  /** Lines that are still to be shown behind the last match. */
  #owed = 0;

  /** @param context Lines to show before and behind a match. */
  constructor(context: number) {
    this.#context = context;
  }

  /** Begins with the next piece of the file. */
  open(text: string): void {
    this.#skipTo(this.#text.length); // only to count: most files are one piece and are spared it
    this.#text = text;
    this.#at = 0;
  }

  /** Adds the line of a match, which comes behind all that were added. */
  add(place: number): void {
    const start = lineStart(this.#text, place);
    this.#showOwed(start);
    let from = start;
    for (let i = 0; i < this.#context && from > this.#at; i++) from = lineStart(this.#text, from - 1);
    this.#skipTo(from);
    while (this.#at < start) this.#show();
    this.#show(place);
    this.#owed = this.#context;
  }

  /** Ends with a piece. */
  close(): void {
    this.#showOwed(this.#text.length);
  }

  #showOwed(end: number): void {
    for (; this.#owed > 0 && this.#at < end; this.#owed--) this.#show();
  }

  /** Shows the next line and passes it. */
  #show(place?: number): void {
    const end = lineEnd(this.#text, this.#at);
    const text = cutLine(this.#text, { start: this.#at, end, around: place ?? this.#at });
    this.lines.push({ number: this.#number++, text, isMatch: place !== undefined });
    this.#at = end + 1;
  }

  #skipTo(place: number): void {
    while (this.#at < place) {
      this.#at = lineEnd(this.#text, this.#at) + 1;
      this.#number++;
    }
  }
}

function cutLine(text: string, { start, end, around }: { start: number; end: number; around: number }): string {
  const lastEnd = text[end - 1] === "\r" && end > start ? end - 1 : end;
  if (lastEnd - start <= MAX_LENGTH) return text.slice(start, lastEnd);
  const from = wholeCharacter(text, Math.max(start, Math.min(around - MAX_LENGTH / 2, lastEnd - MAX_LENGTH)));
  const to = wholeCharacter(text, Math.min(lastEnd, from + MAX_LENGTH));
  return `${from > start ? "…" : ""}${text.slice(from, to)}${to < lastEnd ? "…" : ""}`;
}

/** The place itself, or the one behind it if it lies within a character. */
function wholeCharacter(text: string, place: number): number {
  return place > 0 && text.codePointAt(place - 1)! > 0xffff ? place + 1 : place;
}
