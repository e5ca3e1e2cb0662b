/**
 * The rule that "always" would write for a call: the exact words, never more.
 *
 * @module
 */

import { relative } from "@std/path/relative";
import { parseRule, RuleError } from "../permissions/rule_text.ts";
import type { Call } from "../permissions/rules.ts";
import { readCommand } from "../permissions/shell_words.ts";

/** Words that stand in a rule for themselves. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Builds the allow rule for a call; undefined where no rule could say exactly this.
 *
 * @param cwd Canonical working folder.
 */
export function offeredRule(call: Call, cwd: string): string | undefined {
  const rule = ruleText(call, cwd);
  if (rule === undefined) return undefined;
  try {
    return parseRule(rule, "allow", "a question").text;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

function ruleText(call: Call, cwd: string): string | undefined {
  switch (call.kind) {
    case "read":
    case "write": {
      const { path, place } = call.path;
      const file = place === "inside" && !relative(cwd, path).startsWith("..") ? `./${relative(cwd, path)}` : path;
      return /[*?[\]{}()\\!]/.test(file) ? undefined : `${call.kind}(${file})`;
    }
    case "run": {
      const command = readCommand(call.command);
      if (!command.understood || !command.value.every((word) => PLAIN_WORD.test(word))) return undefined;
      const tool = call.needs === "network" ? "run-net" : call.needs === "outside" ? "run-outside" : "run";
      return `${tool}(${command.value.join(" ")})`;
    }
    case "net": {
      const { hostname, port, protocol } = call.url;
      return `net(${hostname}:${port || (protocol === "https:" ? "443" : "80")})`;
    }
    case "mcp":
      return `mcp(${call.server}/${call.name})`;
    case "none":
      return undefined;
    default:
      return call satisfies never;
  }
}
