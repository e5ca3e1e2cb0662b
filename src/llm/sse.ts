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

/** How much {@linkcode parseSse} takes. */
export interface SseOptions {
  /** Length of one event in UTF-16 units, at most; 28 Mi by default. */
  maxEventLength?: number;
}

const MAX_EVENT_LENGTH = 28 * 1024 * 1024;

/**
 * Decodes an event stream. Comments, `id` and `retry` are left out. The last event counts even if no blank line
 * follows it. Text that is no field of an event stream (an error page, a bare JSON object) is given as data, so that
 * whoever reads the events can say what came.
 *
 * @throws {ApiError} If an event is longer than it may be; asking again would bring the same.
 * @example
 * ```ts
 * const body = new Response("event: ping\ndata: {}\n\n").body!;
 * for await (const { event, data } of parseSse(body)) console.assert(event === "ping" && data === "{}");
 * ```
 */
export async function* parseSse(
  body: AsyncIterable<Uint8Array>,
  { maxEventLength = MAX_EVENT_LENGTH }: SseOptions = {},
): AsyncGenerator<ServerSentEvent> {
  const lines = new LineSplitter();
  const event = new EventBuilder();
  for await (const bytes of body) {
    for (const line of lines.split(bytes)) {
      const whole = event.add(line);
      if (whole) yield whole;
    }
    if (lines.pendingLength + event.length > maxEventLength) {
      throw new ApiError(`Cannot read the reply: one event is longer than ${maxEventLength} characters`, {
        kind: "broken_reply",
        retryable: false,
      });
    }
  }
  // A last line without its end, and the blank line that should follow the last event.
  for (const line of [lines.rest(), ""]) {
    const whole = event.add(line);
    if (whole) yield whole;
  }
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

  *split(bytes: Uint8Array): Generator<string> {
    if (bytes.length === 0) return;
    const start = this.#afterCr && bytes[0] === LF ? 1 : 0;
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
    this.#afterCr = bytes.at(-1) === CR;
    if (end > start) {
      this.#keep(bytes.subarray(start, end));
      yield* linesOf(this.#take());
    }
    this.#keep(bytes.subarray(Math.max(start, end)));
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
function* linesOf(text: string): Generator<string> {
  // Each search starts only where the one before has ended: a text without CR is looked through once for it.
  let lf = text.indexOf("\n");
  let cr = text.indexOf("\r");
  for (let start = 0; start < text.length;) {
    const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
    yield text.slice(start, end);
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
    if (cr !== -1 && cr < start) cr = text.indexOf("\r", start);
  }
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
