/**
 * Text that arrives in pieces, cut anywhere.
 *
 * @module
 */

import { graphemes } from "./text_width.ts";

/** Keeps back the last character of what has arrived while the next piece may still belong to it. */
export class TextPieces {
  #held = "";

  /** Takes the next piece and gives what is whole. Plain ASCII is never kept back. */
  add(piece: string): string {
    const text = this.#held + piece;
    const last = graphemes(text.slice(-MAX_HELD)).at(-1) ?? "";
    this.#held = last > "\x7f" ? last : "";
    return text.slice(0, text.length - this.#held.length);
  }

  /** Gives what was kept back: no more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Code units; an emoji family has eleven. */
const MAX_HELD = 64;
