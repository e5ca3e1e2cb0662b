/**
 * Decides about shell commands: what a rule forbids or asks about anywhere in the text, what one allows to the letter,
 * and what the mode and the sandbox leave.
 *
 * @module
 */

import { matchCommand, matchExactly } from "./command_match.ts";
import { planProblem } from "./plan_commands.ts";
import type { Rule } from "./rule_text.ts";
import { byRule, type Policy, type Verdict } from "./policy.ts";
import { commandsIn, type PossibleCommands } from "./shell_commands.ts";
import { ShellSyntaxError } from "./shell_text.ts";
import { readCommand } from "./shell_words.ts";

/** A shell command. */
export interface CommandCall {
  readonly kind: "run";
  readonly command: string;
  /** It asks for the network in the sandbox, or to leave it. */
  readonly needs?: "network" | "outside";
  /** Whether each program in it was found on the search path, outside the workspace: `findPrograms` looks. */
  readonly knownPrograms: boolean;
}

/** Decides about one command text. */
export function decideCommand(call: CommandCall, policy: Policy): Verdict {
  const { command, needs } = call;
  let possible: PossibleCommands;
  try {
    possible = commandsIn(command);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    return { action: "deny", reason: `the command cannot be run: ${error.message}` };
  }
  const tools = ["run", ...needs === "network" ? ["run-net"] : needs === "outside" ? ["run-outside"] : []];
  const restricting = matchRestricting(policy.rules, tools, possible);
  if (restricting?.action === "deny") return restricting;
  if (policy.mode === "plan") {
    const problem = planRefusal(call, policy);
    return problem !== undefined ? { action: "deny", reason: problem } : restricting ?? {
      action: "allow",
      reason: "a reading command in the sandbox",
    };
  }
  return restricting ?? matchAllowing(call, policy) ?? commandByMode(call, policy);
}

function matchRestricting(rules: readonly Rule[], tools: string[], possible: PossibleCommands): Verdict | undefined {
  const { commands, unclear } = possible;
  let doubt: string | undefined;
  for (const action of ["deny", "ask"] as const) {
    for (const rule of rules) {
      if (rule.action !== action || !("words" in rule) || !tools.includes(rule.tool)) continue;
      const matches = new Set(commands.map((command) => matchCommand(rule, command)));
      if (matches.has("yes")) return byRule(rule);
      if (matches.has("maybe")) doubt ??= `it may fall under the ${action} rule ${rule.text}`;
      else if (unclear !== undefined) doubt ??= `it may fall under the ${action} rule ${rule.text}: ${unclear}`;
    }
  }
  return doubt === undefined ? undefined : { action: "ask", reason: doubt };
}

function matchAllowing(call: CommandCall, { rules }: Policy): Verdict | undefined {
  const { command, needs } = call;
  const tool = needs === "network" ? "run-net" : needs === "outside" ? "run-outside" : "run";
  const plain = readCommand(command);
  if (!plain.understood) return undefined;
  const rule = rules.find((rule) =>
    rule.action === "allow" && rule.tool === tool && "words" in rule && matchExactly(rule, plain.value)
  );
  return rule && call.knownPrograms ? byRule(rule) : undefined;
}

function planRefusal(call: CommandCall, { sandboxed }: Policy): string | undefined {
  const { command, needs } = call;
  if (!sandboxed) return "plan mode runs no commands without a sandbox";
  if (needs !== undefined) return "plan mode runs no command that leaves the sandbox";
  if (!call.knownPrograms) return "plan mode runs only programs from outside the workspace";
  const problem = planProblem(command);
  return problem === undefined ? undefined : `plan mode only runs commands that read: ${problem}`;
}

function commandByMode({ needs }: CommandCall, { mode, sandboxed }: Policy): Verdict {
  if (mode === "full") return { action: "allow", reason: "full mode" };
  if (!sandboxed) return { action: "ask", reason: "there is no sandbox for commands" };
  if (needs === "network") return { action: "ask", reason: "it asks for the network" };
  if (needs === "outside") return { action: "ask", reason: "it asks to leave the sandbox" };
  return mode === "edit" ? { action: "allow", reason: "in the sandbox" } : { action: "ask", reason: "ask mode" };
}
