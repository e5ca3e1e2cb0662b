/**
 * Bytes to server-sent events. Pure, linear in the size of the input, and bounded in memory.
 *
 * @module
 */

import { ApiError } from "./errors.ts";

/** One event of a stream. */
export interface ServerSentEvent {
  /** The event's name, where the stream gives one. */
  event?: string;
  /** Its data lines, joined by line feeds. */
  data: string;
}

/** How much is taken. */
export interface SseOptions {
  /** Length of one event in UTF-16 units, at most; 28 Mi by default. */
  maxEventLength?: number;
}

const MAX_EVENT_LENGTH = 28 * 1024 * 1024;

/**
 * Decodes an event stream that arrives in pieces. Comments, `id` and `retry` are left out. The last event counts even
 * if no blank line follows it. Text that is no field of an event stream (an error page, a bare JSON object) is given as
 * data, so that whoever reads the events can say what came.
 */
export class SseDecoder {
  readonly #lines = new LineSplitter();
  readonly #event = new EventBuilder();
  readonly #maxEventLength: number;

  constructor({ maxEventLength = MAX_EVENT_LENGTH }: SseOptions = {}) {
    this.#maxEventLength = maxEventLength;
  }

  /**
   * Takes in a piece and gives the events that it completes.
   *
   * @throws {ApiError} If an event is longer than it may be; asking again would bring the same.
   */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const events = this.#read(this.#lines.split(bytes));
    if (this.#lines.pendingLength + this.#event.length > this.#maxEventLength) {
      throw new ApiError(`Cannot read the reply: one event is longer than ${this.#maxEventLength} characters`, {
        kind: "broken_reply",
        retryable: false,
      });
    }
    return events;
  }

  /** Gives what is left when nothing more comes. */
  end(): ServerSentEvent[] {
    return this.#read([this.#lines.rest(), ""]); // a last line without its end, and the blank line that should follow
  }

  #read(lines: readonly string[]): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      const event = this.#event.add(line);
      if (event) events.push(event);
    }
    return events;
  }
}

/**
 * Decodes a whole body, see {@linkcode SseDecoder}.
 *
 * @throws {ApiError} If an event is longer than it may be.
 * @example
 * ```ts
 * const body = new Response("event: ping\ndata: {}\n\n").body!;
 * for await (const { event, data } of parseSse(body)) console.assert(event === "ping" && data === "{}");
 * ```
 */
export async function* parseSse(
  body: AsyncIterable<Uint8Array>,
  options?: SseOptions,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new SseDecoder(options);
  for await (const bytes of body) yield* decoder.push(bytes);
  yield* decoder.end();
}

const LF = 10;
const CR = 13;

/**
 * Cuts bytes that arrive in pieces into lines that end in LF, CR or CRLF. What has no line end yet is copied into one
 * buffer that grows: to keep the pieces themselves would take many times their size.
 */
class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // else the mark would be lost within the text too
  #pending = new Uint8Array(64 * 1024);
  #isFirst = true;
  #afterCr = false;
  /** Bytes of the line that has begun. */
  pendingLength = 0;

  split(bytes: Uint8Array): string[] {
    if (bytes.length === 0) return [];
    const start = this.#afterCr && bytes[0] === LF ? 1 : 0;
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
    this.#afterCr = bytes.at(-1) === CR;
    let lines: string[] = [];
    if (end > start) {
      this.#keep(bytes.subarray(start, end));
      lines = linesOf(this.#take());
    }
    this.#keep(bytes.subarray(Math.max(start, end)));
    return lines;
  }

  /** The line that has begun. */
  rest(): string {
    return this.#take();
  }

  #keep(bytes: Uint8Array): void {
    const length = this.pendingLength + bytes.length;
    if (length > this.#pending.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#pending.length));
      larger.set(this.#pending.subarray(0, this.pendingLength));
      this.#pending = larger;
    }
    this.#pending.set(bytes, this.pendingLength);
    this.pendingLength = length;
  }

  #take(): string {
    const text = this.#decoder.decode(this.#pending.subarray(0, this.pendingLength));
    this.pendingLength = 0;
    const isMarked = this.#isFirst && text.startsWith("\ufeff");
    if (text !== "") this.#isFirst = false;
    return isMarked ? text.slice(1) : text;
  }
}

/** The lines of a text that ends with a line end. */
function linesOf(text: string): string[] {
  const lines = text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n");
  lines.pop();
  return lines;
}

/** Collects lines until a blank one ends the event. */
class EventBuilder {
  #name = "";
  #data: string[] = [];
  length = 0;

  add(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#take();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === "data") this.#push(valueAfter(line, colon));
    else if (field === "event") this.#name = valueAfter(line, colon);
    else if (!/^\s*[\w-]*$/.test(field)) this.#push(line); // a name that we do not know is skipped, prose is not
  }

  #push(data: string): void {
    this.#data.push(data);
    this.length += data.length + 1;
  }

  #take(): ServerSentEvent | undefined {
    const event = this.#data.length === 0
      ? undefined
      : { ...(this.#name !== "" && { event: this.#name }), data: this.#data.join("\n") };
    this.#name = "";
    this.#data = [];
    this.length = 0;
    return event;
  }
}

function valueAfter(line: string, colon: number): string {
  if (colon === -1) return "";
  return line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
}
