/**
 * Configuration as data: what a file may say, and how files and flags are merged. Pure.
 *
 * @module
 */

import type { HookLists } from "../agent/hooks.ts";
import { ConfigError } from "../llm/errors.ts";
import type { Effort } from "../llm/types.ts";
import { EFFORTS, type Mode, MODES } from "./args.ts";

/** Prices in USD per million tokens. */
export interface PriceSettings {
  input?: number;
  cacheRead?: number;
  cacheWrite?: number;
  output?: number;
}

/** What a configuration may say about a model. */
export interface ModelSettings {
  contextWindow?: number;
  maxOutput?: number;
  price?: PriceSettings;
  tools?: "native" | "text";
  vision?: boolean;
  stream?: boolean;
}

/** A model service that the catalogue does not know. */
export interface ProviderSettings {
  kind: "openai" | "anthropic";
  baseUrl: string;
  apiKeyEnv?: string;
}

/** A configuration file's content, checked. Every key is optional. */
export interface Settings {
  model?: string;
  mode?: Mode;
  effort?: Effort;
  maxSteps?: number;
  maxTokens?: number;
  maxCost?: number;
  permissions?: { allow?: string[]; ask?: string[]; deny?: string[] };
  sandbox?: "auto" | "require" | "off";
  sandboxWrite?: string[];
  sandboxMask?: string[];
  providers?: Record<string, ProviderSettings>;
  models?: Record<string, ModelSettings>;
  timeouts?: { connectMs?: number; silenceMs?: number; replyMs?: number };
  retries?: { max?: number; baseMs?: number; maxMs?: number };
  env?: string[];
  hooks?: HookLists;
  /** What stands in an entry is checked where there are some, see `mcp_settings.ts`. */
  mcpServers?: Record<string, Record<string, unknown>>;
  theme?: string;
}

/** What a project's configuration may set: nothing here can widen what the person allowed; the last two wait for a yes. */
const PROJECT_KEYS: readonly (keyof Settings)[] = [
  "model",
  "effort",
  "maxSteps",
  "maxTokens",
  "maxCost",
  "permissions",
  "hooks",
  "mcpServers",
];

type Check = (value: unknown, place: string) => unknown;

const hooks = list(shape({ match: text, command: text, timeoutMs: number(1) }, ["command"]));

/** What the name of a provider must be like: a slash ends it where a model is named. */
const PROVIDER_NAMES = { pattern: /^[^\s/]+$/, want: "a text without blanks and slashes" };

const CHECKS: { readonly [K in keyof Required<Settings>]: Check } = {
  model: text,
  mode: oneOf(MODES),
  effort: oneOf(EFFORTS),
  maxSteps: number(1),
  maxTokens: number(1),
  maxCost: number(0),
  permissions: shape({ allow: texts, ask: texts, deny: texts }),
  sandbox: oneOf(["auto", "require", "off"]),
  sandboxWrite: texts,
  sandboxMask: texts,
  providers: record(
    shape({ kind: oneOf(["openai", "anthropic"]), baseUrl: text, apiKeyEnv: text }, ["kind", "baseUrl"]),
    PROVIDER_NAMES,
  ),
  models: record(shape({
    contextWindow: number(1),
    maxOutput: number(1),
    price: shape({ input: number(0), cacheRead: number(0), cacheWrite: number(0), output: number(0) }),
    tools: oneOf(["native", "text"]),
    vision: flag,
    stream: flag,
  })),
  timeouts: shape({ connectMs: number(1), silenceMs: number(1), replyMs: number(1) }),
  retries: shape({ max: number(0), baseMs: number(1), maxMs: number(1) }),
  env: texts,
  hooks: shape({ session_start: hooks, before_tool: hooks, after_tool: hooks, turn_end: hooks }),
  mcpServers: record(object),
  theme: text,
};

/** A configuration and what should be said about it once. */
export interface CheckedSettings {
  settings: Settings;
  notices: string[];
}

/**
 * Checks the content of a configuration file.
 *
 * @param file Its path, for messages.
 * @param owner Whose file it is: a project's may only narrow.
 * @throws {ConfigError} If a known key has a value that it cannot have.
 */
export function checkSettings(value: unknown, file: string, owner: "user" | "project"): CheckedSettings {
  if (!isObject(value)) throw new ConfigError(`Cannot use "${file}": it must hold a JSON object`);
  const settings: Record<string, unknown> = {};
  const notices: string[] = [];
  const ignored: string[] = [];
  for (const [key, content] of Object.entries(value)) {
    if (key === "$schema") continue; // it speaks to editors
    if (!Object.hasOwn(CHECKS, key)) notices.push(`Unknown key "${key}" in ${file}`);
    else if (owner === "project" && !(PROJECT_KEYS as string[]).includes(key)) ignored.push(key);
    else settings[key] = CHECKS[key as keyof Settings](content, `"${key}" in ${file}`);
  }
  if (owner === "project") {
    const { permissions } = settings as Settings;
    if (permissions?.allow) {
      delete permissions.allow;
      ignored.push("permissions.allow");
    }
    if (ignored.length > 0) {
      notices.push(`${file} may not set ${ignored.join(", ")}: ignored, a project can only narrow`);
    }
  }
  return { settings: settings as Settings, notices };
}

/**
 * Merges the person's configuration with a project's: the project's values win where it may set them, but a cost limit
 * is the lower of the two and rules add up. What a project would run is left out: it counts only when it is trusted.
 */
export function mergeSettings(user: Settings, project: Settings): Settings {
  const { hooks: _hooks, mcpServers: _servers, ...narrowing } = project;
  const merged: Settings = { ...user, ...narrowing };
  if (user.maxCost !== undefined && project.maxCost !== undefined) {
    merged.maxCost = Math.min(user.maxCost, project.maxCost);
  }
  merged.permissions = {
    allow: user.permissions?.allow ?? [],
    ask: [...user.permissions?.ask ?? [], ...project.permissions?.ask ?? []],
    deny: [...user.permissions?.deny ?? [], ...project.permissions?.deny ?? []],
  };
  return merged;
}

/** Whether there are any hooks. */
export function hasHooks(lists: HookLists): boolean {
  return Object.values(lists).some(({ length }) => length > 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(place: string, want: string, value: unknown): ConfigError {
  return new ConfigError(`Cannot use ${place}: it must be ${want}, not ${JSON.stringify(value)?.slice(0, 80)}`);
}

function text(value: unknown, place: string): string {
  if (typeof value !== "string" || value.trim() === "") throw bad(place, "a text", value);
  return value;
}

function texts(value: unknown, place: string): string[] {
  if (!Array.isArray(value)) throw bad(place, "a list of texts", value);
  return value.map((item) => text(item, place));
}

function object(value: unknown, place: string): Record<string, unknown> {
  if (!isObject(value)) throw bad(place, "an object", value);
  return value;
}

function list(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) throw bad(place, "a list", value);
    return value.map((item, i) => check(item, `entry ${i + 1} of ${place}`));
  };
}

function flag(value: unknown, place: string): boolean {
  if (typeof value !== "boolean") throw bad(place, "true or false", value);
  return value;
}

function number(minimum: 0 | 1): Check {
  return (value, place) => {
    const good = typeof value === "number" && Number.isFinite(value) && value >= minimum;
    if (!good || (minimum === 1 && !Number.isInteger(value))) {
      throw bad(place, minimum === 1 ? "a whole number from 1 on" : "a number from 0 on", value);
    }
    return value;
  };
}

function oneOf(choices: readonly string[]): Check {
  return (value, place) => {
    if (!(choices as readonly unknown[]).includes(value)) throw bad(place, `one of ${choices.join(", ")}`, value);
    return value;
  };
}

function shape(checks: Record<string, Check>, required: readonly string[] = []): Check {
  return (value, place) => {
    if (!isObject(value)) throw bad(place, "an object", value);
    for (const name of required) {
      if (!Object.hasOwn(value, name)) throw new ConfigError(`Cannot use ${place}: "${name}" is missing`);
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, content]) => {
        const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
        if (!check) throw new ConfigError(`Cannot use ${place}: unknown key "${name}"`);
        return [name, check(content, `"${name}" of ${place}`)];
      }),
    );
  };
}

/** @param names What a name must be like, where not every text can be one. */
function record(check: Check, names?: { pattern: RegExp; want: string }): Check {
  return (value, place) => {
    if (!isObject(value)) throw bad(place, "an object", value);
    const wrong = names && Object.keys(value).find((name) => !names.pattern.test(name));
    if (wrong !== undefined) throw bad(`a name of ${place}`, names?.want ?? "", wrong);
    return Object.fromEntries(
      Object.entries(value).map(([name, content]) => [name, check(content, `"${name}" of ${place}`)]),
    );
  };
}
