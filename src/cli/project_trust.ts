/**
 * What a project's configuration would run, and whether the person has said yes to it. Loaded only where it would run
 * something.
 *
 * @module
 */

import type { Hook, HookEvent, HookLists } from "../agent/hooks.ts";
import { isHeld } from "../permissions/held.ts";
import { join } from "../permissions/os_path.ts";
import { type ProjectEntry, type TrustState, trustState, withTrust } from "../permissions/trust.ts";
import { readTrustFile, updateTrustFile } from "../permissions/trust_file.ts";
import { secretsOf, type ServerSettings } from "./mcp_settings.ts";
import { hasHooks } from "./settings.ts";
import type { Setup } from "./setup.ts";

/** What a person is asked. */
export interface TrustQuestion {
  /** The canonical folder that is asked about. */
  readonly folder: string;
  /** Whether something else was trusted there before. */
  readonly changed: boolean;
  readonly entries: readonly ProjectEntry[];
  /** How what it would run is confined. */
  readonly sandbox: string;
}

/** Puts the question; absent where there is nobody to ask. */
export type AskTrust = (question: TrustQuestion) => Promise<boolean>;

/** What trust there is in a project. */
export interface ProjectTrust {
  readonly state: TrustState;
  /** Why nothing is trusted though something was. */
  readonly problem?: string;
}

/** What of a setup a project has a part in. */
type Projects = Pick<Setup, "config" | "cwd" | "projectServers">;

/**
 * Decides whether the project's hooks and MCP servers are used, asking where it can, and adds them to the setup's or
 * says that they are not. The person's own come first.
 */
export async function decideTrust(setup: Setup, ask?: AskTrust): Promise<void> {
  const { options, cwd, notices } = setup;
  const { state, problem } = await projectTrust(setup);
  if (problem !== undefined) notices.push(problem);
  if (state.state === "empty") return;
  if (state.state === "trusted" || options.trust) return accept(setup);
  const changed = state.state === "changed";
  const what = whatOf(setup);
  if (!ask) return void notices.push(unused(what, changed, "--trust accepts it for this run"));
  const entries = allEntries(setup);
  const sandbox = setup.mode === "full" ? "none (full mode)" : (await setup.sandbox.open()).label;
  if (!await ask({ folder: cwd, changed, entries, sandbox })) {
    return void notices.push(unused(what, changed, "you are asked again at the next start"));
  }
  accept(setup);
  await keep(setup, entries);
}

/** Uses what the project names. */
export function accept(setup: Setup): void {
  setup.hooks = joinHooks(setup.hooks, setup.config.projectHooks);
  setup.servers = [...setup.servers, ...setup.projectServers];
  // not before: until then nothing that a project says decides what is shown and what is left out
  setup.redactor.add(secretsOf(setup.projectServers));
}

/** Reads what was said yes to. */
export async function projectTrust(setup: Projects): Promise<ProjectTrust> {
  const entries = allEntries(setup);
  const { cwd, config: { folders: { config: folder } } } = setup;
  const path = folder && join(folder, "trust.json");
  if (path === undefined || !isHeld({ name: "read", path })) return { state: notAsked(entries) };
  const { store, problem } = await readTrustFile(path);
  const state = await trustState(cwd, entries, store);
  return { state, ...(problem !== undefined && { problem: `No project is trusted, ${path} is damaged: ${problem}` }) };
}

/** In words for `permissions` and `doctor`. */
export function trustText({ state }: ProjectTrust, accepted: boolean): string {
  if (state.state === "trusted") return "trusted";
  if (accepted) return "accepted for this run";
  return state.state === "changed" ? "changed since they were trusted: not used" : "not trusted: not used";
}

/** Each hook with all that decides about it: what is hashed is what is shown. */
export function entriesOf(hooks: HookLists): ProjectEntry[] {
  return (Object.entries(hooks) as [HookEvent, Hook[]][]).flatMap(([event, list]) =>
    list.map(({ match, command, timeoutMs }, i): ProjectEntry => {
      const tools = match === undefined ? "" : ` for ${JSON.stringify(match)}`;
      const limit = timeoutMs === undefined ? "" : `, at most ${timeoutMs} ms`;
      return { kind: "hook", name: `${event}[${i}]`, content: `${event}${tools}${limit}\n${command}` };
    })
  );
}

/** Each server with all that decides about it. One that cannot be used runs nothing. */
export function serverEntriesOf(servers: readonly ServerSettings[]): ProjectEntry[] {
  return servers.flatMap(({ name, place, startTimeoutMs, timeoutMs, disabled }): ProjectEntry[] => {
    if (!place || disabled) return [];
    const pairs = (values: Readonly<Record<string, string>>, sign: string) =>
      Object.entries(values).map(([key, value]) => `${wordText(key)}${sign}${JSON.stringify(value)}`);
    // the address as it is used: what is read over in it could hide where it leads
    const lines = "url" in place ? [new URL(place.url).href, ...pairs(place.headers, ": ")] : [
      place.command.map(wordText).join(" "),
      ...pairs(place.env, "="),
      `in ${JSON.stringify(place.cwd)}`,
    ];
    const limits = `${startTimeoutMs} ms to start, ${timeoutMs} ms a call`;
    const content = [`MCP server ${JSON.stringify(name)}, ${limits}`, ...lines].join("\n");
    return [{ kind: "mcp_server", name, content }];
  });
}

/** In one line, and never what another word is. */
function wordText(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

function allEntries({ config, projectServers }: Projects): ProjectEntry[] {
  return [...entriesOf(config.projectHooks), ...serverEntriesOf(projectServers)];
}

/** What there is, in words. */
function whatOf({ config, projectServers }: Projects): string {
  const parts = [
    ...(hasHooks(config.projectHooks) ? ["hooks"] : []),
    ...(projectServers.length > 0 ? ["MCP servers"] : []),
  ];
  return parts.join(" and ");
}

function joinHooks(first: HookLists, second: HookLists): HookLists {
  const joined: HookLists = { ...first };
  for (const [event, list] of Object.entries(second) as [HookEvent, Hook[]][]) {
    joined[event] = [...first[event] ?? [], ...list];
  }
  return joined;
}

/** A yes that cannot be kept still counts for this run. */
async function keep({ config: { folders }, cwd, notices }: Setup, entries: readonly ProjectEntry[]): Promise<void> {
  const path = folders.config && join(folders.config, "trust.json");
  try {
    if (path === undefined) throw new Error("it is not known where");
    if (!isHeld({ name: "write", path: folders.config! })) throw new Error(`no --allow-write=${folders.config}`);
    await updateTrustFile(path, (store) => withTrust(store, cwd, { entries, now: new Date() }));
  } catch (error) {
    notices.push(`Your yes to this project counts for this run, but could not be kept: ${(error as Error).message}`);
  }
}

function notAsked(entries: readonly ProjectEntry[]): TrustState {
  return entries.length === 0 ? { state: "empty" } : { state: "unknown", entries };
}

function unused(what: string, changed: boolean, wayOut: string): string {
  const why = changed ? "they have changed since you trusted it" : "it is not trusted";
  return `The ${what} of this project's .mini-agent/config.json are not used, since ${why}: ${wayOut}`;
}
