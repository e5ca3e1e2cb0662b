/**
 * Lays out text in lines and paragraphs, as it comes in from a page.
 *
 * @module
 */

/** Collects text: blanks are joined; breaks and markers are written when text follows. */
export class TextLayout {
  #parts: string[] = [];
  #breaks = 0;
  #hasBlank = false;
  #marker = "";
  /** Whether a blank came before the first word. */
  #beganBlank = false;

  /** Adds text of which the blanks do not count. */
  text(text: string): void {
    const words = text.replace(/[ \t\n\r\f\u00a0]+/g, " ");
    if (words.startsWith(" ")) this.blank();
    const trimmed = words.trim();
    if (trimmed === "") return;
    this.exact(trimmed);
    if (words.endsWith(" ")) this.blank();
  }

  /** Adds text as it is. */
  exact(text: string): void {
    if (text === "") return;
    if (this.#parts.length > 0) {
      if (this.#breaks > 0) this.#parts.push("\n".repeat(this.#breaks));
      else if (this.#hasBlank && this.#marker === "") this.#parts.push(" ");
    }
    this.#parts.push(this.#marker + text);
    this.#marker = "";
    this.#breaks = 0;
    this.#hasBlank = false;
  }

  /** Adds what was made of another layout's text, with the blanks around that. */
  collected(other: TextLayout, text: string): void {
    if (other.#beganBlank) this.blank();
    this.exact(text);
    if (other.#hasBlank) this.blank();
  }

  /** What follows is a word of its own. */
  blank(): void {
    if (this.#parts.length === 0) this.#beganBlank = true;
    this.#hasBlank = true;
  }

  /** What follows begins on a new line, or with 2 after an empty one; but never apart from its marker. */
  break(lines: 1 | 2): void {
    if (this.#marker !== "") return;
    this.#breaks = Math.max(this.#breaks, lines);
    this.#hasBlank = false;
  }

  /** What follows gets this in front of it, if anything follows. */
  mark(marker: string): void {
    this.#marker += marker;
  }

  /** No text came after the last marker: it is taken back. */
  unmark(): void {
    this.#marker = "";
  }

  /** All that was written. */
  toString(): string {
    return this.#parts.join("");
  }
}
