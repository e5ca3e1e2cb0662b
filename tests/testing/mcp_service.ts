/**
 * An MCP server behind an address on this machine.
 *
 * @module
 */

/** What a client sent. */
export interface McpRequest {
  method: string;
  headers: Headers;
  message?: { id?: unknown; method?: string; params?: unknown };
}

/** Answers with JSON or with events. Has one tool, `echo`; its arguments `hang` and `silent` make it misbehave. */
export class FakeMcpService implements AsyncDisposable {
  readonly requests: McpRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #streaming: boolean;
  readonly #end = new AbortController();
  #session = 0;
  #news = Promise.withResolvers<void>();

  constructor({ streaming = false }: { streaming?: boolean }) {
    this.#streaming = streaming;
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (r) => this.#handle(r));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/mcp`;
  }

  /** Forgets the session that it has given out. */
  forget(): void {
    this.#session++;
  }

  /** Resolves when such a message has come. */
  async saw(method: string): Promise<void> {
    while (!this.requests.some(({ message }) => message?.method === method)) await this.#news.promise;
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    if (pathname === "/401") return new Response(null, { status: 401 });
    if (pathname === "/500") return new Response("broken", { status: 500 });
    if (pathname === "/moved") return new Response(null, { status: 307, headers: { location: "/mcp" } });
    if (pathname === "/away") {
      return new Response(null, { status: 307, headers: { location: searchParams.get("to")! } });
    }
    const message = text === "" ? undefined : JSON.parse(text);
    this.requests.push({ method: request.method, headers: request.headers, ...(message && { message }) });
    this.#news.resolve();
    this.#news = Promise.withResolvers();
    if (message?.method === "initialize") {
      this.#session++;
      const result = {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "t", version: "1" },
      };
      return this.#answer(message.id, result, { "mcp-session-id": `session-${this.#session}` });
    }
    if (request.headers.get("mcp-session-id") !== `session-${this.#session}`) {
      return new Response(null, { status: 404 });
    }
    if (message?.id === undefined) return new Response(null, { status: 202 });
    if (message.method === "tools/list") {
      return this.#answer(message.id, { tools: [{ name: "echo", inputSchema: { type: "object" } }] });
    }
    const { name, arguments: input } = message.params;
    if (input.silent) return this.#reply("[]", {});
    if (input.hang) {
      return await new Promise((resolve) =>
        this.#end.signal.addEventListener("abort", () => resolve(new Response(null, { status: 503 })))
      );
    }
    return this.#answer(message.id, { content: [{ type: "text", text: `ECHO of ${name} ${JSON.stringify(input)}` }] });
  }

  #answer(id: unknown, result: unknown, headers: Record<string, string> = {}): Response {
    return this.#reply(JSON.stringify({ jsonrpc: "2.0", id, result }), headers);
  }

  #reply(text: string, headers: Record<string, string>): Response {
    if (!this.#streaming) return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
    const note = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: {} });
    const events = `: hello\n\nevent: message\ndata: ${note}\n\nevent: message\ndata: ${text}\n\n`;
    return new Response(events, { headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#server.shutdown();
  }
}
