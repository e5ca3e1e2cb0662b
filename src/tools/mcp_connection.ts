/**
 * The connection to one server: begun when it is needed, begun anew when the server has ended.
 *
 * @module
 */

import { SessionGone } from "./mcp_http.ts";
import { type Incoming, isObject, REVISIONS } from "./mcp_message.ts";
import { McpPeer, type McpTransport, type RequestLimits } from "./mcp_peer.ts";
import { orInterrupt } from "./or_interrupt.ts";
import { ToolError } from "./tool.ts";

/** What comes from a transport. */
export interface ConnectionEvents {
  onMessage(message: Incoming): void;
  onNoise(): void;
  onLost(reason: string): void;
  onEnd(reason: string): void;
  onNote(text: string): void;
}

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly name: string;
  /** Opens the way to the server. */
  open(events: ConnectionEvents): Promise<McpTransport> | McpTransport;
  /** Milliseconds for the start and, at the first time, its list of tools. */
  readonly startTimeoutMs: number;
  /** Milliseconds for a call. */
  readonly timeoutMs: number;
  /** The program's version. */
  readonly version: string;
  /** The folders that are worked in, as URLs; absent where the server is not told. */
  readonly roots?: readonly string[];
  /** Tells the person something, once each. */
  notify(text: string): void;
}

const MAX_PAGES = 100;
const MAX_LISTED = 1000;

/** One server. */
export class McpConnection {
  readonly #options: ConnectionOptions;
  readonly #told = new Set<string>();
  #peer: Promise<McpPeer> | undefined;
  #transport: McpTransport | undefined;
  #hasTools = false;
  #isConfined = false;
  #isListed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Asks the server what tools it has. Waits for its start.
   *
   * @throws {Error} If it does not start or answer in time.
   */
  async listTools(): Promise<unknown[]> {
    return await this.#withinStart((limits) => this.#list(limits));
  }

  async #list(limits: RequestLimits): Promise<unknown[]> {
    const peer = await orInterrupt(this.#connected(limits), limits.signal);
    const tools: unknown[] = [];
    if (!this.#hasTools) return tools;
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const result = await peer.request("tools/list", cursor === undefined ? {} : { cursor }, limits);
      if (Array.isArray(result["tools"])) tools.push(...result["tools"]);
      cursor = result["nextCursor"];
      if (typeof cursor !== "string" || cursor === "" || tools.length > MAX_LISTED) break;
    }
    this.#isListed = true;
    return tools;
  }

  /**
   * Calls a tool by the server's own name of it. A server that has ended is started once more.
   *
   * @throws {Error} If it cannot be called.
   * @throws The signal's reason when it aborts.
   */
  async callTool(name: string, input: unknown, signal: AbortSignal): Promise<Record<string, unknown>> {
    const call = async () => {
      const peer = await orInterrupt(this.#withinStart((limits) => this.#connected(limits)), signal);
      const { timeoutMs } = this.#options;
      return await peer.request("tools/call", { name, arguments: input }, { signal, timeoutMs });
    };
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      this.#forget();
      return await call();
    }
  }

  /** Whether what went wrong may be the sandbox's doing. */
  get isConfined(): boolean {
    return this.#isConfined;
  }

  /** Ends the connection. The next call begins it anew. Never rejects. */
  async close(): Promise<void> {
    await this.#forget()?.close();
  }

  #forget(): McpTransport | undefined {
    const transport = this.#transport;
    this.#peer = undefined;
    this.#transport = undefined;
    return transport;
  }

  #connected(limits: RequestLimits): Promise<McpPeer> {
    return this.#peer ??= this.#begin(limits).catch(async (error) => {
      await this.#forget()?.close();
      throw error;
    });
  }

  async #begin(limits: RequestLimits): Promise<McpPeer> {
    const { name, open, roots, version } = this.#options;
    const peer = new McpPeer({
      name,
      ...(roots && { roots }),
      onNotification: (method) => this.#onNotification(method),
    });
    let transport: McpTransport | undefined;
    const events: ConnectionEvents = {
      onMessage: (message) => peer.receive(message),
      onNoise: () => this.#tell("writes lines to its standard output that are no messages: they are passed by"),
      onLost: (what) => peer.failPending(new ToolError(`The MCP server "${name}" sent ${what}, which was not read`)),
      onEnd: (reason) => {
        peer.fail(new ToolError(`The MCP server "${name}" has ended (${reason})`));
        if (this.#transport === transport) this.#forget();
      },
      onNote: (text) => this.#options.notify(`MCP server "${name}": ${text}`),
    };
    try {
      transport = await open(events);
    } catch (error) {
      throw new ToolError(`The MCP server "${name}" cannot be started: ${startReason(error)}`, { cause: error });
    }
    this.#transport = transport;
    this.#isConfined = transport.isConfined ?? false;
    peer.attach(transport);
    const result = await peer.request("initialize", {
      protocolVersion: REVISIONS[0],
      capabilities: roots ? { roots: {} } : {},
      clientInfo: { name: "mini-agent", version },
    }, limits);
    const revision = result["protocolVersion"];
    if (typeof revision !== "string" || !REVISIONS.includes(revision)) {
      const which = String(JSON.stringify(revision)).slice(0, 40);
      throw new ToolError(`The MCP server "${name}" speaks a revision of the protocol that is not known: ${which}`);
    }
    this.#hasTools = isObject(result["capabilities"]) && isObject(result["capabilities"]["tools"]);
    transport.agreed?.(revision);
    peer.notify("notifications/initialized");
    return peer;
  }

  #onNotification(method: string): void {
    if (method !== "notifications/tools/list_changed" || !this.#isListed) return;
    this.#tell("has changed its list of tools: that counts from the next start on");
  }

  #tell(what: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#options.notify(`The MCP server "${this.#options.name}" ${what}`);
  }

  /** Limits a start, whoever waits for it. */
  async #withinStart<T>(work: (limits: RequestLimits) => Promise<T>): Promise<T> {
    const { name, startTimeoutMs: timeoutMs } = this.#options;
    const limit = new AbortController();
    const late = new ToolError(`The MCP server "${name}" did not start within ${timeoutMs / 1000} s`);
    const timer = setTimeout(() => limit.abort(late), timeoutMs);
    try {
      return await work({ signal: limit.signal, timeoutMs });
    } finally {
      clearTimeout(timer);
    }
  }
}

function startReason(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "its program or folder is not there";
  return error instanceof Error ? error.message : String(error);
}
