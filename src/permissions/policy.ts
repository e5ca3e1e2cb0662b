/**
 * What calls are judged by, and what comes of it.
 *
 * @module
 */

import type { Mode } from "./grants.ts";
import type { Workspace } from "./paths.ts";
import type { Rule, RuleAction } from "./rule_text.ts";

/** What calls are judged by. */
export interface Policy {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  readonly workspace: Workspace;
  /** Whether commands run in an OS sandbox, with everything read-only in `plan`. */
  readonly sandboxed: boolean;
}

/** What is to happen to a call. */
export interface Verdict {
  readonly action: RuleAction;
  /** In a few words, for the question, the model and the record. */
  readonly reason: string;
}

/** A verdict that names its rule. */
export function byRule({ action, text }: Rule): Verdict {
  return { action, reason: `the ${action} rule ${text}` };
}
