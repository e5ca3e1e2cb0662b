/**
 * The entries of `mcpServers`, as other clients write them too. Loaded only where there are some.
 *
 * @module
 */

import { isAbsolute, join } from "../permissions/os_path.ts";
import type { McpPlace } from "../tools/mcp_servers.ts";

/** A server that a configuration names. */
export interface ServerSettings {
  readonly name: string;
  readonly owner: "user" | "project";
  /** Absent where the entry cannot be used. */
  readonly place?: McpPlace;
  /** Why it cannot be used. */
  readonly problem?: string;
  readonly disabled: boolean;
  /** Only the person's own entry can do without it. */
  readonly sandbox: boolean;
  /** The server's own names of the tools that change nothing; only the person's own entry can say so. */
  readonly readOnly: readonly string[];
  readonly startTimeoutMs: number;
  readonly timeoutMs: number;
}

/** Whose entries they are, and where. */
export interface EntrySource {
  readonly owner: "user" | "project";
  /** The working folder: what relative folders begin at. */
  readonly cwd: string;
}

const START_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;
/** It is a part of rules and of the names of tools. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** What an entry may say, and a check of each value. What other clients know beside it is told and passed by. */
const CHECKS: Readonly<Record<string, readonly [isGood: (value: unknown) => boolean, want: string]>> = {
  command: [isText, "a text"],
  args: [isTexts, "a list of texts"],
  env: [isTextRecord, "an object of texts"],
  cwd: [isText, "a text"],
  url: [isAddress, "an http address, without a name and password (headers are for that)"],
  headers: [(value) => isTextRecord(value) && areHeaders(value as Record<string, string>), "an object of headers"],
  type: [(value) => ["stdio", "http", "streamable-http", "streamableHttp"].includes(value as string), "stdio or http"],
  sandbox: [isFlag, "true or false"],
  readOnly: [isTexts, "a list of texts"],
  disabled: [isFlag, "true or false"],
  timeoutMs: [isMs, "a whole number from 1 on"],
  startTimeoutMs: [isMs, "a whole number from 1 on"],
};

/** A project must not switch off what confines it, nor say what is harmless. */
const NOT_OF_A_PROJECT = ["sandbox", "readOnly"];

/** Entries as they stand in a configuration, by name. */
type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The servers of both configurations. */
export interface FoundServers {
  readonly servers: readonly ServerSettings[];
  readonly projectServers: readonly ServerSettings[];
  readonly secrets: readonly string[];
  readonly notices: readonly string[];
}

/** Reads the person's entries and a project's, whose names must be others. */
export function readAllServers(own: Entries, theirs: Entries, cwd: string): FoundServers {
  const others = Object.entries(theirs).filter(([name]) => !Object.hasOwn(own, name));
  const shadowed = Object.keys(theirs).filter((name) => Object.hasOwn(own, name));
  const user = readServers(own, { owner: "user", cwd });
  const project = readServers(Object.fromEntries(others), { owner: "project", cwd });
  const notes = shadowed.map((name) =>
    `The MCP server ${quote(name)} of this project is not used: yours has that name`
  );
  return {
    servers: user.servers,
    projectServers: project.servers,
    secrets: secretsOf(user.servers),
    notices: [...user.notices, ...project.notices, ...notes],
  };
}

/** Reads all entries. One that is wrong is a server that cannot be used, and no more. */
export function readServers(entries: Entries, source: EntrySource): { servers: ServerSettings[]; notices: string[] } {
  const notices: string[] = [];
  const servers = Object.entries(entries).map(([name, entry]) => readServer(name, entry, source, notices));
  for (const { name, problem } of servers) {
    if (problem !== undefined) notices.push(`The MCP server ${quote(name)} is not used: ${problem}`);
  }
  return { servers, notices };
}

/** The values in entries that nobody else must see: headers, and variables that are named like a secret. */
export function secretsOf(servers: readonly ServerSettings[]): string[] {
  return servers.flatMap(({ place }) => {
    if (!place) return [];
    if ("url" in place) return [...secretHeaders(place.headers), ...new URL(place.url).searchParams.values()];
    return Object.entries(place.env).flatMap(([name, value]) => SECRET_NAME.test(name) ? [value] : []);
  });
}

const SECRET_NAME = /key|token|secret|passw|passphrase|credential|private|dsn|(?:^|_)(?:auth|pat)(?:_|$)/i;
/** What these say stands in ordinary texts too: to redact it would make holes in them. */
const PLAIN_HEADERS = /^(?:accept|accept-language|content-type|user-agent|origin|referer)$/i;

function secretHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    PLAIN_HEADERS.test(name) ? [] : [value, withoutScheme(value)]
  );
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function withoutScheme(value: string): string {
  return value.replace(/^[A-Za-z]+ +/, "");
}

function readServer(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  { owner, cwd }: EntrySource,
  notices: string[],
): ServerSettings {
  const usable = (key: string) =>
    Object.hasOwn(CHECKS, key) && !(owner === "project" && NOT_OF_A_PROJECT.includes(key));
  const ignored = Object.keys(entry).filter((key) => !usable(key));
  if (ignored.length > 0) {
    const place = owner === "project" ? "a project's entry" : "an entry";
    notices.push(`The MCP server ${quote(name)}: ${ignored.map(quote).join(", ")} cannot stand in ${place}, ignored`);
  }
  const given = Object.fromEntries(Object.entries(entry).filter(([key]) => usable(key))) as Entry;
  const problem = problemOf(name, given);
  return {
    name,
    owner,
    ...(problem === undefined ? { place: placeOf(given, cwd) } : { problem }),
    disabled: problem === undefined && given.disabled === true,
    sandbox: given.sandbox !== false,
    readOnly: problem === undefined ? given.readOnly ?? [] : [],
    startTimeoutMs: problem === undefined ? given.startTimeoutMs ?? START_TIMEOUT_MS : START_TIMEOUT_MS,
    timeoutMs: problem === undefined ? given.timeoutMs ?? TIMEOUT_MS : TIMEOUT_MS,
  };
}

/** An entry whose values have been checked. */
interface Entry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  sandbox?: boolean;
  readOnly?: string[];
  disabled?: boolean;
  timeoutMs?: number;
  startTimeoutMs?: number;
}

function problemOf(name: string, entry: Entry): string | undefined {
  if (!NAME.test(name)) return "a name is made of letters, digits, _, - and ., and has at most 64 of them";
  for (const [key, value] of Object.entries(entry)) {
    const [isGood, want] = CHECKS[key]!;
    if (!isGood(value)) return `"${key}" must be ${want}`;
  }
  const { command, url } = entry;
  if ((command === undefined) === (url === undefined)) return 'it needs either "command" or "url"';
  return undefined;
}

function placeOf({ command, args = [], env = {}, cwd: given = ".", url, headers = {} }: Entry, cwd: string): McpPlace {
  if (url !== undefined) return { url, headers };
  return {
    command: [command ?? "", ...args],
    env,
    cwd: isAbsolute(given) ? given : given === "." ? cwd : join(cwd, given),
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !value.includes("\0");
}

function isAddress(value: unknown): boolean {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\0"));
}

function isTextRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isTexts(Object.values(value));
}

function areHeaders(value: Record<string, string>): boolean {
  try {
    new Headers(value);
    return true;
  } catch {
    return false;
  }
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isMs(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2 ** 31 - 1;
}
