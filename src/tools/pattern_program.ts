/**
 * A pattern as a list of instructions that can be followed in all ways at once.
 *
 * @module
 */

import type { CharNode } from "./pattern_chars.ts";
import type { Assertion, PatternNode } from "./search_pattern.ts";

/** One place in a pattern. Numbers are places in the program. */
export type Instruction =
  /** Goes on if the next character is in the set with this number. */
  | { readonly type: "char"; readonly set: number; readonly next: number }
  | { readonly type: "assertion"; readonly kind: Assertion; readonly next: number }
  /** Goes on in each of these ways. */
  | { readonly type: "split"; readonly next: readonly number[] }
  | { readonly type: "match" };

/** A compiled pattern. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** The sets of characters that instructions refer to. */
  readonly sets: readonly CharNode[];
}

/** Bounds the work for one character of the text. */
const MAX_INSTRUCTIONS = 2000;

/**
 * Compiles a pattern.
 *
 * @throws {SyntaxError} If its repetitions, written out, make it too large.
 */
export function compileProgram(root: PatternNode): Program {
  const instructions: Instruction[] = [{ type: "match" }];
  const sets: CharNode[] = [];
  const numbers = new Map<string, number>();

  const add = (instruction: Instruction): number => {
    if (instructions.length >= MAX_INSTRUCTIONS) {
      throw new SyntaxError(`with its repetitions written out it is longer than ${MAX_INSTRUCTIONS} characters`);
    }
    return instructions.push(instruction) - 1;
  };
  const setNumber = (node: CharNode): number => {
    const known = numbers.get(node.js);
    if (known !== undefined) return known;
    numbers.set(node.js, sets.length);
    return sets.push(node) - 1;
  };
  /** Compiles from the end: `next` is where a match of the node goes on. */
  const compile = (node: PatternNode, next: number): number => {
    switch (node.type) {
      case "char":
        return add({ type: "char", set: setNumber(node), next });
      case "assertion":
        return add({ type: "assertion", kind: node.kind, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => compile(part, after), next);
      case "choice":
        return add({ type: "split", next: node.options.map((option) => compile(option, next)) });
      case "repeat": {
        const { body, min, max } = node;
        let at = max === Infinity ? compileLoop(body, next) : next;
        for (let i = min; i < max && max !== Infinity; i++) {
          at = add({ type: "split", next: [compile(body, at), next] });
        }
        for (let i = 0; i < min; i++) at = compile(body, at);
        return at;
      }
      default:
        return node satisfies never;
    }
  };
  const compileLoop = (body: PatternNode, next: number): number => {
    const ways = [next];
    const loop = add({ type: "split", next: ways });
    ways.push(compile(body, loop));
    return loop;
  };
  return { start: compile(root, 0), instructions, sets };
}
