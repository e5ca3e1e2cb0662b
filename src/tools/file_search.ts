/**
 * Searches files, one after the other.
 *
 * @module
 */

import { type FoundLine, FoundLines } from "./found_lines.ts";
import { LineSearch } from "./line_search.ts";
import type { SearchPattern } from "./search_pattern.ts";
import { TextPieces } from "./text_pieces.ts";
import type { TimeSlices } from "./time_slices.ts";
import { isUnreadable } from "./tree_access.ts";

/** What is wanted: lines, only whether there is one, or only how many. */
export type SearchMode = "content" | "files" | "count";

/** How files are searched. */
export interface FileSearchOptions {
  /** Matching lines that are shown of one file. */
  readonly maxLines: number;
  /** Lines to show before and behind a match. */
  readonly context: number;
  readonly mode: SearchMode;
  readonly slices: TimeSlices;
}

/** What was found in a file. */
export interface FileHits {
  /** Matching lines. */
  readonly count: number;
  readonly lines: readonly FoundLine[];
}

/** A search that is used for one file after the other. */
export class FileSearch {
  readonly #search: LineSearch;
  readonly #pieces = new TextPieces();
  readonly #options: FileSearchOptions;

  /** @throws {SyntaxError} If the pattern is too large. */
  constructor(pattern: SearchPattern, options: FileSearchOptions) {
    this.#search = new LineSearch(pattern);
    this.#options = options;
  }

  /**
   * Searches a regular file.
   *
   * @throws The reason of the signal, if it was aborted.
   */
  async search(path: string): Promise<FileHits | "binary" | "unreadable"> {
    const { maxLines, context, mode, slices } = this.#options;
    const found = new FoundLines(context);
    let count = 0;
    const pieces = this.#pieces.read(path);
    try {
      for (let piece = pieces.next();; piece = pieces.next()) {
        if (piece.done) return piece.value ? { count, lines: found.lines } : "binary";
        this.#search.open(piece.value);
        found.open(piece.value);
        while (!this.#search.isDone) {
          const place = this.#search.step();
          if (place !== undefined) {
            if (count++ < maxLines && mode === "content") found.add(place);
            if (mode === "files") return { count, lines: found.lines };
          }
          if (slices.isOver && !await slices.pause()) return { count, lines: found.lines };
        }
        found.close();
      }
    } catch (error) {
      if (isUnreadable(error)) return "unreadable";
      throw error;
    } finally {
      pieces.return(false);
    }
  }
}
