/**
 * Finds out where and with what a run works: configuration, model, permissions and tools. Asks for nothing and never
 * prompts.
 *
 * @module
 */

import type { HookLists } from "../agent/hooks.ts";
import type { Session } from "../agent/session.ts";
import { ConfigError } from "../llm/errors.ts";
import { hiddenGlobs } from "../permissions/hidden_globs.ts";
import { type Grants, readGrants, revoke } from "../permissions/grants.ts";
import { isHeld } from "../permissions/held.ts";
import { resolve } from "../permissions/os_path.ts";
import { revocable } from "../permissions/revocable.ts";
import type { Workspace } from "../permissions/paths.ts";
import type { Rule } from "../permissions/rule_text.ts";
import { Redactor } from "../permissions/redact.ts";
import type { Policy } from "../permissions/rules.ts";
import { missingForModel, type MissingTools, supplyTools } from "../permissions/tool_needs.ts";
import { builtinTools } from "../tools/builtin.ts";
import { Jobs } from "../tools/jobs.ts";
import type { Tool } from "../tools/tool.ts";
import type { CliOptions, Mode } from "./args.ts";
import { childEnvironment } from "./child_environment.ts";
import { type Config, findFolders, loadConfig, readVariable } from "./config.ts";
import { type ConnectedModel, connectModel, VARIABLES } from "./connect_model.ts";
import { findSession, type FoundSession } from "./open_session.ts";
import { LazySandbox } from "./open_sandbox.ts";
import { hostsOf, readRules } from "./policy.ts";
import { readSavedRules } from "./saved_rules.ts";
import type { FoundServers, ServerSettings } from "./mcp_settings.ts";
import type { RunningServers } from "./open_servers.ts";
import { hasHooks } from "./settings.ts";

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
  /** The person's own, and the project's once it is trusted. */
  hooks: HookLists;
  /** MCP servers: the person's own, and the project's once it is trusted. */
  servers: readonly ServerSettings[];
  /** What the project names, whether it is trusted or not. */
  projectServers: readonly ServerSettings[];
  /** The servers that were started. */
  running?: RunningServers;
  allTools: readonly Tool[];
  jobs: Jobs;
  /** The whole environment of children. */
  env: Readonly<Record<string, string>>;
  sandbox: LazySandbox;
  /** Takes the keys out of everything that is shown, written or sent on. */
  redactor: Redactor;
  /** To be said once. */
  notices: string[];
  session: Session;
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
  const here = folder(options.cwd ?? ".", options.cwd === undefined ? "The working folder" : "--cwd");
  const folders = findFolders();
  const found = await findSession({ options, here, dataFolder: folders.data });
  const { cwd } = found;
  const added = options.addDirs.map((dir) => folder(dir, "--add-dir"));
  const config = await loadConfig(cwd, VARIABLES);
  const saved = folders.config ? readSavedRules(folders.config) : [];
  const connected = connectAgain(options, config, found);
  const rules = await readRules(options, config.settings, saved);
  const grants = readGrants({
    cwd,
    roots: [cwd, ...added],
    programs: [SHELL],
    hosts: [...(connected.host ? [connected.host] : []), ...hostsOf(rules)],
    variables: [],
  });
  const unreachable = connected.host && missingForModel(grants, connected.host);
  if (unreachable) throw new ConfigError(`Cannot reach "${connected.model.id}", ${unreachable}`);
  const jobs = new Jobs();
  const { servers, projectServers, secrets, notices } = await findServers(config, cwd);
  const redactor = new Redactor([...connected.secrets, ...secrets]);
  const roots = [cwd, ...added];
  const { settings } = config;
  const env = childEnvironment(Deno.build.os, settings.env ?? [], new Set(VARIABLES), readVariable);
  const workspace = workspaceOf({ cwd, roots, config, rules }, "ask");
  const mode = options.mode ?? settings.mode ?? "ask";
  const sandbox = new LazySandbox({ workspace, settings, env });
  if (settings.sandbox === "require") await requireSandbox(sandbox, mode);
  return {
    options,
    cwd,
    roots,
    config,
    connected,
    mode,
    grants,
    rules,
    hooks: settings.hooks ?? {},
    servers,
    projectServers,
    allTools: builtinTools({ jobs, holdsSecret: (text) => redactor.holdsKnown(text) }),
    jobs,
    env,
    sandbox,
    redactor,
    notices: [...found.notices, ...config.notices, ...connected.notices, ...notices],
    session: found.open((text) => redactor.redact(text)),
  };
}

/** The MCP servers that the configurations name. */
async function findServers(
  { settings: { mcpServers = {} }, projectServers }: Config,
  cwd: string,
): Promise<FoundServers> {
  const isEmpty = Object.keys(mcpServers).length + Object.keys(projectServers).length === 0;
  if (isEmpty) return { servers: [], projectServers: [], secrets: [], notices: [] };
  return (await import("./mcp_settings.ts")).readAllServers(mcpServers, projectServers, cwd);
}

/** Whether the project's configuration would run something, which the person must have said yes to. */
export function mayRunSomething({ config, projectServers }: Pick<Setup, "config" | "projectServers">): boolean {
  return hasHooks(config.projectHooks) || projectServers.length > 0;
}

/** The model of the command line, else that of the session which goes on, if it can still be had. */
function connectAgain(options: CliOptions, config: Config, { model, notices }: FoundSession): ConnectedModel {
  if (options.model !== undefined || model === undefined || model.startsWith("demo/")) {
    return connectModel(options, config);
  }
  try {
    return connectModel(options, config, model);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const connected = connectModel(options, config);
    notices.push(
      `The session's model "${model}" cannot be had, going on with "${connected.model.id}": ${error.message}`,
    );
    return connected;
  }
}

/** The program that runs commands, as permissions name it. */
export const SHELL = Deno.build.os === "windows" ? "cmd" : "sh";

/**
 * Gives up for good what this run can never use: called when everything that needs it has been read.
 *
 * @param fixed Nobody can raise the mode: a headless run.
 */
export async function giveUp(setup: Setup, fixed: boolean): Promise<void> {
  const { mode, options, roots, sandbox, hooks, servers } = setup;
  const runs = mode !== "plan" || hasHooks(hooks) || servers.some(({ place }) => place && "command" in place) ||
    (await sandbox.open()).wrap !== undefined;
  revoke(revocable(mode, { fixed, saving: options.save, runs, roots }));
}

/** A person who requires the sandbox would rather not start without it. */
async function requireSandbox(sandbox: LazySandbox, mode: Mode): Promise<void> {
  const refuse = (reason: string) =>
    new ConfigError(`Cannot start, since your configuration requires the sandbox: ${reason}`);
  if (mode === "full") throw refuse("full mode runs commands without it");
  const { wrap, label } = await sandbox.open();
  if (!wrap) throw refuse(label);
}

/** The tools that a mode leaves, and in words why the others are missing. */
export function supply({ grants, allTools, connected: { host } }: Setup, mode: Mode, sandboxed: boolean): Supply {
  const { offered, missing } = supplyTools(grants, allTools, {
    mode,
    shell: SHELL,
    sandboxed,
    ...(host && { providerHost: host }),
  });
  const useless = offered.includes("run_command") ? [] : ["poll_command"]; // without commands there is nothing to poll
  return { tools: allTools.filter(({ name }) => offered.includes(name) && !useless.includes(name)), missing };
}

/** The workspace as a mode opens it. */
export function workspaceOf(
  { cwd, roots, config, rules, session }:
    & Pick<Setup, "cwd" | "roots" | "config" | "rules">
    & Partial<Pick<Setup, "session">>,
  mode: Mode,
): Workspace {
  const { home, config: configFolder, data } = config.folders;
  return {
    cwd,
    roots,
    ...(home && { home }),
    ownFolders: [configFolder, data].filter((path) => path !== undefined),
    hidden: hiddenGlobs(rules),
    ...(session && { readable: session.readable }),
    unconfined: mode === "full",
  };
}

/** What calls are judged by in a mode. */
export function policyOf(setup: Setup, mode: Mode): Policy {
  return { mode, rules: setup.rules, workspace: workspaceOf(setup, mode), sandboxed: false };
}

/** An existing folder, canonical. */
function folder(given: string, what: string): string {
  const where = given === "." ? what : `${what} "${given}"`;
  let path: string;
  try {
    path = resolve(Deno.cwd(), given);
  } catch {
    throw new ConfigError("The working folder cannot be read: add --allow-read");
  }
  if (!isHeld({ name: "read", path })) throw new ConfigError(`${where} cannot be read: add --allow-read=${path}`);
  try {
    if (Deno.statSync(path).isDirectory) return Deno.realPathSync(path);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "it does not exist" : (error as Error).message;
    throw new ConfigError(`${where} cannot be used: ${reason}`);
  }
  throw new ConfigError(`${where} cannot be used: it is not a folder`);
}
