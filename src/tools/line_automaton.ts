/**
 * Finds the lines of a text that a pattern matches, in time proportional to the text.
 *
 * JavaScript's own `RegExp` tries one way after the other: a pattern like `(a+)+$` keeps it busy for hours on one
 * short line, and nothing can interrupt it. Here all ways are followed at once: the sets of places in the pattern
 * that a text can have led to are the states of an automaton, which is built as far as the texts need it.
 *
 * @module
 */

import { CharClasses, type Neighbour } from "./char_classes.ts";
import { compileProgram, type Program } from "./pattern_program.ts";
import type { Assertion, SearchPattern } from "./search_pattern.ts";

interface State {
  /** Where the pattern can have come to, sorted. */
  readonly places: readonly number[];
  /** What stands before the next character. */
  readonly before: Neighbour;
}

const LINE_START: State = { places: [], before: "edge" };

const MAX_STATES = 1000;
const CLASS_BITS = 8;

/** The numbers of states begin behind these two. */
const UNKNOWN = 0;
const MATCH = 1;
const FIRST = 2;

/** Reads a text from the start of a line on, in pieces of any length. */
export class LineAutomaton {
  readonly #program: Program;
  readonly #classes: CharClasses;
  /** The next state by state and class. */
  readonly #table = new Uint16Array((FIRST + MAX_STATES) << CLASS_BITS);
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  #current = UNKNOWN;

  /** @throws {SyntaxError} If the pattern is too large. */
  constructor({ root, ignoreCase }: SearchPattern) {
    this.#program = compileProgram(root);
    this.#classes = new CharClasses(this.#program.sets, ignoreCase, () => this.#table.fill(UNKNOWN));
    this.begin();
  }

  /** Stands at the start of a line. */
  begin(): void {
    this.#current = this.#numberOf(LINE_START);
  }

  /**
   * Reads a piece of text, going on where the last one ended. It must not end within a character.
   *
   * @returns Where the first match ends, or -1 if there is none yet. After a match begin anew, at the next line.
   */
  scan(text: string, from: number, to: number): number {
    const table = this.#table;
    const classes = this.#classes.table;
    let current = this.#current;
    for (let i = from; i < to; i++) {
      const next = table[(current << CLASS_BITS) | classes[text.charCodeAt(i)]!]!;
      if (next >= FIRST) {
        current = next;
        continue;
      }
      const { number, length } = this.#classes.classAt(text, i);
      current = table[(current << CLASS_BITS) | number] || this.#step(current, number);
      if (current === MATCH) return i;
      i += length - 1;
    }
    this.#current = current;
    return -1;
  }

  /** Whether there is a match if the line ends here. */
  matchesAtEnd(): boolean {
    return this.#follow(this.#states[this.#current - FIRST]!, "edge").isMatch;
  }

  /** Finds the next state and remembers it. */
  #step(current: number, charClass: number): number {
    const state = this.#states[current - FIRST]!;
    const { inSets, asNext, asPrevious } = this.#classes.get(charClass);
    const { isMatch, places } = this.#follow(state, asNext);
    const isFull = this.#states.length >= MAX_STATES;
    if (isFull) this.#forget();
    const next = isMatch ? MATCH : this.#numberOf(
      asPrevious === "edge" ? LINE_START : {
        places: this.#advance(places, inSets),
        before: asPrevious,
      },
    );
    if (!isFull) this.#table[(current << CLASS_BITS) | charClass] = next;
    return next;
  }

  /** Where the pattern can be without a further character, a match that begins here included. */
  #follow({ places, before }: State, after: Neighbour): { isMatch: boolean; places: Set<number> } {
    const { instructions, start } = this.#program;
    const reached = new Set<number>();
    // no match begins within a line end
    const open = before === "return" ? [...places] : [start, ...places];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const instruction = instructions[place]!;
      if (instruction.type === "match") return { isMatch: true, places: reached };
      if (instruction.type === "split") open.push(...instruction.next);
      if (instruction.type === "assertion" && holds(instruction.kind, before, after)) open.push(instruction.next);
    }
    return { isMatch: false, places: reached };
  }

  /** Where the pattern can be behind a character of these sets. */
  #advance(places: Iterable<number>, inSets: readonly boolean[]): number[] {
    const next = new Set<number>();
    for (const place of places) {
      const instruction = this.#program.instructions[place]!;
      if (instruction.type === "char" && inSets[instruction.set]) next.add(instruction.next);
    }
    return [...next].sort((a, b) => a - b);
  }

  #numberOf(state: State): number {
    const key = `${state.before} ${state.places}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = FIRST + this.#states.push(state) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Some patterns have more states than memory should hold: they are found again when they are needed. */
  #forget(): void {
    this.#states.length = 0;
    this.#numbers.clear();
    this.#table.fill(UNKNOWN);
  }
}

function holds(kind: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (kind) {
    case "line_start":
      return before === "edge";
    case "line_end":
      return after === "edge";
    case "word_boundary":
      return (before === "word") !== (after === "word");
    case "no_word_boundary":
      return (before === "word") === (after === "word");
    default:
      return kind satisfies never;
  }
}
