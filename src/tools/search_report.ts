/**
 * What a search tells the model: bounded, and with what it leaves out.
 *
 * @module
 */

import type { FileHits, SearchMode } from "./file_search.ts";
import type { FoundLine } from "./found_lines.ts";
import { showControls } from "./numbered_lines.ts";
import { counted } from "./result_notes.ts";

/** What a report holds at most. */
export interface ReportOptions {
  readonly mode: SearchMode;
  /** Matching lines, or files in the modes that show no lines. */
  readonly limit: number;
  /** Whether lines are shown around those that match. */
  readonly hasContext: boolean;
}

/** Characters of a report. */
const MAX_CHARS = 25_000;

/** A report that grows by one file after the other, until it is full. */
export class SearchReport {
  readonly #mode: SearchMode;
  readonly #limit: number;
  readonly #hasContext: boolean;
  readonly #lines: string[] = [];
  #chars = 0;
  #shown = 0;
  #files = 0;
  #matches = 0;

  constructor({ mode, limit, hasContext }: ReportOptions) {
    this.#mode = mode;
    this.#limit = limit;
    this.#hasContext = hasContext;
  }

  /** Whether nothing more can be shown. */
  get isFull(): boolean {
    return this.#shown >= this.#limit || this.#chars >= MAX_CHARS;
  }

  get isEmpty(): boolean {
    return this.#files === 0;
  }

  /** Adds a file that has matches, by the name that the model may use. */
  add(name: string, { count, lines }: FileHits): void {
    this.#files++;
    this.#matches += count;
    switch (this.#mode) {
      case "files":
        this.#shown++;
        return this.#push(name);
      case "count":
        this.#shown++;
        return this.#push(`${name}:${count}`);
      case "content":
        return this.#addLines(name, count, lines);
      default:
        return this.#mode satisfies never;
    }
  }

  /** The lines of the report; the last one counts. */
  render(): string[] {
    const files = counted(this.#files, "file");
    const total = this.#mode === "files" ? files : `${counted(this.#matches, "matching line")} in ${files}`;
    return [...this.#lines, `[${total}]`];
  }

  #addLines(name: string, count: number, lines: readonly FoundLine[]): void {
    let shown = 0;
    let next = 0;
    for (const { number, text, isMatch } of lines) {
      if (this.isFull) break;
      if (this.#hasContext && number > next && this.#lines.length > 0) this.#push("--");
      const mark = isMatch ? ":" : "-";
      this.#push(`${name}${mark}${number}${mark}${showControls(text)}`);
      next = number + 1;
      if (isMatch) {
        shown++;
        this.#shown++;
      }
    }
    if (shown < count) this.#push(`[${name}: ${counted(count - shown, "more matching line")}]`);
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }
}
