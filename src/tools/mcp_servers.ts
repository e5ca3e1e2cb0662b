/**
 * The MCP servers of a run and the tools that they bring.
 *
 * @module
 */

import { type ConnectionEvents, McpConnection } from "./mcp_connection.ts";
import { HttpTransport } from "./mcp_http.ts";
import { offeredNames } from "./mcp_names.ts";
import type { McpTransport } from "./mcp_peer.ts";
import { readTools } from "./mcp_schema.ts";
import { startStdio } from "./mcp_stdio.ts";
import { mcpTool } from "./mcp_tool.ts";
import { tellsOfFiles } from "./sandbox_hint.ts";
import type { ChildSettings, Tool } from "./tool.ts";

/** Where a server is: a program, or an address. */
export type McpPlace =
  | { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A server as the configuration describes it. */
export interface McpServerSpec {
  readonly name: string;
  readonly place: McpPlace;
  /** The server's own names of the tools that change nothing; `*` stands for all. */
  readonly readOnly: readonly string[];
  readonly startTimeoutMs: number;
  readonly timeoutMs: number;
  /** How its process is started now: in the sandbox, where there is one. Throws if none may run. */
  child(): Promise<ChildSettings>;
}

/** What the servers need of the program. */
export interface McpHost {
  /** The program's version. */
  readonly version: string;
  /** The folders that are worked in, as URLs: for servers on this machine. */
  readonly roots: readonly string[];
  /** Reads a stream of server-sent events. */
  readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<{ data: string }>;
  /** Takes secrets and control characters out of a text. */
  clean(text: string): string;
  /** Tells the person something. */
  notify(text: string): void;
}

/** What became of a server at the start. */
export interface McpServerState {
  readonly name: string;
  /** Why its tools are missing. */
  readonly problem?: string;
  readonly tools: readonly Tool[];
}

/** For the person, who can do something about it. */
const SANDBOX_NOTE = " (it runs in the sandbox, and cannot write everywhere)";
/** Of all servers: there are services that refuse a request with more than 128, and each is paid for in every request. */
const MAX_TOOLS = 100;

/** The servers of a run. */
export class McpServers {
  readonly states: readonly McpServerState[];
  readonly #connections: ReadonlyMap<McpServerSpec, McpConnection>;

  private constructor(connections: ReadonlyMap<McpServerSpec, McpConnection>, states: readonly McpServerState[]) {
    this.#connections = connections;
    this.states = states;
  }

  /**
   * Starts all servers side by side and asks what tools they have. One that fails is told, and left out.
   *
   * @throws The signal's reason when it aborts: the processes are then still to be ended.
   */
  static async start(specs: readonly McpServerSpec[], host: McpHost, signal: AbortSignal): Promise<McpServers> {
    // the order must not depend on who answers first: the tools stand in the prefix of every request
    const sorted = specs.toSorted((a, b) => a.name < b.name ? -1 : 1);
    const connections = new Map(sorted.map((spec) => [spec, connect(spec, host)]));
    const lists = Promise.all(
      Array.from(
        connections.values(),
        (connection) =>
          connection.listTools().catch((error) => error instanceof Error ? error : new Error(String(error))),
      ),
    );
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    signal.throwIfAborted();
    const taken = new Set<string>();
    const found = await Promise.race([lists, promise]);
    const states = sorted.map((spec, i): McpServerState => {
      const list = found[i]!;
      if (list instanceof Error) {
        const isSandbox = connections.get(spec)!.isConfined && tellsOfFiles(list.message);
        const problem = host.clean(list.message) + (isSandbox ? SANDBOX_NOTE : "");
        host.notify(`${problem}: its tools are missing`);
        return { name: spec.name, problem, tools: [] };
      }
      return { name: spec.name, tools: toolsOf(spec, { list, taken, host, connection: connections.get(spec)! }) };
    });
    return new McpServers(connections, states);
  }

  /** The tools of all servers, in a fixed order. */
  get tools(): Tool[] {
    return this.states.flatMap(({ tools }) => tools);
  }

  /** Ends the servers that are processes: the next call starts each as things stand then. */
  async endProcesses(): Promise<void> {
    const processes = [...this.#connections].filter(([{ place }]) => "command" in place);
    await Promise.all(processes.map(([, connection]) => connection.close()));
  }

  /** Says goodbye to the servers behind addresses. Processes are ended with all others. */
  async leave(): Promise<void> {
    const others = [...this.#connections].filter(([{ place }]) => "url" in place);
    await Promise.all(others.map(([, connection]) => connection.close()));
  }
}

function connect(spec: McpServerSpec, host: McpHost): McpConnection {
  const { name, place, startTimeoutMs, timeoutMs } = spec;
  return new McpConnection({
    name,
    startTimeoutMs,
    timeoutMs,
    version: host.version,
    ...("command" in place && { roots: host.roots }),
    notify: (text) => host.notify(host.clean(text)),
    async open(events: ConnectionEvents): Promise<McpTransport> {
      if ("command" in place) return startStdio(place, await spec.child(), events);
      return new HttpTransport(place, { onMessage: events.onMessage, readEvents: host.readEvents });
    },
  });
}

function toolsOf(
  { name: server, readOnly }: McpServerSpec,
  { list, taken, host, connection }: {
    list: readonly unknown[];
    taken: Set<string>;
    host: McpHost;
    connection: McpConnection;
  },
): Tool[] {
  const all = readTools(list, host.clean);
  const infos = all.slice(0, MAX_TOOLS - taken.size);
  if (all.length > infos.length) {
    const left = all.length - infos.length;
    const many = `${left} of its ${all.length} tools ${left === 1 ? "is" : "are"}`;
    host.notify(`The MCP server "${server}": ${many} left out, since all servers together may have ${MAX_TOOLS}`);
  }
  const unknown = readOnly.filter((wanted) => wanted !== "*" && !all.some(({ name }) => name === wanted));
  if (unknown.length > 0) {
    const names = host.clean(unknown.map((name) => JSON.stringify(name)).join(", "));
    host.notify(`The MCP server "${server}" has no tool ${names}, which its readOnly names`);
  }
  const names = offeredNames(server, infos.map(({ name }) => name), taken);
  return infos.map((info, i) =>
    mcpTool({
      name: names[i]!,
      server,
      info,
      readOnly: readOnly.includes("*") || readOnly.includes(info.name),
      connection,
    })
  );
}
