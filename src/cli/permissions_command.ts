/**
 * `mini-agent permissions` and `/permissions`: what this process may do, and the exact lines that start one with what a mode needs.
 *
 * @module
 */

import { compileLine, launchLine, type LaunchOptions, permissionSet } from "../permissions/launch.ts";
import { visible } from "../permissions/neutralise.ts";
import { fromFileUrl } from "../permissions/os_path.ts";
import type { CliOptions, Mode } from "./args.ts";
import { CHILD_VARIABLES } from "./child_environment.ts";
import { VARIABLES } from "./connect_model.ts";
import { hookLines } from "./hook_lines.ts";
import { hostsOf } from "./policy.ts";
import type { ServerSettings } from "./mcp_settings.ts";
import { prepare, type Setup, supply } from "./setup.ts";

/** The environment variables that the program itself looks at, beside keys and addresses. */
const OWN_VARIABLES = ["MINI_AGENT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR"];

/** The text that `mini-agent permissions` prints. */
export async function permissionsText(options: CliOptions): Promise<string> {
  const setup = await prepare(options);
  const { mode } = setup;
  const launch = launchOptions(setup, (await setup.sandbox.open()).program);
  const set = JSON.stringify({ permissions: { [`mini-agent-${mode}`]: permissionSet(mode, launch) } }, null, 2);
  const lines = [
    ...await permissionLines(setup, mode),
    "",
    "To build an executable that can never do more:",
    `  ${compileLine(mode, { ...launch, output: `mini-agent-${mode}` })}`,
    "",
    `As a permission set of a deno.json, used by deno run --no-prompt --cached-only -P=mini-agent-${mode}:`,
    ...set.split("\n").map((line) => `  ${line}`),
    "",
  ];
  return visible(lines.join("\n")); // a folder's name may hold anything
}

/** What a running process may do in a mode, what it lacks, and the line that starts one which lacks nothing. */
export async function permissionLines(setup: Setup, mode: Mode): Promise<string[]> {
  const sandbox = await setup.sandbox.open();
  const { tools, missing } = supply(setup, mode, sandbox.wrap !== undefined);
  return [
    `Mode ${mode} in ${setup.cwd}`,
    "",
    "This process holds:",
    ...holdings(setup).map((line) => `  ${line}`),
    `  tools: ${tools.map(({ name }) => name).join(", ") || "none"}`,
    `  sandbox: ${sandbox.label}`,
    ...(await hookLines(setup)).map(({ text }) => `  ${text}`),
    ...serverLine(setup.servers),
    ...missing.map(({ text, tools }) => `  ${text} (${tools.join(", ")})`),
    ...setup.rules.map(({ action, text }) => `  rule: ${action} ${text}`),
    "",
    `To start one that holds what ${mode} mode needs, and no more:`,
    `  ${launchLine(mode, launchOptions(setup, sandbox.program))}`,
  ];
}

function holdings({ grants, roots, connected }: Setup): string[] {
  const { read, write, writableRoots, run, programs, net, hosts } = grants;
  const some = (reach: string, items: readonly string[]) =>
    reach === "everywhere" ? "everywhere" : items.length > 0 ? items.join(", ") : "nothing";
  return [
    `read: ${some(read.reach, read.reach === "none" ? [] : [roots[0] ?? ""])}`,
    `write: ${some(write.reach, writableRoots)}`,
    `run: ${run.reach === "everywhere" ? "every program" : some(run.reach, programs)}`,
    `net: ${net.reach === "everywhere" ? "every host" : some(net.reach, hosts)}`,
    ...(connected.host ? [`model: ${connected.model.id} at ${connected.host}`] : [`model: ${connected.model.id}`]),
  ];
}

/** The servers are only named: what they offer is known when they run. */
function serverLine(servers: readonly ServerSettings[]): string[] {
  const names = servers.flatMap(({ name, disabled }) => disabled ? [] : [name]);
  return names.length === 0 ? [] : [`  MCP servers: ${names.join(", ")}`];
}

/** What servers need beside the rest: a program where none confines it, an address. */
function serverNeeds(servers: readonly ServerSettings[], isConfined: boolean) {
  const places = servers.flatMap(({ place, disabled, sandbox }) => place && !disabled ? [{ place, sandbox }] : []);
  return {
    programs: places.flatMap(({ place, sandbox }) =>
      "command" in place && !(sandbox && isConfined) ? [place.command[0]!] : []
    ),
    hosts: places.flatMap(({ place }) => {
      if (!("url" in place)) return [];
      const { hostname, port, protocol } = new URL(place.url);
      return [`${hostname}:${port !== "" ? port : protocol === "https:" ? "443" : "80"}`];
    }),
  };
}

function launchOptions(setup: Setup, sandbox: string | undefined): LaunchOptions {
  const { roots, config, connected, rules, mode } = setup;
  const needs = serverNeeds(setup.servers, sandbox !== undefined && mode !== "full");
  const { config: configFolder, data } = config.folders;
  return {
    program: programPath(),
    form: programPath().endsWith(".js") ? "bundle" : "source",
    roots,
    readable: configFolder ? [configFolder] : [],
    writable: data ? [data] : [],
    hosts: [...(connected.host ? [connected.host] : []), ...hostsOf(rules), ...needs.hosts],
    variables: [...VARIABLES, ...OWN_VARIABLES, ...CHILD_VARIABLES],
    programs: ["sh", "rg", "git", ...needs.programs],
    ...(sandbox !== undefined && { sandbox }),
  };
}

/** `main.ts`, or the bundle that holds this very file. */
function programPath(): string {
  const here = new URL(import.meta.url);
  return fromFileUrl(here.pathname.endsWith("/src/cli/permissions_command.ts") ? new URL("../../main.ts", here) : here);
}
