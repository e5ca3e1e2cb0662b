/**
 * What the text of a shell command is made of.
 *
 * @module
 */

/** A word after its quotes were removed. */
export interface Word {
  readonly type: "word";
  readonly text: string;
  /** The shell uses it as it stands: nothing in it is expanded. */
  readonly literal: boolean;
  /** Some of it was quoted, so it is no reserved word. */
  readonly quoted: boolean;
  /** The commands inside its substitutions. */
  readonly inner: readonly (readonly Token[])[];
}

/** A control operator, a bracket, a newline or a redirection, with the number before it: `2>&`. */
export interface Operator {
  readonly type: "operator";
  readonly text: string;
}

export type Token = Word | Operator;

/** A text in pieces. */
export interface ShellText {
  readonly tokens: readonly Token[];
  /** Why some of it may mean something else than the tokens say. */
  readonly unclear?: string;
}

/** The text is no shell command: no shell would run it, or it must not be tried. The message says why. */
export class ShellSyntaxError extends SyntaxError {
  override readonly name = "ShellSyntaxError";
}
