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
  /** Length of one event in UTF-16 units, at most; 32 Mi by default. */
  maxEventLength?: number;
}

const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

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
  const decoder = new TextDecoder(); // drops a byte order mark, keeps a character that is cut between two reads
  const lines = new LineSplitter();
  const event = new EventBuilder();
  for await (const bytes of body) {
    for (const line of lines.split(decoder.decode(bytes, { stream: true }))) {
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
  for (const line of [lines.rest() + decoder.decode(), ""]) {
    const whole = event.add(line);
    if (whole) yield whole;
  }
}

/** Cuts text that arrives in pieces into lines that end in LF, CR or CRLF. */
class LineSplitter {
  #pending: string[] = [];
  #afterCr = false;
  pendingLength = 0;

  *split(text: string): Generator<string> {
    if (text === "") return;
    let start = this.#afterCr && text.startsWith("\n") ? 1 : 0;
    this.#afterCr = text.endsWith("\r");
    // Each search starts only where the one before has ended: a text without CR is looked through once for it.
    let lf = text.indexOf("\n", start);
    let cr = text.indexOf("\r", start);
    while (lf !== -1 || cr !== -1) {
      const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
      yield this.#join(text.slice(start, end));
      start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
      if (cr !== -1 && cr < start) cr = text.indexOf("\r", start);
    }
    if (start < text.length) {
      this.#pending.push(text.slice(start));
      this.pendingLength += text.length - start;
    }
  }

  rest(): string {
    return this.#join("");
  }

  #join(end: string): string {
    if (this.#pending.length === 0) return end;
    this.#pending.push(end);
    const line = this.#pending.join("");
    this.#pending = [];
    this.pendingLength = 0;
    return line;
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
