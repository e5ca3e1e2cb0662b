/**
 * The command line as data. Nothing is looked up here: a bad value is found before anything is read.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { ConfigError } from "../llm/errors.ts";
import type { Effort } from "../llm/types.ts";
import type { Mode } from "../permissions/grants.ts";
import { nearest } from "../tools/nearest.ts";

export type { Mode };
/** Narrowest first. */
export const MODES: readonly Mode[] = ["plan", "ask", "edit", "full"];
/** Shortest first. */
export const EFFORTS: readonly Effort[] = ["off", "low", "high", "max"];
/** What headless runs may print. */
export type OutputFormat = "text" | "json" | "stream-json";
const FORMATS: readonly OutputFormat[] = ["text", "json", "stream-json"];

/** Commands of their own when they are the very first word. */
export const SUBCOMMANDS = ["sessions", "permissions", "doctor", "acp", "mcp", "replay", "completions"] as const;
/** A command of its own instead of a conversation. */
export type Subcommand = typeof SUBCOMMANDS[number];

/** What the person asked for on the command line. */
export interface CliOptions {
  help: boolean;
  version: boolean;
  /** Headless: answer on stdout, never ask. */
  print: boolean;
  subcommand?: { name: Subcommand; args: string[]; html: boolean; json: boolean };
  /** All words of the prompt, joined; undefined when there are none. */
  prompt?: string;
  /** A `-` stood among the words: standard input is read to its end. */
  promptFromStdin: boolean;
  model?: string;
  baseUrl?: string;
  effort?: Effort;
  cwd?: string;
  addDirs: string[];
  mode?: Mode;
  allow: string[];
  deny: string[];
  continue: boolean;
  resume?: string;
  fork: boolean;
  save: boolean;
  maxSteps?: number;
  maxTokens?: number;
  /** USD. */
  maxCost?: number;
  outputFormat: OutputFormat;
  includePartialMessages: boolean;
  jsonSchema?: string;
  appendSystemPrompt?: string;
  trust: boolean;
}

const VALUES = [
  "model",
  "base-url",
  "effort",
  "cwd",
  "mode",
  "resume",
  "max-steps",
  "max-tokens",
  "max-cost",
  "output-format",
  "json-schema",
  "append-system-prompt",
] as const;
const LISTS = ["add-dir", "allow", "deny"] as const;
const SWITCHES = [
  "print",
  "continue",
  "fork",
  "no-save",
  "include-partial-messages",
  "trust",
  "version",
  "help",
] as const;
/** Switches that only a subcommand has. */
const SUBCOMMAND_SWITCHES = ["html", "json"] as const;
const ALIASES = { m: "model", C: "cwd", c: "continue", r: "resume", p: "print", v: "version", h: "help" };

/**
 * Keeps the parser from taking a word `true` or `false` after a switch as the switch's value, and a list or a rule of
 * dashes that a prompt begins with as an option.
 */
const WORD_MARK = "\u0000";
const IS_WORD = /^(true$|false$|--?\s|---+(\s|$))/;

/**
 * Reads the command line.
 *
 * @throws {ConfigError} If an option is unknown or its value is not one it can have.
 * @example
 * ```ts
 * import { parseCommandLine } from "./args.ts";
 *
 * const { print, prompt } = parseCommandLine(["-p", "what", "is", "here?"]);
 * if (!print || prompt !== "what is here?") throw new Error(prompt);
 * ```
 */
export function parseCommandLine(args: readonly string[]): CliOptions {
  if (args.length === 1 && (args[0] === "help" || args[0] === "version")) return parseCommandLine([`--${args[0]}`]);
  const end = args.indexOf("--");
  const before = (end < 0 ? args : args.slice(0, end)).map((arg) => IS_WORD.test(arg) ? WORD_MARK + arg : arg);
  const parsed = parseArgs([...before, ...(end < 0 ? [] : args.slice(end))], {
    string: [...VALUES, ...LISTS, "_"],
    boolean: isSubcommand(args[0]) ? [...SWITCHES, ...SUBCOMMAND_SWITCHES] : [...SWITCHES],
    collect: LISTS,
    alias: ALIASES,
    "--": true,
    unknown(arg, key) {
      if (key === undefined) return;
      const lacking = valueOption(args[args.indexOf(arg) - 1]);
      if (lacking !== undefined) throw noValue(lacking, `, and "${arg}" looks like an option`);
      const [name = ""] = arg.split("=");
      const near = name.startsWith("--") ? nearest(name.slice(2), [...VALUES, ...LISTS, ...SWITCHES], 2) : undefined;
      throw new ConfigError(
        `Unknown option "${name}": ${near ? `did you mean --${near}?` : "see mini-agent --help"}`,
      );
    },
  });
  const given: Record<string, unknown> = parsed;
  const text = (name: typeof VALUES[number]): string | undefined => {
    const value = given[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") throw noValue(name);
    return unmark(value);
  };
  const list = (name: typeof LISTS[number]): string[] => {
    const values = (given[name] as string[] | undefined ?? []).map(unmark);
    if (values.includes("")) throw noValue(name);
    return values;
  };
  const words = parsed._.map((word) => unmark(String(word)));
  const rest = parsed["--"] ?? [];
  const options: CliOptions = {
    help: parsed.help,
    version: parsed.version,
    print: parsed.print,
    promptFromStdin: words.includes("-"),
    addDirs: list("add-dir"),
    allow: list("allow"),
    deny: list("deny"),
    continue: parsed.continue,
    fork: parsed.fork,
    save: !parsed["no-save"],
    outputFormat: oneOf("output-format", text("output-format"), FORMATS) ?? "text",
    includePartialMessages: parsed["include-partial-messages"],
    trust: parsed.trust,
    ...defined({
      model: text("model"),
      baseUrl: text("base-url"),
      effort: oneOf("effort", text("effort"), EFFORTS),
      cwd: text("cwd"),
      mode: oneOf("mode", text("mode"), MODES),
      resume: text("resume"),
      maxSteps: wholeNumber("max-steps", text("max-steps")),
      maxTokens: wholeNumber("max-tokens", text("max-tokens")),
      maxCost: amount("max-cost", text("max-cost")),
      jsonSchema: text("json-schema"),
      appendSystemPrompt: text("append-system-prompt"),
    }),
  };
  if (isSubcommand(args[0])) {
    const { html = false, json = false } = given as { html?: boolean; json?: boolean };
    options.subcommand = { name: args[0], args: [...words.slice(1), ...rest], html, json };
    return options;
  }
  if (options.outputFormat !== "text" && !options.print && !options.help && !options.version) {
    throw new ConfigError(
      `--output-format needs -p: a conversation is not printed as ${options.outputFormat}`,
    );
  }
  const prompt = [...words.filter((word) => word !== "-"), ...rest].join(" ");
  if (prompt.trim() !== "") options.prompt = prompt;
  return options;
}

function isSubcommand(word: string | undefined): word is Subcommand {
  return (SUBCOMMANDS as readonly (string | undefined)[]).includes(word);
}

/** The option that a word of the command line is, if its value is the next word. */
function valueOption(word = ""): string | undefined {
  const name = /^-\w$/.test(word) ? ALIASES[word.slice(1) as keyof typeof ALIASES] : word.replace(/^--/, "");
  return [...VALUES, ...LISTS].find((option) => option === name);
}

function noValue(name: string, because = ""): ConfigError {
  return new ConfigError(`Option "--${name}" needs a value${because}: write --${name}=VALUE`);
}

function unmark(text: string): string {
  return text.startsWith(WORD_MARK) ? text.slice(WORD_MARK.length) : text;
}

/** Leaves out what is undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function oneOf<T extends string>(option: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((c) => c === value);
  if (choice === undefined) {
    throw new ConfigError(`Option "--${option}" cannot be "${value}": it is one of ${choices.join(", ")}`);
  }
  return choice;
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    throw new ConfigError(`Option "--${option}" cannot be "${value}": it is a whole number from 1 on`);
  }
  return Number(value);
}

function amount(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : NaN;
  if (!(number > 0)) {
    throw new ConfigError(
      `Option "--${option}" cannot be "${value}": it is an amount in USD above 0, for example 0.50`,
    );
  }
  return number;
}
