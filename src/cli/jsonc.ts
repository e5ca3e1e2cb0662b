/**
 * JSON as people write it in configuration files: with comments, trailing commas and a byte order mark. Not
 * `JSON.parse`, because its errors do not always tell the place.
 *
 * @module
 */

/** Levels of nesting at most. */
const MAX_DEPTH = 100;

/**
 * Reads JSON (RFC 8259) with `//` and block comments and trailing commas.
 *
 * @throws {SyntaxError} If it is something else; the message names line and column.
 * @example
 * ```ts
 * import { parseJsonc } from "./jsonc.ts";
 *
 * const value = parseJsonc('{"mode": "edit", // for this machine\n}') as { mode: string };
 * if (value.mode !== "edit") throw new Error(value.mode);
 * ```
 */
export function parseJsonc(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip(/\ufeff?/y);
  }

  value(depth: number): unknown {
    this.#blanks();
    if (depth > MAX_DEPTH) this.#fail("Too deeply nested");
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case undefined:
        return this.#fail("The text ends where a value should stand");
      default: {
        const word = this.#skip(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
        return word === "" ? this.#fail("A value is missing or misspelt") : JSON.parse(word);
      }
    }
  }

  end(): void {
    this.#blanks();
    if (this.#at < this.#text.length) this.#fail("Something follows the end");
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.#list("}", () => {
      if (this.#text[this.#at] !== '"') this.#fail("A name in double quotes should stand here");
      const name = this.#string();
      this.#blanks();
      if (this.#skip(/:/y) === "") this.#fail("A colon is missing");
      entries.push([name, this.value(depth + 1)]);
    });
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#list("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  /** Reads what stands between brackets, separated by commas. */
  #list(close: string, item: () => void): void {
    this.#at++;
    for (let first = true;; first = false) {
      this.#blanks();
      if (!first && this.#text[this.#at] === ",") {
        this.#at++;
        this.#blanks();
      } else if (!first && this.#text[this.#at] !== close) {
        this.#fail(`A comma or "${close}" is missing`);
      }
      if (this.#text[this.#at] === close) {
        this.#at++;
        return;
      }
      item();
    }
  }

  #string(): string {
    const start = this.#at;
    const literal = this.#skip(/"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy);
    if (literal !== "") return JSON.parse(literal);
    this.#at = start;
    return this.#fail("A text is not closed, or holds something that must be escaped");
  }

  #blanks(): void {
    this.#skip(/(?:[ \t\r\n]|\/\/[^\n]*|\/\*[^]*?\*\/)*/y);
  }

  /** Moves over what the pattern matches here, and returns it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #fail(what: string): never {
    const lines = this.#text.slice(0, this.#at).split("\n");
    throw new SyntaxError(`${what} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`);
  }
}
