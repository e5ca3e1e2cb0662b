/**
 * One request to a model service, its reply as events: time limits, cancelling, and failures that a person can read.
 *
 * @module
 */

import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { ApiError } from "./errors.ts";
import { readRetryAfter } from "./retry_after.ts";
import { bodyError, excerpt, isHtml, type Service, serviceError, shownUrl } from "./service_error.ts";
import { parseSse, type ServerSentEvent } from "./sse.ts";

/** Time limits of one request, in milliseconds. */
export interface Timeouts {
  /** Until the service begins to answer; a reply that comes in one piece may take `replyMs`. */
  connectMs: number;
  /** Without a byte; a comment of the service is one too. */
  silenceMs: number;
  /** For the whole reply, comments and all. */
  replyMs: number;
}

/** The limits where nothing else is set. */
export const DEFAULT_TIMEOUTS: Readonly<Timeouts> = { connectMs: 30_000, silenceMs: 120_000, replyMs: 600_000 };

/** What {@linkcode post} sends and how. */
export interface PostOptions {
  service: Service;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
  /** Ends the request; what is thrown then is its reason. */
  signal: AbortSignal;
  /** Whether the reply was asked for in pieces; `true` if left out. */
  stream?: boolean;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof fetch;
  clock?: Clock;
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const ERROR_BODY_MS = 5_000;

/**
 * Sends a request and yields the events of the reply. A reply that comes as one JSON document is one event.
 * Leaving the loop early closes the request.
 *
 * @throws {ApiError} If the service cannot be reached, refuses, redirects, breaks off or keeps silent.
 * @throws The signal's reason, as soon as it aborts.
 */
export async function* post(options: PostOptions): AsyncGenerator<ServerSentEvent> {
  const { service, headers, body, signal, stream = true, fetch = globalThis.fetch, clock = SYSTEM_CLOCK } = options;
  const limits = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  signal.throwIfAborted();
  const watchdog = new Watchdog(service, clock);
  try {
    watchdog.limit("reply", limits.replyMs);
    if (stream) watchdog.limit("connect", Math.min(limits.connectMs, limits.silenceMs));
    const response = await fetch(service.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: AbortSignal.any([signal, watchdog.signal]),
      redirect: "error", // a key goes nowhere else
    });
    watchdog.lift("connect");
    if (!response.ok) throw await refusal(service, response, watchdog, clock.now());
    if (!response.body) return;
    const bytes = watched(response.body, { service, watchdog, silenceMs: limits.silenceMs });
    const type = response.headers.get("content-type") ?? "";
    if (/\bjson\b/i.test(type)) yield { data: (await readText(bytes)).trim() };
    else if (/\bhtml\b/i.test(type)) throw webPage(service, await readText(bytes, MAX_ERROR_BYTES));
    else yield* parseSse(bytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    watchdog.signal.throwIfAborted();
    throw unreachable(service, error);
  } finally {
    watchdog.end(); // closes the request of a reader who left early
  }
}

type Limit = "connect" | "silence" | "reply";

/** Ends a request that takes too long; its signal's reason is the error that says so. */
class Watchdog {
  readonly #controller = new AbortController();
  readonly #timers = new Map<Limit, () => void>();
  readonly #service: Service;
  readonly #clock: Clock;

  constructor(service: Service, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  limit(limit: Limit, ms: number): void {
    this.lift(limit);
    this.#timers.set(limit, this.#clock.after(ms, () => this.#controller.abort(this.#error(limit, ms))));
  }

  lift(limit: Limit): void {
    this.#timers.get(limit)?.();
    this.#timers.delete(limit);
  }

  end(): void {
    for (const limit of [...this.#timers.keys()]) this.lift(limit);
    this.#controller.abort();
  }

  #error(limit: Limit, ms: number): ApiError {
    const state = {
      connect: `no answer from ${new URL(this.#service.url).origin} within ${ms / 1000} s`,
      silence: `the reply stood still for ${ms / 1000} s`,
      reply: `the reply was not complete after ${ms / 1000} s`,
    }[limit];
    return new ApiError(`Cannot ask "${this.#service.id}": ${state}`, { kind: "timeout", retryable: true });
  }
}

interface WatchOptions {
  service: Service;
  watchdog: Watchdog;
  silenceMs: number;
}

/** The bytes of a reply. Silence counts only while somebody waits for them. */
async function* watched(
  body: ReadableStream<Uint8Array>,
  { service, watchdog, silenceMs }: WatchOptions,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  while (true) {
    watchdog.limit("silence", silenceMs);
    const { done, value } = await reader.read().catch((error) => {
      watchdog.signal.throwIfAborted();
      throw new ApiError(`Cannot read the reply of "${service.id}": the connection broke`, {
        kind: "broken_reply",
        retryable: true,
        cause: error,
      });
    });
    watchdog.lift("silence");
    if (done) return;
    size += value.length;
    if (size > MAX_REPLY_BYTES) {
      throw new ApiError(`Cannot read the reply of "${service.id}": it is larger than ${MAX_REPLY_BYTES} bytes`, {
        kind: "broken_reply",
        retryable: false,
      });
    }
    yield value;
  }
}

/** All of a body as text, or what fits into `maxBytes`. */
async function readText(bytes: AsyncIterable<Uint8Array>, maxBytes = Infinity): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(decoder.decode(piece, { stream: true }));
    size += piece.length;
    if (size >= maxBytes) break;
  }
  return pieces.join("");
}

async function refusal(service: Service, response: Response, watchdog: Watchdog, now: number): Promise<ApiError> {
  const { status, headers } = response;
  watchdog.limit("reply", ERROR_BODY_MS);
  // The status alone is worth reporting: a body that breaks off or never ends must not hide it.
  const body = response.body ? await readText(response.body, MAX_ERROR_BYTES).catch(() => "") : "";
  const retryAfterMs = readRetryAfter(headers, { body, now });
  return bodyError(service, { status, body, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

function webPage(service: Service, body: string): ApiError {
  if (!isHtml(body)) return serviceError(service, { status: 502, message: body });
  return new ApiError(
    `Cannot ask "${service.id}": ${shownUrl(service.url)} answers with a web page, check the base URL`,
    { kind: "not_found", retryable: false },
  );
}

/**
 * The error for a request that got no answer at all. The errors of `fetch` hold the whole address, which may hold a
 * secret: only the end of their text is kept, and they are no cause.
 */
function unreachable(service: Service, error: unknown): ApiError {
  const { origin } = new URL(service.url);
  if (error instanceof Deno.errors.NotCapable) {
    return new ApiError(`Cannot reach ${origin}: this process may not use the network there, it needs --allow-net`, {
      kind: "network",
      retryable: false,
    });
  }
  const text = error instanceof Error
    ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`
    : "";
  if (/redirect/i.test(text)) {
    return new ApiError(`Cannot ask "${service.id}": ${origin} redirects to another address, which is not followed`, {
      kind: "invalid_request",
      retryable: false,
    });
  }
  const why = /client error \(\w+\): (.*)/s.exec(text)?.[1] ?? "no connection";
  return new ApiError(`Cannot reach ${origin}: ${excerpt(why, service)}`, {
    kind: "network",
    retryable: true,
  });
}
