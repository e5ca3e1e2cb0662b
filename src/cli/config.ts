/**
 * Everything that is read before the first request: the environment, `.env` files and configuration files. This is the
 * only place that touches `Deno.env`; the rest of the program is handed values.
 *
 * @module
 */

import type { HookLists } from "../agent/hooks.ts";
import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { isAbsolute, join } from "../permissions/os_path.ts";
import { checkSettings, mergeSettings, type Settings } from "./settings.ts";

/** Where our own files live. A folder is absent where the environment does not tell. */
export interface Folders {
  home?: string;
  /** Configuration: written by people. */
  config?: string;
  /** Sessions and what else we keep. */
  data?: string;
}

/** Where a variable's value was found. */
export type VariableSource = "environment" | "user" | "project";

/** A variable that counts for us. */
export interface Variable {
  value: string;
  source: VariableSource;
}

/** What was found. */
export interface Config {
  folders: Folders;
  settings: Settings;
  /** The accepted variables: provider keys and base URLs, `AGENT_MODEL`. */
  variables: ReadonlyMap<string, Variable>;
  /** Whether the model's name in the settings is the project's. */
  projectModel: boolean;
  /** What the project's configuration would run: not among the settings, since the person must say yes to it. */
  projectHooks: HookLists;
  projectServers: NonNullable<Settings["mcpServers"]>;
  /** To be said once. */
  notices: string[];
}

/**
 * One variable of the environment; undefined also where the process may not see it. Never prompts.
 */
export function readVariable(name: string): string | undefined {
  return isHidden(name) ? undefined : Deno.env.get(name);
}

/** Whether the process may not see a variable. Never prompts. */
export function isHidden(name: string): boolean {
  return !isHeld({ name: "env", variable: name });
}

/** Where our files live on this system, by `MINI_AGENT_HOME`, the XDG variables or the system's own customs. */
export function findFolders(os: typeof Deno.build.os = Deno.build.os, variable = readVariable): Folders {
  const home = variable(os === "windows" ? "USERPROFILE" : "HOME");
  const own = variable("MINI_AGENT_HOME");
  if (own) return { ...(home && { home }), config: own, data: own };
  const config = absolute(variable("XDG_CONFIG_HOME")) ||
    (os === "windows" ? variable("APPDATA") : home && join(home, ".config"));
  const data = absolute(variable("XDG_STATE_HOME")) || dataFolder(os, home, variable);
  return {
    ...(home && { home }),
    ...(config && { config: join(config, "mini-agent") }),
    ...(data && { data: join(data, "mini-agent") }),
  };
}

/** The XDG specification wants a relative path to count for nothing: it would be another folder in every project. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function dataFolder(os: string, home: string | undefined, variable: typeof readVariable): string | undefined {
  if (os === "windows") return variable("LOCALAPPDATA");
  if (!home) return undefined;
  return os === "darwin" ? join(home, "Library", "Application Support") : join(home, ".local", "state");
}

/** Why it is not known where the configuration is. */
function noFolder(): string {
  const name = Deno.build.os === "windows" ? "APPDATA" : "HOME";
  return isHidden(name) ? `${name} cannot be read, see --allow-env` : `${name} is not set`;
}

const NO_SETTINGS: Settings = {};

/**
 * Reads all sources for one working folder.
 *
 * @param cwd Canonical working folder.
 * @param accepted Names of the variables that count, beside those that a configured provider names.
 * @throws {ConfigError} If a configuration file cannot be understood: its rules must not be lost.
 */
export async function loadConfig(cwd: string, accepted: readonly string[]): Promise<Config> {
  const folders = findFolders();
  const notices: string[] = [];
  const projectNotices: string[] = [];
  if (!folders.config) notices.push(`Your configuration is not used: ${noFolder()}`);
  const [user, project, userDotenv, projectDotenv] = await Promise.all([
    folders.config ? readSettings(join(folders.config, "config.json"), "user", notices) : NO_SETTINGS,
    readSettings(join(cwd, ".mini-agent", "config.json"), "project", projectNotices),
    folders.config ? readText(join(folders.config, ".env")) : undefined,
    readText(join(cwd, ".env")),
  ]);
  const keyNames = Object.values(user.providers ?? {}).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const names = new Set([...accepted, ...keyNames]);
  const variables = new Map<string, Variable>();
  const add = (source: VariableSource, values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) {
      if (!variables.has(name)) variables.set(name, { value, source });
    }
  };
  add("environment", fromEnvironment(names));
  add("user", await parseDotenv(userDotenv, names));
  add("project", withoutForeignBaseUrls(await parseDotenv(projectDotenv, names), variables));
  return {
    folders,
    settings: mergeSettings(user, project),
    variables,
    projectModel: project.model !== undefined,
    projectHooks: project.hooks ?? {},
    projectServers: project.mcpServers ?? {},
    notices: [...notices, ...projectNotices],
  };
}

async function parseDotenv(text: string | undefined, names: ReadonlySet<string>): Promise<Record<string, string>> {
  if (text === undefined) return {};
  const { readDotenv } = await import("./dotenv.ts");
  return readDotenv(text, names);
}

function fromEnvironment(names: ReadonlySet<string>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = readVariable(name);
    if (value !== undefined && value.trim() !== "") values[name] = value;
  }
  return values;
}

/** A base URL counts only with a key from the same file: a repository must not send the person's key elsewhere. */
function withoutForeignBaseUrls(
  values: Record<string, string>,
  known: ReadonlyMap<string, Variable>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      if (!name.endsWith("_BASE_URL")) return true;
      const key = name.replace(/_BASE_URL$/, "_API_KEY");
      return Object.hasOwn(values, key) && !known.has(key);
    }),
  );
}

async function readSettings(file: string, owner: "user" | "project", notices: string[]): Promise<Settings> {
  if (!isHeld({ name: "read", path: file })) {
    if (owner === "user") {
      notices.push(`Your configuration is not used, its deny rules included: no --allow-read=${file}`);
    }
    return {};
  }
  const text = readText(file, "regular");
  if (text === undefined) return {};
  const { parseJsonc } = await import("./jsonc.ts");
  let value: unknown;
  try {
    value = parseJsonc(text);
  } catch (error) {
    throw new ConfigError(`Cannot read the configuration "${file}": ${(error as Error).message}`, { cause: error });
  }
  const checked = checkSettings(value, file, owner);
  notices.push(...checked.notices);
  return checked.settings;
}

/**
 * A small file's text; undefined if it is absent or the process may not read it.
 *
 * @param kind What else than a file may stand there: `.env` is also what some call a folder of programs.
 */
function readText(file: string, kind: "any" | "regular" = "any"): string | undefined {
  if (!isHeld({ name: "read", path: file })) return undefined;
  try {
    const { isFile, size } = Deno.statSync(file);
    if (!isFile && kind === "regular") throw new ConfigError(`Cannot read "${file}": it is not a regular file`);
    if (!isFile) return undefined;
    if (size > 1024 * 1024) throw new ConfigError(`Cannot read "${file}": it is larger than 1 MiB`);
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`Cannot read "${file}": ${(error as Error).message}`, { cause: error });
  }
}
