/**
 * Sorts all characters into the few classes that a pattern tells apart.
 *
 * @module
 */

import { type CharNode, REPLACEMENT, WORD } from "./pattern_chars.ts";

/**
 * What a character is to the place beside it. `edge` is the end or the start of a line, `return` a carriage return that
 * belongs to the line end behind it.
 */
export type Neighbour = "edge" | "return" | "word" | "other";

/** Characters that a pattern treats alike. */
export interface CharClass {
  /** For each set of the pattern, whether it holds them. */
  readonly inSets: readonly boolean[];
  /** What they are to the place before them. */
  readonly asNext: Neighbour;
  /** What they are to the place behind them. */
  readonly asPrevious: Neighbour;
}

/** Classes have numbers that fit into a byte; 0 is none of them. */
const MAX_CLASSES = 255;
const MAX_RARE = 10_000;
const CR = 0x0d;
/** Stands for a carriage return that belongs to the line end behind it. */
const CR_BEFORE_LF = -1;

/** The classes of the characters that have occurred. */
export class CharClasses {
  /** The number of the class by UTF-16 code, 0 where {@linkcode CharClasses.classAt} must be asked. */
  readonly table = new Uint8Array(0x10000);
  readonly #tests: readonly ((char: string) => boolean)[];
  readonly #onReset: () => void;
  #classes: CharClass[] = [];
  readonly #numbers = new Map<string, number>();
  /** Characters of two codes, and those that depend on what follows. */
  readonly #rare = new Map<number, number>();

  /** @param onReset Called when all numbers have lost their meaning, because there were too many classes. */
  constructor(sets: readonly CharNode[], ignoreCase: boolean, onReset: () => void) {
    this.#tests = sets.map(({ literal, js }) => {
      if (literal !== undefined && !ignoreCase) return (char) => char === literal;
      const expression = new RegExp(`^${js}$`, ignoreCase ? "iv" : "v");
      return (char) => char !== REPLACEMENT && expression.test(char);
    });
    this.#onReset = onReset;
  }

  /** The class with this number. */
  get(number: number): CharClass {
    return this.#classes[number - 1]!;
  }

  /** The number of the class of the character at an index, and how many codes it has. */
  classAt(text: string, index: number): { number: number; length: number } {
    const code = text.codePointAt(index)!;
    const length = code > 0xffff ? 2 : 1;
    const key = code === CR && text[index + 1] === "\n" ? CR_BEFORE_LF : code;
    const known = this.table[code] || this.#rare.get(key);
    if (known) return { number: known, length };
    const number = this.#classify(String.fromCodePoint(code), key);
    if (code === CR || (code >= 0xd800 && code <= 0xdfff) || length > 1) {
      if (this.#rare.size >= MAX_RARE) this.#rare.clear();
      this.#rare.set(key, number);
    } else {
      this.table[code] = number;
    }
    return { number, length };
  }

  #classify(char: string, key: number): number {
    const inSets = this.#tests.map((test) => test(char));
    const kind = char === "\n" ? "edge" : IS_WORD.test(char) ? "word" : "other";
    const [asNext, asPrevious] = key === CR_BEFORE_LF ? ["edge", "return"] as const : [kind, kind] as const;
    const signature = `${inSets.map(Number).join("")} ${asPrevious} ${asNext}`;
    const known = this.#numbers.get(signature);
    if (known !== undefined) return known;
    if (this.#classes.length >= MAX_CLASSES) this.#reset();
    const number = this.#classes.push({ inSets, asNext, asPrevious });
    this.#numbers.set(signature, number);
    return number;
  }

  #reset(): void {
    this.#classes = [];
    this.#numbers.clear();
    this.#rare.clear();
    this.table.fill(0);
    this.#onReset();
  }
}

const IS_WORD = new RegExp(`^${WORD}$`, "v");
