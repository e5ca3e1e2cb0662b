/**
 * Starts the MCP servers of a run. Loaded only where there are some.
 *
 * @module
 */

import { parseSse } from "../llm/sse.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { McpServers, type McpServerSpec, type McpServerState } from "../tools/mcp_servers.ts";
import { endAllProcesses } from "../tools/process.ts";
import type { Tool } from "../tools/tool.ts";
import type { Mode } from "./args.ts";
import { childFor } from "./child_settings.ts";
import { EXIT } from "./exit_codes.ts";
import type { ServerSettings } from "./mcp_settings.ts";
import type { Setup } from "./setup.ts";
import { listen } from "./signals.ts";
import { VERSION } from "./version.ts";

/** The servers of a run that were started. */
export interface RunningServers {
  readonly states: readonly McpServerState[];
  readonly tools: readonly Tool[];
  /** From now on the person is told in this way. */
  tell(notify: (text: string) => void): void;
  /** What confines the processes has changed: each starts anew at its next call. */
  setMode(mode: Mode): void;
  /** Says goodbye where that is due. */
  leave(): Promise<void>;
}

/** Longer events are an error. A picture may be in one. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/**
 * Starts the servers of a setup, and adds their tools to its own.
 *
 * @returns Whether it came to its end: not when the signal aborts.
 */
export async function openServers(setup: Setup, signal: AbortSignal): Promise<boolean> {
  let { mode } = setup;
  let notify: (text: string) => void = (text) => setup.notices.push(text);
  const host = {
    version: VERSION,
    roots: setup.roots.map(fileUrl),
    readEvents: (body: ReadableStream<Uint8Array>) => parseSse(body, { maxEventLength: MAX_EVENT_LENGTH }),
    clean: (text: string) => setup.redactor.redact(neutralise(text)),
    notify: (text: string) => notify(text),
  };
  const specs = setup.servers.flatMap((server) => specOf(server, setup, () => mode));
  let servers: McpServers;
  try {
    servers = await McpServers.start(specs, host, signal);
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
  setup.allTools = [...setup.allTools, ...servers.tools];
  setup.running = {
    states: servers.states,
    tools: servers.tools,
    tell(how) {
      notify = how;
    },
    setMode(next) {
      const isSame = confinement(mode) === confinement(next);
      mode = next;
      if (!isSame) void servers.endProcesses();
    },
    leave: () => servers.leave(),
  };
  return true;
}

/**
 * Starts them before a person's first input, when the terminal is still as the shell left it.
 *
 * @returns The exit code if a signal ends the program.
 */
export async function openAtTerminal(setup: Setup): Promise<number | undefined> {
  const stop = new AbortController();
  const ignore = listen({
    SIGINT: () => stop.abort(EXIT.interrupted),
    SIGTERM: () => stop.abort(EXIT.terminated),
    SIGHUP: () => stop.abort(EXIT.hungUp),
  });
  if (Deno.stdout.isTerminal()) {
    const names = setup.servers.flatMap(({ name, place, disabled }) => place && !disabled ? [name] : []);
    await Deno.stdout.write(new TextEncoder().encode(`Starting MCP servers: ${names.join(", ")}\n`));
  }
  const isWhole = await openServers(setup, stop.signal);
  ignore();
  if (isWhole) return undefined;
  await endAllProcesses();
  await setup.sandbox.dispose();
  await setup.session[Symbol.asyncDispose]();
  return stop.signal.reason;
}

function specOf(server: ServerSettings, setup: Setup, mode: () => Mode): McpServerSpec[] {
  const { place, disabled, sandbox, name, readOnly, startTimeoutMs, timeoutMs } = server;
  if (!place || disabled) return [];
  const child = () => sandbox ? childFor(setup, mode()) : Promise.resolve({ env: setup.env });
  return [{ name, place, readOnly, startTimeoutMs, timeoutMs, child }];
}

function confinement(mode: Mode): string {
  return mode === "ask" ? "edit" : mode;
}

function fileUrl(path: string): string {
  const segments = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return `file://${segments.startsWith("/") ? "" : "/"}${segments.replaceAll("%3A", ":")}`;
}
