/**
 * What a person is told about the MCP servers, in `mini-agent mcp`, `/mcp` and `mini-agent doctor`.
 *
 * @module
 */

import type { CheckResult } from "./doctor_command.ts";
import type { ServerSettings } from "./mcp_settings.ts";
import type { Setup } from "./setup.ts";

/** A server as it stands. */
export interface ServerStatus {
  readonly name: string;
  readonly state: "ready" | "failed" | "disabled" | "not trusted";
  /** How it is reached. */
  readonly where: string;
  /** Why it has failed. */
  readonly problem?: string;
  readonly tools: readonly { readonly name: string; readonly summary: string; readonly readOnly: boolean }[];
}

/** All servers that the configurations name, the person's own first. */
export function serverStatuses({ servers, projectServers, running }: Setup): ServerStatus[] {
  const waiting = projectServers.filter((server) => !servers.includes(server));
  const used = servers.map((server): ServerStatus => {
    const state = running?.states.find(({ name }) => name === server.name);
    const problem = server.problem ?? state?.problem;
    const failed = problem !== undefined || (state === undefined && !server.disabled);
    return {
      name: server.name,
      state: server.disabled ? "disabled" : failed ? "failed" : "ready",
      where: whereOf(server),
      ...(failed && { problem: problem ?? "it was not started" }),
      tools: (state?.tools ?? []).map(({ name, description, origin }) => ({
        name,
        summary: description.split(/(?<=\.)\s|\n/)[0] ?? "",
        readOnly: origin?.readOnly ?? false,
      })),
    };
  });
  const untrusted = waiting.map((server): ServerStatus => ({
    name: server.name,
    state: "not trusted",
    where: whereOf(server),
    tools: [],
  }));
  return [...used, ...untrusted];
}

/** A line for each server and one for each of its tools. */
export function serverRows(statuses: readonly ServerStatus[]): string[] {
  if (statuses.length === 0) return ["(no MCP servers: mcpServers in your configuration names them)"];
  return statuses.flatMap((status) => [
    `${status.name}: ${stateText(status)} · ${status.where}`,
    ...status.tools.map(({ name, summary, readOnly }) =>
      `  ${name}${readOnly ? " (changes nothing)" : ""}  ${summary}`
    ),
  ]);
}

/** A line for each server. */
export function serverChecks(statuses: readonly ServerStatus[]): CheckResult[] {
  return statuses.map((status) => ({
    status: status.state === "ready" ? "ok" : status.state === "failed" ? "fail" : "skip",
    text: `MCP server ${status.name}: ${stateText(status)}`,
  }));
}

function stateText({ name, state, problem, tools }: ServerStatus): string {
  switch (state) {
    case "ready":
      return `ready, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
    case "failed":
      return `cannot be used${withoutName(name, problem ?? "")}`;
    case "disabled":
      return "disabled";
    case "not trusted":
      return "of this project, not trusted: not used";
    default:
      return state satisfies never;
  }
}

/** The server's name stands before it already. */
function withoutName(name: string, problem: string): string {
  const beginning = `The MCP server "${name}" `;
  return problem.startsWith(beginning) ? `, it ${problem.slice(beginning.length)}` : `: ${problem}`;
}

const MAX_WHERE_CHARS = 100;

/** Without what may hold a secret in an address. */
function whereOf({ place, owner }: ServerSettings): string {
  const whose = owner === "project" ? " (of this project)" : "";
  if (!place) return `nowhere${whose}`;
  if ("command" in place) {
    const line = place.command.join(" ");
    return (line.length > MAX_WHERE_CHARS ? `${line.slice(0, MAX_WHERE_CHARS).toWellFormed()}…` : line) + whose;
  }
  const { origin, pathname } = new URL(place.url);
  return origin + pathname + whose;
}
