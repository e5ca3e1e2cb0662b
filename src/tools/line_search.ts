/**
 * Looks for matching lines in a text, in steps that are short whatever the text and the pattern are.
 *
 * @module
 */

import { LineAutomaton } from "./line_automaton.ts";
import { literalChar } from "./pattern_chars.ts";
import { type RequiredTexts, requiredTexts } from "./required_text.ts";
import type { SearchPattern } from "./search_pattern.ts";

/** Characters that are matched in one step. */
const STEP = 16_384;

/** Where the next of some texts ends that begins at or after an index, or -1. */
type TextFinder = (text: string, from: number) => number;

/**
 * A search that is used for one text after the other.
 *
 * @example
 * ```ts
 * import { LineSearch } from "./line_search.ts";
 * import { parsePattern } from "./search_pattern.ts";
 *
 * const search = new LineSearch(parsePattern("b+$", false));
 * search.open("abb\nab c\n");
 * while (!search.isDone) {
 *   const hit = search.step(); // 3, and undefined where nothing was found in this step
 * }
 * ```
 */
export class LineSearch {
  readonly #findText: TextFinder | undefined;
  readonly #isWhole: boolean;
  readonly #automaton: LineAutomaton;
  #text = "";
  #at = 0;
  /** Where the part ends that the automaton reads: the text, or a line that may match. */
  #end = 0;

  /** @throws {SyntaxError} If the pattern is too large. */
  constructor(pattern: SearchPattern) {
    const required = requiredTexts(pattern.root);
    this.#findText = required && textFinder(required, pattern.ignoreCase);
    this.#isWhole = required?.isWhole ?? false;
    this.#automaton = new LineAutomaton(pattern);
  }

  /** Begins with a text that starts at the start of a line. */
  open(text: string): void {
    this.#text = text;
    this.#at = 0;
    this.#end = this.#findText ? 0 : text.length;
    this.#automaton.begin();
  }

  /** Whether all lines have been looked at. */
  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /**
   * Goes on for a while.
   *
   * @returns A place in the next matching line: it lies in a match or at its end. Nothing if there is none so far.
   */
  step(): number | undefined {
    if (this.#at >= this.#end && this.#findText) return this.#nextCandidate(this.#findText);
    return this.#match();
  }

  #nextCandidate(find: TextFinder): number | undefined {
    const place = find(this.#text, this.#at);
    if (place < 0) {
      this.#at = this.#end = this.#text.length;
      return undefined;
    }
    this.#end = lineEnd(this.#text, place);
    if (this.#isWhole) return this.#leaveLine(place);
    this.#at = lineStart(this.#text, place);
    this.#automaton.begin();
    return undefined;
  }

  #match(): number | undefined {
    const end = stepEnd(this.#text, this.#at, this.#end);
    const place = this.#automaton.scan(this.#text, this.#at, end);
    this.#at = end;
    if (place >= 0) return this.#leaveLine(place);
    if (end < this.#end) return undefined;
    const isOpenLine = this.#text[end - 1] !== "\n";
    const isMatch = isOpenLine && this.#automaton.matchesAtEnd();
    if (isOpenLine) this.#leaveLine(end);
    return isMatch ? end : undefined;
  }

  /** Goes on behind the line of a place. */
  #leaveLine(place: number): number {
    this.#at = lineEnd(this.#text, place) + 1;
    if (this.#findText) this.#end = this.#at;
    this.#automaton.begin();
    return place;
  }
}

/** Where the line of a place begins. */
export function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
}

/** Where the line of a place ends, its line feed left out. */
export function lineEnd(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  return end < 0 ? text.length : end;
}

/** Looks for nothing but characters, which cannot take long. */
function textFinder({ texts }: RequiredTexts, ignoreCase: boolean): TextFinder {
  const source = texts.map((text) => Array.from(text, (char) => literalChar(char).js).join("")).join("|");
  // without the group V8 looks for a single text in a way that is slower for most
  const expression = new RegExp(`(${source})`, ignoreCase ? "giv" : "gv");
  return (text, from) => {
    expression.lastIndex = from;
    return expression.test(text) ? expression.lastIndex : -1;
  };
}

function stepEnd(text: string, from: number, end: number): number {
  const stop = from + STEP;
  if (stop >= end) return end;
  const isInPair = text.codePointAt(stop - 1)! > 0xffff;
  return isInPair ? stop + 1 : stop;
}
