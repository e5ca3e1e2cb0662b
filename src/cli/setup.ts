/**
 * Puts the parts of a conversation together: configuration, model, permissions, tools and the system prompt.
 *
 * @module
 */

import { resolve } from "@std/path/resolve";
import { Agent } from "../agent/agent.ts";
import { budgetCheck } from "../agent/budget.ts";
import { Ledger } from "../agent/ledger.ts";
import { PermissionGate } from "../agent/permission_gate.ts";
import { readMemory } from "../agent/memory.ts";
import { buildPrompt } from "../agent/prompt.ts";
import type { UI } from "../agent/ui.ts";
import { ConfigError } from "../llm/errors.ts";
import { type JsonSchema, NO_USAGE } from "../llm/types.ts";
import { type Grants, readGrants } from "../permissions/grants.ts";
import type { Workspace } from "../permissions/paths.ts";
import type { Policy } from "../permissions/rules.ts";
import { supplyTools } from "../permissions/tool_needs.ts";
import type { Tool } from "../tools/tool.ts";
import type { CliOptions, Mode } from "./args.ts";
import { childEnvironment } from "./child_environment.ts";
import { type Config, loadConfig, readVariable } from "./config.ts";
import { readRules } from "./policy.ts";
import { readSavedRules, saveRule } from "./saved_rules.ts";
import { type ConnectedModel, connectModel, VARIABLES } from "./connect_model.ts";

/** What is known before anybody watches: where, with which model, in which mode. */
export interface Setup {
  options: CliOptions;
  cwd: string;
  config: Config;
  connected: ConnectedModel;
  mode: Mode;
  grants: Grants;
  workspace: Workspace;
  policy: Policy;
  tools: readonly Tool[];
  /** Tools that the process or the mode cannot serve, in words for the banner. */
  missing: string[];
  /** To be said once. */
  notices: string[];
  sessionId: string;
}

/** A conversation that can begin. */
export interface Conversation {
  agent: Agent;
  ledger: Ledger;
}

/**
 * Finds out where and with what a run works. Asks for nothing and never prompts.
 *
 * @throws {ConfigError} If something that was asked for cannot be had.
 */
export async function prepare(options: CliOptions, allTools: readonly Tool[]): Promise<Setup> {
  const cwd = await workingFolder(options.cwd);
  const roots = [cwd, ...await Promise.all(options.addDirs.map((dir) => folder(dir, "--add-dir")))];
  const config = await loadConfig(cwd, VARIABLES);
  const connected = connectModel(options, config);
  const mode = options.mode ?? config.settings.mode ?? "ask";
  const host = connected.host;
  const grants = await readGrants({
    cwd,
    roots,
    programs: ["sh"],
    hosts: host ? [host] : [],
    variables: [],
  });
  const { offered, missing } = supplyTools(grants, allTools, {
    mode,
    shell: "sh",
    sandboxed: false,
    ...(host && { providerHost: host }),
  });
  const { home, config: configFolder, data } = config.folders;
  const workspace: Workspace = {
    cwd,
    roots,
    ...(home && { home }),
    ownFolders: [configFolder, data].filter((f) => f !== undefined),
    unconfined: mode === "full",
  };
  const saved = configFolder ? await readSavedRules(configFolder) : [];
  const rules = readRules(options, config.settings, saved);
  return {
    options,
    cwd,
    config,
    connected,
    mode,
    grants,
    workspace,
    policy: { mode, rules, workspace, sandboxed: false },
    tools: allTools.filter((tool) => offered.includes(tool.name)),
    missing: missing.map(({ text }) => text),
    notices: [...config.notices, ...connected.notices],
    sessionId: crypto.randomUUID(),
  };
}

/** Makes the conversation that a setup describes. */
export async function converse(setup: Setup, ui: UI, schema?: JsonSchema): Promise<Conversation> {
  const { options, cwd, config, connected, mode, workspace, tools, missing } = setup;
  const { settings, folders } = config;
  const ledger = new Ledger(connected.price);
  const env = childEnvironment(Deno.build.os, settings.env ?? [], new Set(VARIABLES), readVariable);
  const configFolder = folders.config;
  const gate = new PermissionGate({
    policy: () => setup.policy,
    ui,
    searchPath: (env.PATH ?? "").split(Deno.build.os === "windows" ? ";" : ":"),
    ...(configFolder && { saveRule: (rule: string) => saveRule(configFolder, rule) }),
  });
  const maxCost = options.maxCost ?? settings.maxCost;
  const { price, name } = connected;
  if (maxCost !== undefined && !price({ ...NO_USAGE, inputTokens: 1 }, name, new Date())) {
    throw new ConfigError(`Cannot keep to a cost limit: no price is known for "${name}", set models.${name}.price`);
  }
  const effort = options.effort ?? settings.effort;
  const append = [
    options.appendSystemPrompt,
    schema && `Your final answer must be only JSON that fits this JSON schema:\n${JSON.stringify(schema)}`,
  ].filter((text) => text !== undefined).join("\n\n");
  const agent = new Agent({
    model: connected.model,
    system: buildPrompt({
      append,
      memory: await readMemory(cwd, configFolder),
      environment: {
        cwd,
        os: Deno.build.os,
        addedFolders: workspace.roots.slice(1),
        limits: [`permission mode ${mode}`, ...missing],
        date: new Date(),
      },
    }),
    tools,
    ui,
    surroundings: {
      cwd,
      workspace,
      child: { env },
    },
    gate,
    ledger,
    ...(schema && { schema }),
    ...(maxCost !== undefined && { beforeRequest: budgetCheck(maxCost, { ledger, price, model: name }) }),
    maxSteps: options.maxSteps ?? settings.maxSteps ?? 50,
    maxTokens: options.maxTokens ?? settings.maxTokens ?? 16_000,
    ...(effort && { effort }),
  });
  return { agent, ledger };
}

/** The folder to work in, canonical. */
async function workingFolder(given: string | undefined): Promise<string> {
  return await folder(given ?? ".", given === undefined ? "The working folder" : "--cwd");
}

async function folder(given: string, what: string): Promise<string> {
  const where = `${what}${given === "." ? "" : ` "${given}"`}`;
  let path: string;
  try {
    path = resolve(given);
  } catch {
    throw new ConfigError(`Cannot work here: the folder cannot be read, add --allow-read`);
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
