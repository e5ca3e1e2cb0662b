/**
 * Decides about calls: deny rules before ask rules before allow rules, and then what the mode says. Pure: whatever
 * must be looked up comes with the call.
 *
 * @module
 */

import { type CommandCall, decideCommand } from "./command_rules.ts";
import { decideUrl, type UrlCall } from "./net_rules.ts";
import { decidePath, type PathCall } from "./path_rules.ts";
import { byRule, type Policy, type Verdict } from "./policy.ts";
import type { Rule, RuleAction } from "./rule_text.ts";

export type { Policy, Verdict } from "./policy.ts";

/** A call of a tool, as rules see it. */
export type Call =
  | { readonly kind: "none" }
  | PathCall
  | CommandCall
  | UrlCall
  | McpCall;

/** A tool of an MCP server. */
export interface McpCall {
  readonly kind: "mcp";
  readonly server: string;
  readonly name: string;
  /** The user's configuration says that it changes nothing. */
  readonly readOnly: boolean;
}

/**
 * Decides about a call.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseRule } from "./rule_text.ts";
 * const rules = [parseRule("run(rm *)", "deny", "--deny")];
 * const policy = { mode: "full", rules, workspace: { cwd: "/w", roots: ["/w"] }, sandboxed: false } as const;
 * const call = { kind: "run", command: "ls && rm -r x", knownPrograms: true } as const;
 * assertEquals(decide(call, policy).action, "deny");
 * ```
 */
export function decide(call: Call, policy: Policy): Verdict {
  switch (call.kind) {
    case "none":
      return { action: "allow", reason: "it touches nothing" };
    case "read":
    case "write":
      return decidePath(call, policy);
    case "run":
      return decideCommand(call, policy);
    case "net":
      return decideUrl(call, policy);
    case "mcp":
      return decideMcp(call, policy);
    default:
      return call satisfies never;
  }
}

function decideMcp(call: McpCall, { mode, rules }: Policy): Verdict {
  const ruled = (action: RuleAction) => rules.find((rule) => rule.action === action && matchesTool(rule, call));
  const denied = ruled("deny");
  if (denied) return byRule(denied);
  if (mode === "plan" && !call.readOnly) return { action: "deny", reason: "plan mode changes nothing" };
  const rule = ruled("ask") ?? ruled("allow");
  if (rule) return byRule(rule);
  return mode === "full" ? { action: "allow", reason: "full mode" } : { action: "ask", reason: `${mode} mode` };
}

/** A rule that allows means the server's own name of a tool; one that forbids or asks also what it looks like elsewhere. */
function matchesTool(rule: Rule, { server, name }: McpCall): boolean {
  if (rule.tool !== "mcp") return false;
  if (rule.action === "allow") return rule.server === server && (rule.name === "*" || rule.name === name);
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/gu, "_").toLowerCase();
  return plain(rule.server) === plain(server) && (rule.name === "*" || plain(rule.name) === plain(name));
}
