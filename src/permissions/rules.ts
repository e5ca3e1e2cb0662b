/**
 * Decides about calls: deny rules before ask rules before allow rules, and then what the mode says. Pure: whatever
 * must be looked up comes with the call.
 *
 * @module
 */

import { matchCommand, matchExactly } from "./command_match.ts";
import type { Mode } from "./grants.ts";
import { decideUrl, type UrlCall } from "./net_rules.ts";
import { matchesBoth, matchesEither, namesSensitive } from "./path_rules.ts";
import { isWithin, type ResolvedPath, type Workspace } from "./paths.ts";
import { planProblem } from "./plan_commands.ts";
import type { Rule, RuleAction } from "./rule_text.ts";
import { commandsIn, type PossibleCommands } from "./shell_commands.ts";
import { ShellSyntaxError } from "./shell_tokens.ts";
import { readCommand } from "./shell_words.ts";

/** A call of a tool, as rules see it. */
export type Call =
  | { readonly kind: "none" }
  | PathCall
  | CommandCall
  | UrlCall
  | McpCall;

/** A file or folder is read, or written. */
export interface PathCall {
  readonly kind: "read" | "write";
  readonly path: ResolvedPath;
}

/** A shell command. */
export interface CommandCall {
  readonly kind: "run";
  readonly command: string;
  /** It asks for the network in the sandbox, or to leave it. */
  readonly needs?: "network" | "outside";
  /** Whether each program in it was found on the search path, outside the workspace: `findPrograms` looks. */
  readonly knownPrograms: boolean;
}

/** A tool of an MCP server. */
export interface McpCall {
  readonly kind: "mcp";
  readonly server: string;
  readonly name: string;
  /** The user's configuration says that it changes nothing. */
  readonly readOnly: boolean;
}

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

function decidePath({ kind, path }: PathCall, { mode, rules, workspace }: Policy): Verdict {
  if (path.type === "other") return { action: "deny", reason: "it is a device, a pipe or a socket" };
  const matching = (action: RuleAction, matches: (glob: string) => boolean) =>
    rules.find((rule) => rule.action === action && rule.tool === kind && matches(rule.glob));
  const either = (glob: string) => matchesEither(glob, path, workspace);
  const denied = matching("deny", either);
  if (denied) return byRule(denied);
  if (kind === "write" && mode === "plan") return { action: "deny", reason: "plan mode changes no files" };
  const asked = matching("ask", either);
  if (asked) return byRule(asked);
  const allowed = matching(
    "allow",
    (glob) => matchesBoth(glob, path, workspace) && reaches(glob, kind, path, workspace),
  );
  if (allowed) return byRule(allowed);
  return kind === "read" ? readByMode(path, mode, workspace) : writeByMode(path, mode);
}

/** A wide allow rule does not open what is sensitive; one that names it does. */
function reaches(glob: string, kind: "read" | "write", path: ResolvedPath, workspace: Workspace): boolean {
  if (kind === "read") return !path.secret || namesSensitive(glob, "secret", workspace);
  if (path.protected && !namesSensitive(glob, "protected", workspace)) return false;
  return !isShared(path) || !/[*?]/.test(glob);
}

function readByMode(path: ResolvedPath, mode: Mode, { readable = [] }: Workspace): Verdict {
  if (mode === "full") return { action: "allow", reason: "full mode" };
  if (readable.some((folder) => isWithin(path.path, folder))) return { action: "allow", reason: "a kept output" };
  if (path.place === "outside") return { action: "ask", reason: "it is outside the workspace" };
  if (path.secret) return { action: "ask", reason: "it may hold secrets" };
  return { action: "allow", reason: "it is in the workspace" };
}

function writeByMode(path: ResolvedPath, mode: Mode): Verdict {
  if (mode === "full") return { action: "allow", reason: "full mode" };
  if (path.place === "outside") return { action: "ask", reason: "it is outside the workspace" };
  if (path.protected) return { action: "ask", reason: "it is protected" };
  if (isShared(path)) {
    return { action: "ask", reason: `the file has ${path.links} names: the change shows in all of them` };
  }
  return mode === "edit" ? { action: "allow", reason: "edit mode" } : { action: "ask", reason: "ask mode" };
}

function isShared({ links = 1 }: ResolvedPath): boolean {
  return links > 1;
}

function decideCommand(call: CommandCall, policy: Policy): Verdict {
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

function matchAllowing({ command, needs, knownPrograms }: CommandCall, { rules }: Policy): Verdict | undefined {
  const tool = needs === "network" ? "run-net" : needs === "outside" ? "run-outside" : "run";
  const plain = readCommand(command);
  if (!plain.understood || !knownPrograms) return undefined;
  const rule = rules.find((rule) =>
    rule.action === "allow" && rule.tool === tool && "words" in rule && matchExactly(rule, plain.value)
  );
  return rule && byRule(rule);
}

function planRefusal({ command, needs, knownPrograms }: CommandCall, { sandboxed }: Policy): string | undefined {
  if (!sandboxed) return "plan mode runs no commands without a sandbox";
  if (needs !== undefined) return "plan mode runs no command that leaves the sandbox";
  if (!knownPrograms) return "plan mode runs only programs from outside the workspace";
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

function decideMcp({ server, name, readOnly }: McpCall, { mode, rules }: Policy): Verdict {
  for (const action of ["deny", "ask", "allow"] as const) {
    const rule = rules.find((rule) =>
      rule.action === action && rule.tool === "mcp" && rule.server === server &&
      (rule.name === "*" || rule.name === name)
    );
    if (action !== "deny" && mode === "plan" && !readOnly) {
      return { action: "deny", reason: "plan mode changes nothing" };
    }
    if (rule) return byRule(rule);
  }
  if (readOnly) return { action: "allow", reason: "it changes nothing" };
  return mode === "full" ? { action: "allow", reason: "full mode" } : { action: "ask", reason: `${mode} mode` };
}

function byRule({ action, text }: Rule): Verdict {
  return { action, reason: `the ${action} rule ${text}` };
}
