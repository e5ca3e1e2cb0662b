/**
 * Shows on the screen what a command writes, while it runs.
 *
 * @module
 */

import { TerminalText } from "./terminal_text.ts";

/** A screen that scrolls faster than this is not read: what comes faster is passed over. */
const CHARS_PER_MS = 100;
const MAX_BURST = 65_536;

/** Hands on readable text at once, piece by piece, as far as a screen can follow. */
export class LiveOutput {
  readonly #show: (text: string) => void;
  #decoder = new TextDecoder();
  #terminal = new TerminalText();
  #allowance = MAX_BURST;
  #lastAt = performance.now();
  #isSkipping = false;

  /** @param show Gets text without control characters. */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** Takes a piece of output. */
  write(bytes: Uint8Array): void {
    const now = performance.now();
    this.#allowance = Math.min(MAX_BURST, this.#allowance + (now - this.#lastAt) * CHARS_PER_MS);
    this.#lastAt = now;
    if (bytes.length > this.#allowance) {
      this.#isSkipping = true;
      return;
    }
    this.#allowance -= bytes.length;
    if (this.#isSkipping) {
      this.#decoder = new TextDecoder();
      this.#terminal = new TerminalText();
      this.#isSkipping = false;
      this.#show("\n…\n");
    }
    const piece = this.#decoder.decode(bytes, { stream: true });
    // A progress line that starts anew cannot be overwritten on the screen: it gets a line of its own.
    const text = this.#terminal.write(piece.replace(/^\r(?!\n)/, "\n")) + this.#terminal.flush();
    if (text !== "") this.#show(text);
  }
}
