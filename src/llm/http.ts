/**
 * One request to a model service, its reply as events: time limits, cancelling, and failures that a person can read.
 *
 * @module
 */

import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { eventsIn, separated } from "./event_documents.ts";
import { isLoopback } from "./dialect.ts";
import { ApiError } from "./errors.ts";
import { excerpt, isHtml, shownUrl } from "./foreign_text.ts";
import { ReplyBody } from "./reply_body.ts";
import { readRetryAfter } from "./retry_after.ts";
import { bodyError, type Service, serviceError } from "./service_error.ts";
import { type ServerSentEvent, SseDecoder } from "./sse.ts";
import { DEFAULT_TIMEOUTS, type Timeouts, Watchdog } from "./watchdog.ts";

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
  /** Whether what has come is a whole reply: what follows it has little time, and may break off. */
  isWhole?(): boolean;
  timeouts?: Partial<Timeouts>;
  fetch?: typeof fetch;
  clock?: Clock;
}

const MAX_ERROR_BYTES = 64 * 1024;
const ERROR_BODY_MS = 5_000;
/** How long the accounts behind a whole reply may take: some services leave the connection open. */
const TAIL_MS = 15_000;

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
  let reply: ReplyBody | undefined;
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
    if (!response.ok) throw await refusal(response, { service, watchdog, clock });
    if (!response.body) return;
    const silenceMs = () => options.isWhole?.() ? Math.min(TAIL_MS, limits.silenceMs) : limits.silenceMs;
    reply = new ReplyBody(response, { service, watchdog, clock, silenceMs });
    const type = response.headers.get("content-type") ?? "";
    if (/\bhtml\b/i.test(type)) throw webPage(service, await reply.text(MAX_ERROR_BYTES));
    if (/\bjson\b/i.test(type)) return yield* eventsIn(await reply.text());
    const decoder = new SseDecoder();
    for (let bytes = await reply.next(); bytes; bytes = await reply.next()) {
      for (const event of decoder.push(bytes).flatMap(separated)) yield event;
    }
    for (const event of decoder.end().flatMap(separated)) yield event;
  } catch (error) {
    signal.throwIfAborted();
    if (options.isWhole?.()) return; // nothing is lost, and to ask again would be to pay twice
    if (error instanceof ApiError) throw error;
    watchdog.signal.throwIfAborted();
    throw unreachable(service, error);
  } finally {
    if (!signal.aborted) await reply?.settle();
    watchdog.end(); // closes the request of a reader who left early
  }
}

interface RefusalContext {
  service: Service;
  watchdog: Watchdog;
  clock: Clock;
}

async function refusal(response: Response, { service, watchdog, clock }: RefusalContext): Promise<ApiError> {
  const { status, headers } = response;
  watchdog.limit("reply", ERROR_BODY_MS);
  // The status alone is worth reporting: a body that breaks off or never ends must not hide it.
  const body = response.body
    ? await new ReplyBody(response, { service, watchdog, clock, silenceMs: () => ERROR_BODY_MS })
      .text(MAX_ERROR_BYTES).catch(() => "")
    : "";
  const retryAfterMs = readRetryAfter(headers, { body, now: clock.now() });
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
  const { origin, host, hostname } = new URL(service.url);
  if (error instanceof Deno.errors.NotCapable) {
    return new ApiError(`Cannot reach ${origin}: this process has no network there, it needs --allow-net=${host}`, {
      kind: "network",
      retryable: false,
    });
  }
  if (error instanceof Error && /redirect/i.test(error.message)) {
    return new ApiError(`Cannot ask "${service.id}": ${origin} redirects to another address, which is not followed`, {
      kind: "invalid_request",
      retryable: false,
    });
  }
  const blocked = error instanceof Error && /\bport \d+ [^:]*blocked/i.exec(error.message)?.[0];
  const why = blocked ? `requests to ${blocked}, take another port` : withCheck(reasonIn(error), hostname);
  return new ApiError(`Cannot reach ${origin}: ${excerpt(why, service)}`, { kind: "network", retryable: true });
}

/** A reason and what to look at. */
function withCheck(why: string, hostname: string): string {
  if (!isLoopback(hostname)) return `${why}, check the base URL and the network`;
  return `${why}, ${/refused/i.test(why) ? "check that a server runs there" : "check the base URL and the server"}`;
}

/** Why there was no connection, without the address and the system's number. */
function reasonIn(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const words = cause instanceof Error ? cause.message : "";
  const why = /client error \(\w+\): (.*)/s.exec(words)?.[1] ?? (/:\/\//.test(words) ? "" : words);
  return why.replace(/ \(os error \d+\)/g, "").replace(/^(tcp connect|dns) error: /, "") || "no connection";
}
