/**
 * Puts a word together while its pieces are read.
 *
 * @module
 */

import type { Token, Word } from "./shell_text.ts";

/** A word that grows: what it says, and whether a shell would make something else of it. */
export class ShellWordBuilder {
  text = "";
  quoted = false;
  inner: (readonly Token[])[] = [];
  #literal = true;

  addPlain(char: string): void {
    // blanks that look like blanks and are none, and what a shell expands
    if (/[*?[{}~]|[^\P{Z} ]|[\p{Cc}\p{Cf}]/u.test(char)) this.#literal = false;
    this.text += char;
  }

  quote(text: string): void {
    this.quoted = true;
    this.text += text;
  }

  addInner(tokens: readonly Token[]): void {
    this.inner.push(tokens);
  }

  addExpansion(text: string): void {
    this.#literal = false;
    this.text += text;
  }

  finish(): Word {
    const literal = this.#literal || this.text === "["; // alone it is the command that tests
    return { type: "word", text: this.text, literal, quoted: this.quoted, inner: this.inner };
  }
}
