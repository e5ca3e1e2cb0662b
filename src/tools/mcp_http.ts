/**
 * A server behind an address: streamable HTTP. Each message is a POST; the answer is JSON or a stream of events.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { type Incoming, type Outgoing, readMessages } from "./mcp_message.ts";
import { type McpTransport, TransportError } from "./mcp_peer.ts";
import { readBody } from "./web_body.ts";

/** Where a server is. */
export interface HttpAddress {
  readonly url: string;
  /** Sent with every request; secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the transport needs of others. */
export interface HttpHost {
  onMessage(message: Incoming): void;
  /** Reads a stream of server-sent events. */
  readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<{ data: string }>;
}

/** The server has forgotten the session: it must be begun anew. */
export class SessionGone extends Error {
  override readonly name = "SessionGone";
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const MAX_REASON_CHARS = 500;
const REDIRECTS = new Set([301, 302, 307, 308]);
/** Time for saying goodbye. */
const CLOSE_MS = 500;

/** Speaks to one server. */
export class HttpTransport implements McpTransport {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #host: HttpHost;
  #session: string | undefined;
  #revision: string | undefined;

  /** @throws {Error} If the address is none, or Deno's grants do not reach it. */
  constructor({ url, headers }: HttpAddress, host: HttpHost) {
    this.#url = new URL(url);
    this.#headers = headers;
    this.#host = host;
    const { hostname, port, protocol } = this.#url;
    const place = `${hostname}:${port !== "" ? port : protocol === "https:" ? "443" : "80"}`;
    if (!isHeld({ name: "net", host: place })) {
      throw new Error(`Deno holds no permission for it (--allow-net=${place})`);
    }
  }

  agreed(revision: string): void {
    this.#revision = revision;
  }

  async send(message: Outgoing, signal: AbortSignal = AbortSignal.timeout(CLOSE_MS)): Promise<void> {
    const response = await this.#fetch("POST", signal, JSON.stringify(message));
    if (response.status === 404 && this.#session !== undefined) {
      await response.body?.cancel();
      throw new SessionGone("The server has forgotten the session");
    }
    if (!response.ok) throw await refusal(response, signal);
    const isRequest = "method" in message && "id" in message;
    if (isRequest && message.method === "initialize") {
      this.#session = response.headers.get("mcp-session-id") ?? undefined;
    }
    if (!isRequest) return void await response.body?.cancel();
    for await (const text of this.#textsOf(response, signal)) {
      let isAnswered = false;
      for (const received of readMessages(text)) {
        this.#host.onMessage(received);
        isAnswered ||= (received.kind === "result" || received.kind === "error") && received.id === message.id;
      }
      if (isAnswered) return;
    }
    throw new TransportError("ended its reply without an answer");
  }

  async close(): Promise<void> {
    if (this.#session === undefined) return;
    const response = await this.#fetch("DELETE", AbortSignal.timeout(CLOSE_MS)).catch(() => undefined);
    await response?.body?.cancel().catch(() => {});
  }

  async *#textsOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    if (type === "text/event-stream" && response.body) {
      for await (const { data } of this.#host.readEvents(response.body)) yield data;
      return;
    }
    const { bytes, cut } = await readBody(response.body, MAX_BYTES, signal);
    signal.throwIfAborted();
    if (cut) {
      throw new TransportError(cut === "size" ? `replies with more than ${MAX_BYTES} bytes` : "broke off its reply");
    }
    yield new TextDecoder().decode(bytes);
  }

  /** Follows redirects on the same origin only: the headers are for nobody else. */
  async #fetch(method: string, signal: AbortSignal, body?: string): Promise<Response> {
    let url = this.#url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.#fetchOnce(url, { method, signal, ...(body !== undefined && { body }) });
      const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.parse(location, url);
      if (next?.origin !== url.origin) {
        throw new TransportError(`redirects to ${next?.origin ?? "no address"}, which is not followed`);
      }
      url = next;
    }
    throw new TransportError(`redirects more than ${MAX_REDIRECTS} times`);
  }

  async #fetchOnce(url: URL, init: { method: string; signal: AbortSignal; body?: string }): Promise<Response> {
    try {
      const headers = new Headers({ "user-agent": "mini-agent", ...this.#headers });
      if (init.body !== undefined) headers.set("content-type", "application/json");
      headers.set("accept", "application/json, text/event-stream");
      if (this.#session !== undefined) headers.set("mcp-session-id", this.#session);
      if (this.#revision !== undefined) headers.set("mcp-protocol-version", this.#revision);
      return await fetch(url, { ...init, headers, redirect: "manual" });
    } catch (error) {
      init.signal.throwIfAborted();
      throw new TransportError(`cannot be reached: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/** What a server says when it does not answer. */
async function refusal(response: Response, signal: AbortSignal): Promise<TransportError> {
  const { bytes } = await readBody(response.body, 64 * 1024, signal);
  const text = new TextDecoder().decode(bytes).trim();
  const [message] = readMessages(text);
  const said = message?.kind === "error" ? message.error.message : text.slice(0, MAX_REASON_CHARS);
  const wants = response.status === 401 ? " (it wants a key: set one in headers)" : "";
  const status = `${response.status} ${response.statusText}`.trimEnd();
  return new TransportError(`answered ${status}${wants}${said === "" ? "" : `: ${said}`}`);
}

/** The innermost part of the runtime's messages: the parts before it name the address and its own layers. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = inner instanceof Error ? inner.message : String(inner);
  return message.split(": ").at(-1)?.replace(/ \(os error \d+\)$/, "") ?? message;
}
