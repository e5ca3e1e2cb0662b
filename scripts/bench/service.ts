/**
 * A model service on 127.0.0.1 that plays a script and keeps the times.
 *
 * @module
 */

/** A streamed reply: its pieces, each sent by itself. */
export type Reply = readonly string[];

/** A request that has arrived, and its answer. Times are those of `performance.now()`. */
export interface Exchange {
  /** The body as it came. */
  text: string;
  receivedAt: number;
  /** When the last byte of the reply was handed to the socket. */
  repliedAt: number;
}

/** A script of replies, one for each request, and what is done when a request is there. */
export interface Script {
  replies: readonly Reply[];
  /** Called when a request is there; it is answered afterwards. */
  onRequest?: () => Promise<void>;
}

/** The service. It plays one script at a time. */
export class Service implements AsyncDisposable {
  /** What has arrived since the script began. */
  exchanges: Exchange[] = [];
  #script: Script = { replies: [] };
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => this.#answer(request),
  );

  /** Scheme, host and port. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Begins a script. */
  play(script: Script): void {
    this.#script = script;
    this.exchanges = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const receivedAt = performance.now();
    const exchange: Exchange = { text: await request.text(), receivedAt, repliedAt: NaN };
    const number = this.exchanges.push(exchange) - 1;
    const { replies, onRequest } = this.#script;
    await onRequest?.();
    const reply = replies[number];
    if (!reply) return new Response("The script has no such reply", { status: 400 });
    const body = ReadableStream.from(pieces(reply, () => exchange.repliedAt = performance.now()));
    return new Response(body.pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/event-stream" },
    });
  }
}

function* pieces(reply: Reply, onLast: () => void): Generator<string> {
  for (const [index, piece] of reply.entries()) {
    if (index === reply.length - 1) onLast();
    yield piece;
  }
}

/** A reply of text, in this many pieces. */
export function says(...texts: readonly string[]): Reply {
  return [...texts.map((content) => chunk({ content })), END];
}

/** A reply that calls one tool. */
export function calls(number: number, name: string, args: unknown): Reply {
  const call = {
    index: 0,
    id: `call_${number}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
  return [chunk({ role: "assistant", content: "" }) + chunk({ tool_calls: [call] }, "tool_calls") + END];
}

const END = 'data: {"id":"r","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10}}\n\ndata: [DONE]\n\n';

function chunk(delta: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}
