/**
 * Bytes to lines, with a bound on their length: what a child prints may have no end.
 *
 * @module
 */

import { TimeSlices } from "./time_slices.ts";

const LINE_FEED = 10;

/** What becomes of the lines of a pipe. */
export interface LineReading {
  /** Longer lines are left out. */
  readonly maxBytes: number;
  onLine(line: string): void;
  onTooLong(): void;
}

/**
 * Reads a pipe to its end. A flood leaves everything else its time. Never rejects: what came before a pipe broke
 * counts.
 */
export async function readLines(
  pipe: ReadableStream<Uint8Array>,
  { maxBytes, onLine, onTooLong }: LineReading,
): Promise<void> {
  const cutter = new LineCutter(maxBytes, onTooLong);
  const slices = new TimeSlices(new AbortController().signal);
  try {
    for await (const bytes of pipe) {
      for (const line of cutter.push(bytes)) {
        onLine(line);
        if (slices.isOver) await slices.pause();
      }
      if (slices.isOver) await slices.pause();
    }
  } catch {
    // Broken: there is no more to come.
  }
}

/** Cuts bytes that arrive in pieces into lines of UTF-8. What is no valid UTF-8 is replaced. */
export class LineCutter {
  readonly #maxBytes: number;
  readonly #onTooLong: () => void;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** @param onTooLong Called once for each line of more bytes, which is left out. */
  constructor(maxBytes: number, onTooLong: () => void) {
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /** Takes in a piece, which may be used for something else afterwards, and gives the lines that it completes. */
  push(bytes: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#keep(bytes.subarray(start, end));
      const line = this.#take();
      if (line !== undefined) lines.push(line);
      start = end + 1;
    }
    this.#keep(bytes.slice(start));
    return lines;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const wasShort = this.#length <= this.#maxBytes;
    this.#length += bytes.length;
    if (this.#length <= this.#maxBytes) this.#pieces.push(bytes);
    else if (wasShort) {
      this.#pieces = [];
      this.#onTooLong();
    }
  }

  #take(): string | undefined {
    const line = new Uint8Array(this.#length > this.#maxBytes ? 0 : this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    const isWhole = this.#length <= this.#maxBytes;
    this.#pieces = [];
    this.#length = 0;
    return isWhole ? this.#decoder.decode(line) : undefined;
  }
}
