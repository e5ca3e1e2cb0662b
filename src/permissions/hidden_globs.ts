/**
 * What searches pass by because of the rules.
 *
 * @module
 */

import type { Rule } from "./rule_text.ts";

/** What searches pass by beside secrets, for `Workspace.hidden`: nobody is asked about each file of a search. */
export function hiddenGlobs(rules: readonly Rule[]): string[] {
  return rules.flatMap((rule) => rule.tool === "read" && rule.action !== "allow" ? [rule.glob] : []);
}
