/**
 * Finds out where and with what a run works: configuration, model, permissions and tools. Asks for nothing and never
 * prompts.
 *
 * @module
 */

import { resolve } from "@std/path/resolve";
import { ConfigError } from "../llm/errors.ts";
import { type Grants, readGrants } from "../permissions/grants.ts";
import type { Workspace } from "../permissions/paths.ts";
import type { Rule } from "../permissions/rule_text.ts";
import { Redactor } from "../permissions/redact.ts";
import type { Policy } from "../permissions/rules.ts";
import { missingForModel, type MissingTools, supplyTools } from "../permissions/tool_needs.ts";
import { builtinTools } from "../tools/builtin.ts";
import { Jobs } from "../tools/jobs.ts";
import type { Tool } from "../tools/tool.ts";
import type { CliOptions, Mode } from "./args.ts";
import { type Config, loadConfig } from "./config.ts";
import { type ConnectedModel, connectModel, VARIABLES } from "./connect_model.ts";
import { readRules } from "./policy.ts";
import { readSavedRules } from "./saved_rules.ts";

/** What is known before anybody watches. */
export interface Setup {
  options: CliOptions;
  /** Canonical. */
  cwd: string;
  roots: readonly string[];
  config: Config;
  connected: ConnectedModel;
  mode: Mode;
  grants: Grants;
  rules: readonly Rule[];
  allTools: readonly Tool[];
  jobs: Jobs;
  /** Takes the keys out of everything that is shown, written or sent on. */
  redactor: Redactor;
  /** To be said once. */
  notices: string[];
  sessionId: string;
}

/** What a mode leaves of the tools. */
export interface Supply {
  tools: readonly Tool[];
  missing: readonly MissingTools[];
}

/**
 * Prepares a run.
 *
 * @throws {ConfigError} If something that was asked for cannot be had.
 */
export async function prepare(options: CliOptions): Promise<Setup> {
  const cwd = await folder(options.cwd ?? ".", options.cwd === undefined ? "The working folder" : "--cwd");
  const added = await Promise.all(options.addDirs.map((dir) => folder(dir, "--add-dir")));
  const config = await loadConfig(cwd, VARIABLES);
  const connected = connectModel(options, config);
  const { config: configFolder } = config.folders;
  const [grants, saved] = await Promise.all([
    readGrants({
      cwd,
      roots: [cwd, ...added],
      programs: [SHELL],
      hosts: connected.host ? [connected.host] : [],
      variables: [],
    }),
    configFolder ? readSavedRules(configFolder) : [],
  ]);
  const unreachable = connected.host && missingForModel(grants, connected.host);
  if (unreachable) throw new ConfigError(`Cannot reach "${connected.model.id}", ${unreachable}`);
  const jobs = new Jobs();
  return {
    options,
    cwd,
    roots: [cwd, ...added],
    config,
    connected,
    mode: options.mode ?? config.settings.mode ?? "ask",
    grants,
    rules: readRules(options, config.settings, saved),
    allTools: builtinTools({ jobs }),
    jobs,
    redactor: new Redactor(connected.secrets),
    notices: [...config.notices, ...connected.notices],
    sessionId: crypto.randomUUID(),
  };
}

/** The program that runs commands, as permissions name it. */
const SHELL = Deno.build.os === "windows" ? "cmd" : "sh";

/** The tools that a mode leaves, and in words why the others are missing. */
export function supply({ grants, allTools, connected: { host } }: Setup, mode: Mode): Supply {
  const { offered, missing } = supplyTools(grants, allTools, {
    mode,
    shell: SHELL,
    sandboxed: false,
    ...(host && { providerHost: host }),
  });
  const useless = offered.includes("run_command") ? [] : ["poll_command"]; // without commands there is nothing to poll
  return { tools: allTools.filter(({ name }) => offered.includes(name) && !useless.includes(name)), missing };
}

/** The workspace as a mode opens it. */
export function workspaceOf({ cwd, roots, config }: Setup, mode: Mode): Workspace {
  const { home, config: configFolder, data } = config.folders;
  return {
    cwd,
    roots,
    ...(home && { home }),
    ownFolders: [configFolder, data].filter((path) => path !== undefined),
    unconfined: mode === "full",
  };
}

/** What calls are judged by in a mode. */
export function policyOf(setup: Setup, mode: Mode): Policy {
  return { mode, rules: setup.rules, workspace: workspaceOf(setup, mode), sandboxed: false };
}

/** An existing folder, canonical. */
async function folder(given: string, what: string): Promise<string> {
  const where = given === "." ? what : `${what} "${given}"`;
  let path: string;
  try {
    path = resolve(given);
  } catch {
    throw new ConfigError("The working folder cannot be read: add --allow-read");
  }
  const { state } = await Deno.permissions.query({ name: "read", path });
  if (state !== "granted") throw new ConfigError(`${where} cannot be read: add --allow-read=${path}`);
  try {
    const real = await Deno.realPath(path);
    if ((await Deno.stat(real)).isDirectory) return real;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "it does not exist" : (error as Error).message;
    throw new ConfigError(`${where} cannot be used: ${reason}`);
  }
  throw new ConfigError(`${where} cannot be used: it is not a folder`);
}
