/**
 * The rules of a run, from the configuration, the saved answers and the command line.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import type { Rule, RuleAction } from "../permissions/rule_text.ts";
import type { CliOptions } from "./args.ts";
import type { Settings } from "./settings.ts";

/**
 * Reads all rules.
 *
 * @throws {ConfigError} If one does not parse: it names the rule and its place.
 */
export async function readRules(
  { allow, deny }: Pick<CliOptions, "allow" | "deny">,
  { permissions = {} }: Settings,
  saved: readonly string[],
): Promise<Rule[]> {
  const sources: [RuleAction, readonly string[], string][] = [
    ["deny", permissions.deny ?? [], "permissions.deny"],
    ["ask", permissions.ask ?? [], "permissions.ask"],
    ["allow", permissions.allow ?? [], "permissions.allow"],
    ["allow", saved, "permissions.json"],
    ["allow", allow, "--allow"],
    ["deny", deny, "--deny"],
  ];
  if (sources.every(([, rules]) => rules.length === 0)) return [];
  const { parseRule, RuleError } = await import("../permissions/rule_text.ts");
  try {
    return sources.flatMap(([action, rules, place]) => rules.map((rule) => parseRule(rule, action, place)));
  } catch (error) {
    throw error instanceof RuleError ? new ConfigError(error.message, { cause: error }) : error;
  }
}

/** The hosts that allow rules name, as `host:port`: a scoped grant of Deno shows itself only to whoever names it. */
export function hostsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap((rule) =>
    rule.action === "allow" && rule.tool === "net" && !rule.subdomains ? [`${rule.host}:${rule.port ?? "443"}`] : []
  );
}
