/**
 * A text that comes in pieces.
 *
 * @module
 */

/** A text in the pieces in which it came: many small ones cost no more than a few large ones. */
export class TextPieces {
  readonly #pieces: string[] = [];
  #half = "";

  /** Takes in a piece. Returns what can be shown: half a character waits for its other half. */
  add(piece: string): string {
    if (piece === "") return "";
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    this.#pieces.push(piece);
    return this.#half === "" ? text : text.slice(0, -1);
  }

  /** Whether no piece has come. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** All of it. */
  join(): string {
    return this.#pieces.join("").toWellFormed();
  }
}
