/**
 * Colours and other styles as functions from text to text, or to the same text where the output takes none.
 *
 * @module
 */

/** Dresses a text. It must hold no control characters. */
export type Style = (text: string) => string;

const CODES = {
  bold: [1, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  grey: [90, 39],
} as const;

/** The styles of one output, all on or all off. */
export type Styles = { readonly [Name in keyof typeof CODES]: Style } & {
  /** Whether they do anything: where they do not, meaning must be carried by characters. */
  readonly on: boolean;
};

/** What is known about one output, standard output or standard error. */
export interface OutputFacts {
  isTerminal: boolean;
  /** The value of `NO_COLOR`. */
  noColor?: string | undefined;
  /** The value of `TERM`. */
  term?: string | undefined;
}

/**
 * Whether an output takes styles: a terminal that is not `dumb`, and `NO_COLOR` absent or empty. Standard output and
 * standard error are asked about one by one: either may be redirected.
 */
export function takesStyles({ isTerminal, noColor = "", term }: OutputFacts): boolean {
  return isTerminal && noColor === "" && term !== "dumb";
}

/**
 * Makes the styles of an output.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeStyles } from "./ansi.ts";
 *
 * assertEquals(makeStyles(true).red("no"), "\x1b[31mno\x1b[39m");
 * assertEquals(makeStyles(false).red("no"), "no");
 * ```
 */
export function makeStyles(on: boolean): Styles {
  const make = ([open, close]: readonly [number, number]): Style => (text) =>
    on && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    on,
    bold: make(CODES.bold),
    italic: make(CODES.italic),
    underline: make(CODES.underline),
    strike: make(CODES.strike),
    red: make(CODES.red),
    green: make(CODES.green),
    yellow: make(CODES.yellow),
    blue: make(CODES.blue),
    magenta: make(CODES.magenta),
    cyan: make(CODES.cyan),
    grey: make(CODES.grey),
  };
}

/** Removes the styles that {@linkcode makeStyles} puts in. */
export function withoutStyles(text: string): string {
  return text.replaceAll(STYLE_SEQUENCE, "");
}

// deno-lint-ignore no-control-regex -- the sequences begin with ESC
const STYLE_SEQUENCE = /\x1b\[\d+m/g;
