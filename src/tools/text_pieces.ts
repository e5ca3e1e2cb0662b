/**
 * Text files read for a search: fast, in bounded memory, and only if they are text.
 *
 * @module
 */

import { withLineFeeds } from "./cr_lines.ts";
import { formatOf, HEAD_BYTES } from "./large_text.ts";
import { REPLACEMENT } from "./pattern_chars.ts";
import { decodeText, type Encoding } from "./text_file.ts";

const FIRST_BYTES = 262_144;
/** What is held of a file at a time, and so the longest line that is searched as one. */
const MAX_BYTES = 8_388_608;
/** Git looks this far for a NUL too. */
const SNIFFED = 8000;
const LF = 0x0a;
const CR = 0x0d;

/** Reads one file after the other with the same memory. */
export class TextPieces {
  #buffer = new Uint8Array(FIRST_BYTES);
  readonly #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * Reads a regular file in pieces of whole lines; most files are one piece. A byte order mark is left out, and lines
   * that end CR come with line feeds.
   *
   * Reading is synchronous, which takes a third of the time. Whoever iterates pauses in between.
   *
   * @returns Whether it was text; if not, there were no pieces.
   */
  *read(path: string): Generator<string, boolean> {
    using file = Deno.openSync(path);
    let { length, isEnd } = this.#fill(file, 0);
    const utf16 = utf16Encoding(this.#buffer, length);
    if (utf16) {
      if (!isEnd) return false; // its lines cannot be told apart by a byte
      yield withLineFeeds(new TextDecoder(utf16).decode(this.#buffer.subarray(0, length)));
      return true;
    }
    const lineEnd = this.#buffer.subarray(0, length).includes(LF) ? LF : CR;
    let decoder = this.#utf8;
    for (let isFirst = true;; isFirst = false) {
      const end = isEnd ? length : this.#buffer.lastIndexOf(lineEnd, length - 1) + 1 || length;
      let text = decoder.decode(this.#buffer.subarray(0, end));
      if (isFirst && text.slice(0, SNIFFED).includes("\0")) return false;
      if (isFirst && text.includes(REPLACEMENT)) {
        const encoding = encodingOf(this.#buffer.subarray(0, length), isEnd);
        if (!encoding) return false;
        decoder = new TextDecoder(encoding, { ignoreBOM: true });
        text = decoder.decode(this.#buffer.subarray(0, end));
      }
      if (lineEnd === CR) text = text.replaceAll("\r", "\n");
      yield isFirst && text.startsWith("\uFEFF") ? text.slice(1) : text;
      if (isEnd) return true;
      this.#buffer.copyWithin(0, end, length);
      ({ length, isEnd } = this.#fill(file, length - end));
    }
  }

  /** Reads on behind what the buffer holds, until it is full or the file has come to its end. */
  #fill(file: Deno.FsFile, held: number): { length: number; isEnd: boolean } {
    let length = held;
    while (true) {
      const read = file.readSync(this.#buffer.subarray(length)) ?? 0;
      length += read;
      // a regular file gives less than it was asked for only at its end
      if (length < this.#buffer.length) return { length, isEnd: true };
      if (length >= MAX_BYTES) return { length, isEnd: read === 0 };
      const larger = new Uint8Array(Math.min(length * 4, MAX_BYTES));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
  }
}

function utf16Encoding([first, second]: Uint8Array, length: number): "utf-16le" | "utf-16be" | undefined {
  if (length < 2) return undefined;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** What `read_file` takes the file for, of which these are all or the first bytes. */
function encodingOf(bytes: Uint8Array, isWhole: boolean): Encoding | undefined {
  return (isWhole ? decodeText(bytes) : formatOf(bytes.subarray(0, HEAD_BYTES)))?.encoding;
}
