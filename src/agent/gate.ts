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
    context: Partial<
      Pick<
        ToolContext,
        "granted" | "needs" | "approved" | "child" | "confirmUrl" | "confirmAddresses" | "privateHostAllowed"
      >
    >;
  }
  | {
    admitted: false;
    /** For the model and the record: which mode or rule refused, or what the person said. */
    reason: string;
    /** The allow rule that would have let it pass; only where nobody was there to be asked. */
    rule?: string;
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

/** Lets calls pass that change nothing and reach nothing outside: what an agent without a gate of its own has. */
export const READ_ONLY_GATE: Gate = {
  admit: ({ name, access }) =>
    Promise.resolve(
      access === "none" || access === "read"
        ? { admitted: true, context: {} }
        : { admitted: false, reason: `Denied: ${name} is not permitted, since this agent only reads` },
    ),
};

/** Lets everything pass: for tools that one trusts whatever the model asks of them. */
export const OPEN_GATE: Gate = { admit: () => Promise.resolve({ admitted: true, context: {} }) };
