/**
 * A model service on 127.0.0.1 that plays a script of replies, piece by piece, and keeps every request. Nothing in it
 * sleeps: where a test wants a pause it puts a promise between two pieces.
 *
 * @module
 */

/** One reply: its pieces in order. A promise holds the reply back until it is settled. */
export interface ScriptedReply {
  /** 200 if left out. */
  status?: number;
  /** The content type is an event stream if left out. */
  headers?: Record<string, string>;
  pieces?: readonly (string | Uint8Array<ArrayBuffer> | Promise<unknown>)[];
  /**
   * What follows the last piece: the proper end, a connection that breaks, or nothing at all until the client leaves.
   * `silent` gives no answer, not even a status.
   */
  end?: "complete" | "reset" | "stall" | "silent";
}

/** A step of the script: a text answer, a reply, or one that is made when the request is there. */
export type Step = string | ScriptedReply | ((request: RecordedRequest) => Step | Promise<Step>);

/** What has reached the service. */
export interface RecordedRequest {
  method: string;
  /** With its query string. */
  path: string;
  headers: Headers;
  text: string;
  /** The parsed body, or `undefined` if it is no JSON. */
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  body: any;
  /** Settles when the client has left before the reply was complete. */
  aborted: Promise<void>;
}

/** A scripted service: `await using service = new FakeService("hello")`. */
export class FakeService implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #script: Step[];
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #closing = Promise.withResolvers<void>();
  readonly #served = new Set<Promise<void>>();
  #arrival = Promise.withResolvers<void>();

  /** @param script Played in order; the last step is repeated. */
  constructor(...script: Step[]) {
    this.#script = script;
    this.#served.add(this.#accept());
  }

  /** Scheme, host and port. */
  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** The request of this number, from 0, as soon as it has arrived. */
  async request(number: number): Promise<RecordedRequest> {
    while (!this.requests[number]) await this.#arrival.promise;
    return this.requests[number];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.resolve();
    this.#listener.close();
    await Promise.all(this.#served);
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) this.#served.add(this.#serve(connection));
  }

  /** One request for each connection: `Deno.serve` would not let us break it in the middle. */
  async #serve(connection: Deno.Conn): Promise<void> {
    using client = new Client(connection);
    const request = await client.readRequest();
    if (!request) return;
    const left = client.hasLeft();
    const record = { ...request, aborted: left };
    const step = this.#script[Math.min(this.requests.length, this.#script.length - 1)] ?? "done";
    this.requests.push(record);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    const over = Promise.race([left, this.#closing.promise]);
    const reply = await Promise.race([resolveStep(step, record), over]);
    if (!reply || reply.end === "silent") return await over;
    await client.begin(reply);
    for (const piece of reply.pieces ?? []) {
      if (piece instanceof Promise) await Promise.race([piece, over]);
      else await client.write(piece);
    }
    if (reply.end === "stall") await over;
    else if (reply.end !== "reset") await client.write("");
  }
}

/** The other end of a connection. Writing to one who has left does nothing. */
class Client implements Disposable {
  readonly #connection: Deno.Conn;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async readRequest(): Promise<Omit<RecordedRequest, "aborted"> | undefined> {
    let bytes = new Uint8Array(64 * 1024);
    for (let length = 0;;) {
      const count = await this.#connection.read(bytes.subarray(length)).catch(() => null);
      if (count === null) return undefined;
      length += count;
      const request = parseRequest(bytes.subarray(0, length));
      if (request) return request;
      if (length === bytes.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(bytes);
        bytes = larger;
      }
    }
  }

  /** Settles when the client closes the connection, or we do. */
  async hasLeft(): Promise<void> {
    const buffer = new Uint8Array(1024);
    while (await this.#connection.read(buffer).catch(() => null) !== null);
  }

  async begin({ status = 200, headers }: ScriptedReply): Promise<void> {
    const all = {
      "content-type": "text/event-stream",
      ...headers,
      "transfer-encoding": "chunked",
      connection: "close",
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    await this.#send(new TextEncoder().encode(`HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`));
  }

  /** Writes one piece as a chunk of its own; an empty one ends the reply. */
  async write(piece: string | Uint8Array): Promise<void> {
    const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    const head = new TextEncoder().encode(`${bytes.length.toString(16)}\r\n`);
    const chunk = new Uint8Array(head.length + bytes.length + 2);
    chunk.set(head);
    chunk.set(bytes, head.length);
    chunk.set([13, 10], head.length + bytes.length);
    await this.#send(chunk);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) {
      const count = await this.#connection.write(bytes.subarray(sent)).catch(() => null);
      if (count === null) return;
      sent += count;
    }
  }
}

/** The request in these bytes, or `undefined` if it is not whole yet. */
function parseRequest(bytes: Uint8Array): Omit<RecordedRequest, "aborted"> | undefined {
  const latin1 = new TextDecoder("latin1").decode(bytes.subarray(0, 64 * 1024)); // headers are short
  const end = latin1.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = latin1.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]));
  const body = bytes.subarray(end + 4);
  if (body.length < Number(headers.get("content-length") ?? 0)) return undefined;
  const [method = "", path = ""] = first.split(" ");
  const text = new TextDecoder().decode(body);
  return { method, path, headers, text, body: parseJson(text) };
}

async function resolveStep(step: Step, request: RecordedRequest): Promise<ScriptedReply> {
  if (typeof step === "function") return await resolveStep(await step(request), request);
  return typeof step === "string" ? chatReply({ text: step }) : step;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an ordinary reply says. */
export interface ChatAnswer {
  text?: string;
  reasoning?: string;
  calls?: readonly { id: string; name: string; args: unknown }[];
  /** In the words of the protocol; `null` for none. */
  usage?: Record<string, unknown> | null;
  /** `stop` or `tool_calls` if left out. */
  finish?: string;
  model?: string;
}

/** An ordinary reply, whose pieces can be put together in another way. */
export interface ScriptedChat extends ScriptedReply {
  pieces: string[];
}

/** The chunk that brings this delta. */
export function chatChunk(delta: unknown, finish: string | null = null, more: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "r1", object: "chat.completion.chunk", model: "m", choices, ...more })}\n\n`;
}

/** A whole streamed reply of the chat-completions protocol, one piece a chunk. */
export function chatReply(answer: ChatAnswer): ScriptedChat {
  const { text, reasoning, calls = [], finish = calls.length > 0 ? "tool_calls" : "stop", model = "m" } = answer;
  const usage = answer.usage === undefined
    ? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    : answer.usage;
  const deltas: unknown[] = [{ role: "assistant", content: "" }];
  if (reasoning !== undefined) deltas.push({ reasoning_content: reasoning });
  if (text !== undefined) deltas.push({ content: text });
  for (const [index, { id, name, args }] of calls.entries()) {
    deltas.push({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    deltas.push({ tool_calls: [{ index, function: { arguments: JSON.stringify(args) } }] });
  }
  return {
    pieces: [
      ...deltas.map((delta) => chatChunk(delta, null, { model })),
      chatChunk({}, finish, { model }),
      ...(usage ? [chatChunk(undefined, null, { model, choices: [], usage })] : []),
      "data: [DONE]\n\n",
    ],
  };
}

/** A refusal with a JSON body, as services send it. */
export function refusal(status: number, error: unknown, headers: Record<string, string> = {}): ScriptedReply {
  return { status, headers: { "content-type": "application/json", ...headers }, pieces: [JSON.stringify({ error })] };
}
