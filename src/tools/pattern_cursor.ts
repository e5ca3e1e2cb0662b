/**
 * A place in the text of a pattern.
 *
 * @module
 */

/** Reads a pattern from its beginning to its end. */
export class PatternCursor {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** The character that comes next, or an empty string. */
  peek(): string {
    const code = this.#source.codePointAt(this.#at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  /** Goes on behind the next character. */
  next(): string {
    const char = this.peek();
    this.#at += char.length;
    return char;
  }

  /** Goes on behind this text, if it comes next. */
  take(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** Goes on behind what a sticky expression matches here, if it does. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** What is wrong with the pattern, and where. */
  problem(text: string): SyntaxError {
    return new SyntaxError(`${text} (at character ${this.#at})`);
  }
}
