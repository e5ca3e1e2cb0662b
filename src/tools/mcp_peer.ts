/**
 * Questions to a server and their answers, over whatever carries the messages.
 *
 * @module
 */

import { type Incoming, isObject, type MessageId, type Outgoing } from "./mcp_message.ts";
import { ToolError } from "./tool.ts";

/** Carries messages to a server. */
export interface McpTransport {
  /** The server is a process in the sandbox. */
  readonly isConfined?: boolean;
  /**
   * Sends one. Of a request it may wait for the answer, which comes by another way.
   *
   * @throws {TransportError} If it cannot be sent, or will not be answered.
   */
  send(message: Outgoing, signal?: AbortSignal): Promise<void>;
  /** Learns which revision of the protocol was agreed on. */
  agreed?(revision: string): void;
  /** Ends the connection. Never rejects. */
  close(): Promise<void>;
}

/** A message could not be sent, or is not answered: what the server does, to stand behind its name. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}

/** What a server is told and what it tells beside its answers. */
export interface PeerHost {
  /** The server's name, for messages. */
  readonly name: string;
  /** The folders that are worked in, as URLs; absent where the server is not told. */
  readonly roots?: readonly string[];
  /** A notification came. */
  onNotification(method: string): void;
}

/** How a request is made. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** One side of a conversation of requests and answers, which may come in any order. */
export class McpPeer {
  readonly #host: PeerHost;
  readonly #pending = new Map<MessageId, PromiseWithResolvers<unknown>>();
  #transport: McpTransport | undefined;
  #lastId = 0;
  #replies = 0;
  #failure: Error | undefined;

  constructor(host: PeerHost) {
    this.#host = host;
  }

  /** Sends by this transport from now on. */
  attach(transport: McpTransport): void {
    this.#transport = transport;
  }

  /** Takes in a message. Answers that nobody waits for are passed by. */
  receive(message: Incoming): void {
    switch (message.kind) {
      case "result":
        return this.#pending.get(message.id as MessageId)?.resolve(message.result);
      case "error": {
        const { code, message: text } = message.error;
        const error = new ToolError(`The MCP server "${this.#host.name}" answered with error ${code}: ${text}`);
        return this.#pending.get(message.id as MessageId)?.reject(error);
      }
      case "request":
        return void this.#reply(message.id, message.method);
      case "notification":
        return this.#host.onNotification(message.method);
      default:
        return message satisfies never;
    }
  }

  /** Nothing more will come: every request fails with this. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.failPending(error);
  }

  /** What is asked now will not be answered, later requests may be. */
  failPending(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
  }

  /**
   * Asks the server something.
   *
   * @throws {ToolError} If it answers with an error, or not within the time.
   * @throws The signal's reason when it aborts. The server is told.
   */
  async request(
    method: string,
    params: unknown,
    { signal, timeoutMs }: RequestLimits,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    if (this.#failure) throw this.#failure;
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    const limit = new AbortController();
    const late = new ToolError(`The MCP server "${this.#host.name}" did not answer within ${timeoutMs / 1000} s`);
    const timer = setTimeout(() => limit.abort(late), timeoutMs);
    const end = AbortSignal.any([signal, limit.signal]);
    const onAbort = () => answer.reject(end.reason);
    end.addEventListener("abort", onAbort, { once: true });
    try {
      this.#transport?.send({ jsonrpc: "2.0", id, method, params }, end)
        .catch((error) => answer.reject(this.#named(error)));
      const result = await answer.promise;
      if (!isObject(result)) throw new ToolError(`The MCP server "${this.#host.name}" answered with no object`);
      return result;
    } catch (error) {
      if (end.aborted && method !== "initialize") {
        this.notify("notifications/cancelled", { requestId: id, reason: signal.aborted ? "interrupted" : "too late" });
      }
      throw error;
    } finally {
      clearTimeout(timer);
      end.removeEventListener("abort", onAbort);
      this.#pending.delete(id);
    }
  }

  /** Tells the server something. What cannot be sent is passed by. */
  notify(method: string, params?: unknown): void {
    void this.#send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
  }

  /** A server that asks faster than it reads must not fill the memory: what is too much is passed by. */
  async #reply(id: MessageId, method: string): Promise<void> {
    if (this.#replies >= MAX_REPLIES) return;
    this.#replies++;
    await this.#send(this.#answer(id, method));
    this.#replies--;
  }

  /** What a server asks: it may look whether we are there, and where we work. */
  #answer(id: MessageId, method: string): Outgoing {
    const { roots } = this.#host;
    if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
    if (method === "roots/list" && roots) {
      return { jsonrpc: "2.0", id, result: { roots: roots.map((uri) => ({ uri })) } };
    }
    return { jsonrpc: "2.0", id, error: { code: -32601, message: `Method not found: ${method.slice(0, 100)}` } };
  }

  /** A transport says only what is wrong with its server. */
  #named(error: unknown): unknown {
    if (!(error instanceof TransportError)) return error;
    return new ToolError(`The MCP server "${this.#host.name}" ${error.message}`, { cause: error });
  }

  async #send(message: Outgoing): Promise<void> {
    await this.#transport?.send(message, AbortSignal.timeout(ASIDE_MS)).catch(() => {});
  }
}

/** Time for what nobody waits for. */
const ASIDE_MS = 5000;
/** Answers that are under way at the same time. */
const MAX_REPLIES = 32;
