/**
 * Reads permission rules: `read(./src/**)`, `run(git status *)`, `net(docs.example:8080)`, `mcp(server/tool)`.
 *
 * A rule that does not mean something for certain is an error: a deny rule that silently matches nothing would let in
 * what it names.
 *
 * @module
 */

import { isInterpreter, isShell, isWrapper, programName } from "./shell_programs.ts";
import { ShellSyntaxError } from "./shell_text.ts";
import { tokenize } from "./shell_tokens.ts";

/** What a rule says of the calls that it matches. */
export type RuleAction = "allow" | "ask" | "deny";

/** What a rule matches. */
export type Selector =
  | { readonly tool: "read" | "write"; readonly glob: string }
  | { readonly tool: "run" | "run-net" | "run-outside"; readonly words: readonly string[]; readonly open: boolean }
  | { readonly tool: "net"; readonly host: string; readonly subdomains: boolean; readonly port?: string }
  | { readonly tool: "mcp"; readonly server: string; readonly name: string };

/** A permission rule. Plain data. */
export type Rule = Selector & {
  readonly action: RuleAction;
  /** As it was written, for reasons and lists. */
  readonly text: string;
};

/** A rule cannot be read. The message names the rule and its place. */
export class RuleError extends Error {
  override readonly name = "RuleError";
}

const TOOLS = ["read", "write", "run", "run-net", "run-outside", "net", "mcp"] as const;

/**
 * Reads one rule.
 *
 * @param place Where it stands, for the message: `config.json, permissions.allow[2]`, `--deny`.
 * @throws {RuleError} If it does not parse, or would allow far more than it says.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * parseRule("run(npm test)", "allow", "--allow");
 * assertThrows(() => parseRule("run(python *)", "allow", "--allow"), RuleError);
 * ```
 */
export function parseRule(text: string, action: RuleAction, place: string): Rule {
  const fail = (reason: string): never => {
    throw new RuleError(`Cannot read the ${action} rule ${JSON.stringify(text)} in ${place}: ${reason}`);
  };
  if (/[\p{Cc}\p{Cf}]/u.test(text)) fail("it holds a character that cannot be seen");
  const [, name = "", inside = ""] = /^([^(]*)\((.*)\)$/s.exec(text.trim()) ??
    fail("it is not of the form tool(selector), for example run(npm test)");
  const tool = TOOLS.find((known) => known === name) ?? fail(`"${name}" is not one of ${TOOLS.join(", ")}`);
  if (inside.trim() === "") fail("there is nothing between the brackets");
  return { ...readSelector(tool, inside.trim(), action, fail), action, text: text.trim() };
}

/**
 * Reads the lists of a configuration.
 *
 * @throws {RuleError} If one of them cannot be read: none may be left out.
 */
export function parseRules(lists: { readonly [A in RuleAction]?: readonly string[] }, source: string): Rule[] {
  return (["deny", "ask", "allow"] as const).flatMap((action) =>
    (lists[action] ?? []).map((text, i) => parseRule(text, action, `${source}, permissions.${action}[${i}]`))
  );
}

/** Throws the error that says why. */
type Fail = (reason: string) => never;

function readSelector(tool: typeof TOOLS[number], text: string, action: RuleAction, fail: Fail): Selector {
  switch (tool) {
    case "read":
    case "write":
      return readGlob(tool, text, fail);
    case "run":
    case "run-net":
    case "run-outside":
      return readWords(tool, text, action, fail);
    case "net":
      return readHost(text, action, fail);
    case "mcp": {
      const [, server = "", toolName = ""] = /^([^/]+)\/(.+)$/.exec(text) ??
        fail('it is not of the form "server/tool"');
      if (server.includes("*") || (toolName.includes("*") && toolName !== "*")) {
        fail('only a whole tool name can be "*"');
      }
      return { tool, server, name: toolName };
    }
    default:
      return tool satisfies never;
  }
}

function readGlob(tool: "read" | "write", glob: string, fail: Fail): Selector {
  if (!/^(?:\.|~)?\//.test(glob)) fail('a path begins with "./" (the workspace), "~/" or "/"');
  if (/[[\]{}\\]/.test(glob)) fail('only "*", "**" and "?" stand for other characters; "?" can stand for a bracket');
  if (glob.split("/").includes("..")) fail('a path cannot hold ".."');
  return { tool, glob };
}

function readWords(
  tool: "run" | "run-net" | "run-outside",
  text: string,
  action: RuleAction,
  fail: Fail,
): Selector {
  const open = /(?:^|\s)\*$/.test(text);
  const words = literalWords(open ? text.slice(0, -1) : text, fail);
  if (words.length === 0 && action === "allow") fail('"*" alone would allow every command');
  if (action === "allow") refuseBare(words, open, fail);
  return { tool, words, open };
}

function literalWords(text: string, fail: Fail): string[] {
  try {
    return tokenize(text).tokens.map((token) => {
      if (token.type !== "word") return fail(`it holds "${token.text}", and a rule is about one command`);
      if (!token.literal) {
        return fail(`"${token.text}" is not literal; "*" can only be the last word, quotes make it literal`);
      }
      return token.text;
    });
  } catch (error) {
    if (error instanceof ShellSyntaxError) return fail(error.message);
    throw error;
  }
}

/** `run(python *)` would allow everything that Python can do. */
function refuseBare(words: readonly string[], open: boolean, fail: Fail): void {
  const [program = "", second = ""] = words;
  const name = programName(program);
  if (isShell(name) || isWrapper(name)) {
    if (open || words.length === 1) fail(`${name} runs any other command, so the words must be exact`);
  } else if (isInterpreter(name)) {
    const module = second === "-m" && words.length > 2; // python -m pytest
    if (words.length === 1 || (open && /^[-+]|=/.test(second) && !module)) {
      fail(`${name} alone would allow anything that it can do: name what it is to run`);
    }
  }
}

function readHost(text: string, action: RuleAction, fail: Fail): Selector {
  if (text === "*") {
    if (action === "allow") fail('"*" would allow every host, which is what the mode "full" is for');
    return { tool: "net", host: "", subdomains: true };
  }
  const subdomains = text.startsWith("*.");
  const [, name = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(subdomains ? text.slice(2) : text) ??
    fail("it is not of the form host or host:port");
  if (/[/@?#*\s]/.test(name) || name === "" || !URL.canParse(`http://${name}/`)) fail(`"${name}" is not a host`);
  if (port !== undefined && Number(port) > 65535) fail(`${port} is not a port`);
  const host = new URL(`http://${name}/`).hostname.replace(/\.$/, "");
  return { tool: "net", host, subdomains, ...(port !== undefined && { port: String(Number(port)) }) };
}
