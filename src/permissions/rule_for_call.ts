/**
 * Writes the rule that "always" stores: the exact words, path or address of a call, and nothing wider.
 *
 * @module
 */

import { parseRule, RuleError } from "./rule_text.ts";
import { type Call, decide, type Policy } from "./rules.ts";
import { readCommand } from "./shell_words.ts";

/**
 * The text of an allow rule that covers this call and, of its kind, no other; `undefined` if there is none, and
 * "always" is then not offered.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const policy = { mode: "ask", rules: [], workspace: { cwd: "/w", roots: ["/w"] }, sandboxed: false } as const;
 * const call = { kind: "run", command: "npm test", knownPrograms: true } as const;
 * assertEquals(ruleForCall(call, policy), "run(npm test)");
 * ```
 */
export function ruleForCall(call: Call, policy: Policy): string | undefined {
  const text = ruleText(call);
  if (text === undefined) return undefined;
  try {
    const rule = parseRule(text, "allow", "the answer");
    // what is stored must do what the person was told: a rule that is not enough is not offered
    const { action } = decide(call, { ...policy, rules: [...policy.rules, rule] });
    return action === "allow" ? text : undefined;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

function ruleText(call: Call): string | undefined {
  switch (call.kind) {
    case "none":
      return undefined;
    case "read":
    case "write": {
      const { path } = call.path;
      // the whole path: relative to the workspace it would hold in every project
      return /[*?]/.test(path) ? undefined : `${call.kind}(${path})`;
    }
    case "run": {
      const command = readCommand(call.command);
      if (!command.understood) return undefined;
      const tool = call.needs === "network" ? "run-net" : call.needs === "outside" ? "run-outside" : "run";
      return `${tool}(${command.value.map(quoteWord).join(" ")})`;
    }
    case "net": {
      const { hostname, port, protocol } = call.url;
      return `net(${hostname}:${port !== "" ? port : protocol === "https:" ? "443" : "80"})`;
    }
    case "mcp":
      return call.name.includes("*") ? undefined : `mcp(${call.server}/${call.name})`;
    default:
      return call satisfies never;
  }
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
