/**
 * What can go wrong between a person and a model, by who can act on it: {@linkcode ApiError} the retry wrapper,
 * {@linkcode ConfigError} the person.
 *
 * @module
 */

/** The class of a failure: decides whether it is retried and which sentence a person gets. */
export type ApiErrorKind =
  | "auth" // the key is missing, wrong or not allowed
  | "quota" // the account has no money left
  | "rate_limit"
  | "overflow" // the request is larger than the model's context window
  | "invalid_request"
  | "not_found" // no such address or model
  | "server"
  | "network" // no connection, or it broke before the first byte
  | "timeout" // connecting, silence or the whole reply took too long
  | "broken_reply" // the reply began and did not come to its end, or could not be read
  | "empty_reply"; // the reply ended properly and held nothing

/** What an {@linkcode ApiError} knows beside its message. */
export interface ApiErrorOptions {
  kind: ApiErrorKind;
  /** HTTP status, or the status that an error inside a stream named. */
  status?: number;
  retryable: boolean;
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The service's own words, shortened and without secrets. */
  detail?: string;
  cause?: unknown;
}

/** A model service did not give a usable reply. The message never holds a key or a header. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;

  constructor(message: string, options: ApiErrorOptions) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.status = options.status;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.detail = options.detail;
  }
}

/** The person set something up wrong: an option, a configuration value, an address, a key. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
