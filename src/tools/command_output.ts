/**
 * The bytes that a command wrote as text for the model.
 *
 * @module
 */

import type { CapturedOutput } from "./output_buffer.ts";
import { TerminalText } from "./terminal_text.ts";
import { TimeSlices } from "./time_slices.ts";

const SLICE_BYTES = 32_768;

/** Turns the output of one command into text, also when it comes in several parts. */
export class CommandText {
  readonly #decoder = new TextDecoder();
  readonly #terminal = new TerminalText();

  /**
   * The text of the next part: as a terminal would have left it, with U+FFFD for what is not UTF-8, and a line about
   * what was dropped.
   *
   * @throws The signal's reason when it aborts.
   */
  async read({ head, tail, omittedBytes }: CapturedOutput, signal: AbortSignal): Promise<string> {
    const slices = new TimeSlices(signal);
    const text: string[] = [];
    for (const part of [head, tail]) {
      for (let at = 0; at < part.length; at += SLICE_BYTES) {
        const bytes = part.subarray(at, at + SLICE_BYTES);
        text.push(this.#terminal.write(this.#decoder.decode(bytes, { stream: true })));
        if (slices.isOver) await slices.pause();
      }
      text.push(this.#terminal.flush());
      if (part === head && omittedBytes > 0) text.push(`\n[${omittedBytes} bytes are lost here: too much output]\n`);
    }
    return text.join("");
  }
}
