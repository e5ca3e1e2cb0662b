/**
 * The place between a call and its execution: is it allowed, and if a person must say so, what did they say.
 *
 * @module
 */

import type { Tool, ToolContext } from "../tools/tool.ts";

/** What became of a call at the gate. */
export type Admission =
  | {
    admitted: true;
    /** What the call may touch beyond the ordinary, and what the person was shown. */
    context: Partial<Pick<ToolContext, "granted" | "needs" | "approved">>;
  }
  | {
    admitted: false;
    /** For the model and the record: which mode or rule refused, or what the person said. */
    reason: string;
  };

/** Decides about calls. */
export interface Gate {
  /**
   * Decides about one call whose arguments are sound. Waits while a person is asked; an aborted signal is a no.
   *
   * @throws {Error} What the tool itself would throw about its input: the call is answered with that.
   */
  admit(tool: Tool, input: unknown, context: ToolContext): Promise<Admission>;
}

/** Lets everything pass: for tests and for programs that bring their own tools. */
export const OPEN_GATE: Gate = { admit: () => Promise.resolve({ admitted: true, context: {} }) };
