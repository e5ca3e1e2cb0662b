/**
 * Waiting and asking again: the one retry policy of the program.
 *
 * @module
 */

import { type Clock, SYSTEM_CLOCK, wait } from "./clock.ts";
import { ApiError } from "./errors.ts";
import { MAX_RETRY_AFTER_MS } from "./retry_after.ts";
import type { Model, ModelRequest, StreamEvent } from "./types.ts";

/** How often and how patiently a failed request is made again. */
export interface RetryOptions {
  /** Retries at most; 5 if left out. */
  max?: number;
  /** The first wait in milliseconds, doubled from retry to retry; 500 if left out. */
  baseMs?: number;
  /** The longest wait in milliseconds, unless the service asks for another one; 10,000 if left out. */
  maxMs?: number;
  clock?: Clock;
  /** From 0 up to 1: spreads the waits, so that many programs do not come back at the same moment. */
  random?: () => number;
}

/** A reply that is empty is often empty again: it is not asked for more often than this. */
const MAX_EMPTY = 2;
/** How far a wait may be shortened, as a share. */
const JITTER = 0.25;

/**
 * Makes a model that tries again when the service fails in a way that may pass. A reply that broke in the middle is
 * asked again whole; a `restart` event says that what was shown of it is void. Nothing is tried again once the signal
 * has aborted, and it ends a wait at once.
 *
 * The error after the last retry says how often it was tried.
 */
export function withRetry(model: Model, options: RetryOptions = {}): Model {
  const { id, contextWindow, vision } = model;
  return {
    id,
    contextWindow,
    ...(vision !== undefined && { vision }),
    stream: (request, signal) => streamWithRetry(model, { request, signal, options }),
  };
}

interface Attempt {
  request: ModelRequest;
  signal: AbortSignal;
  options: RetryOptions;
}

async function* streamWithRetry(model: Model, { request, signal, options }: Attempt): AsyncGenerator<StreamEvent> {
  const { max = 5, clock = SYSTEM_CLOCK } = options;
  let empties = 0;
  for (let attempt = 1;; attempt++) {
    try {
      for await (const event of model.stream(request, signal)) yield event;
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || !error.retryable) throw error;
      const isEmpty = error.kind === "empty_reply";
      if (isEmpty) empties++;
      const most = isEmpty ? Math.min(max, attempt + MAX_EMPTY - empties) : max;
      if (attempt > most) throw attempt === 1 ? error : afterTries(error, attempt);
      const delayMs = delayBefore(attempt, error, options);
      yield { type: "restart", attempt, maxAttempts: most, delayMs, reason: error.message };
      await wait(delayMs, { signal, clock });
    }
  }
}

/** What the service asks for, else a wait that grows. */
function delayBefore(attempt: number, { retryAfterMs }: ApiError, options: RetryOptions): number {
  const { baseMs = 500, maxMs = 10_000, random = Math.random } = options;
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  const whole = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  return Math.round(whole * (1 - JITTER * random()));
}

function afterTries(error: ApiError, tries: number): ApiError {
  const { kind, status, retryable, retryAfterMs, detail } = error;
  return new ApiError(`${error.message} (tried ${tries} times)`, {
    kind,
    retryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(detail !== undefined && { detail }),
    cause: error,
  });
}
