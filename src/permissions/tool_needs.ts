/**
 * Which tools the grants and the mode leave, and in words which one flag would bring back the rest.
 *
 * @module
 */

import type { Grants, Mode } from "./grants.ts";

/** What must be known of a tool. */
export interface ToolNeeds {
  readonly name: string;
  readonly access: "none" | "read" | "write" | "execute" | "network" | "server";
  /** Of a server's tool: whether the person's configuration says that it changes nothing. */
  readonly origin?: { readonly readOnly: boolean };
  readonly needs: readonly Deno.PermissionName[];
}

/** What else decides about the tools. */
export interface ToolCircumstances {
  readonly mode: Mode;
  /** The program that starts a command line: the shell, or the sandbox's own where there is one. */
  readonly shell: string;
  /** Whether commands run in an OS sandbox. */
  readonly sandboxed: boolean;
  /** The model service's own address as it was asked about: it does not make a network for tools. */
  readonly providerHost?: string;
}

/** Tools that are not offered. */
export interface MissingTools {
  readonly tools: readonly string[];
  /** For the banner: `read-only: no --allow-write`. */
  readonly text: string;
}

/** The tools that can work, and why the others cannot. */
export interface ToolSupply {
  /** Names, in the order given. */
  readonly offered: readonly string[];
  readonly missing: readonly MissingTools[];
}

/** Decides which tools are offered to the model: none is found out by failing. */
export function supplyTools(grants: Grants, tools: readonly ToolNeeds[], circumstances: ToolCircumstances): ToolSupply {
  const reasons = new Map<string, string[]>();
  const offered: string[] = [];
  for (const tool of tools) {
    const reason = refusedByMode(tool, circumstances) ?? refusedByGrants(tool, grants, circumstances);
    if (reason === undefined) offered.push(tool.name);
    else reasons.set(reason, [...reasons.get(reason) ?? [], tool.name]);
  }
  return { offered, missing: Array.from(reasons, ([text, names]) => ({ tools: names, text })) };
}

/** What the model itself lacks, in words for the banner; `undefined` if its service can be reached. */
export function missingForModel(grants: Grants, host: string): string | undefined {
  if (grants.net.reach === "everywhere" || grants.hosts.includes(host)) return undefined;
  return `no model: ${flagFor("net", grants.net.restricted, host)}`;
}

function refusedByMode(tool: ToolNeeds, { mode, sandboxed }: ToolCircumstances): string | undefined {
  if (mode !== "plan") return undefined;
  if (tool.access === "write") return "read-only: plan mode";
  if (tool.access === "server" && !tool.origin?.readOnly) return "no MCP tools that may change things: plan mode";
  if (tool.access === "execute" && !sandboxed) return "no commands: plan mode without a sandbox";
  return undefined;
}

function refusedByGrants(tool: ToolNeeds, grants: Grants, around: ToolCircumstances): string | undefined {
  for (const need of tool.needs) {
    if (isMet(need, grants, around)) continue;
    if (need === "net" && grants.hosts.length > 0) return "no network but the model's: no other --allow-net";
    return `${WORDS[need]}: ${flagFor(need, restricted(need, grants))}`;
  }
  return undefined;
}

const WORDS: Readonly<Record<Deno.PermissionName, string>> = {
  read: "no files",
  write: "read-only",
  run: "no commands",
  net: "no network",
  env: "no environment",
  sys: "no system information",
  ffi: "no native code",
};

function isMet(need: Deno.PermissionName, grants: Grants, { shell, providerHost }: ToolCircumstances): boolean {
  switch (need) {
    case "read":
    case "env":
      return grants[need].reach !== "none";
    case "write":
      return grants.writableRoots.length > 0;
    case "run":
      return grants.programs.includes(shell);
    case "net":
      return grants.net.reach === "everywhere" || grants.hosts.some((host) => host !== providerHost);
    case "sys":
    case "ffi":
      return false;
    default:
      return need satisfies never;
  }
}

function restricted(need: Deno.PermissionName, grants: Grants): boolean {
  return need in grants && grants[need as "read" | "write" | "run" | "net" | "env"].restricted;
}

/** The flag that is missing, or the one that took it away. */
function flagFor(need: string, denied: boolean, scope?: string): string {
  return denied ? `--deny-${need}` : `no --allow-${need}${scope === undefined ? "" : `=${scope}`}`;
}
