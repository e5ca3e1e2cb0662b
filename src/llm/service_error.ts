/**
 * What a service answered in place of a reply, as an {@linkcode ApiError} with a sentence that a person can act on.
 *
 * @module
 */

import { readErrorBody, type SaidError } from "./error_body.ts";
import { ApiError, type ApiErrorKind } from "./errors.ts";
import { excerpt, shownUrl } from "./foreign_text.ts";

/** Who was asked: what the sentences are about, and what must never stand in them. */
export interface Service {
  /** The {@linkcode Model.id}, for example `deepseek/deepseek-flash`. */
  id: string;
  /** The address asked. A query string and a user name in it are never shown. */
  url: string;
  apiKey?: string;
  /** The environment variable that holds the key. */
  keyVariable?: string;
  /** Where money is paid in. */
  topUpUrl?: string;
}

/** What came instead of a reply. Without a `status` the `code` tells the class. */
export interface Failure extends SaidError {
  retryAfterMs?: number;
}

const OVERFLOW = new RegExp(
  [
    "context_length_exceeded|context_?window_?exceeded|exceed_context_size",
    "(prompt|input|request|context)\\b.{0,40} (is )?too (long|large)",
    "(maximum|max|available|model'?s?) (context|prompt|input)[ _-]?(length|size|window)",
    "exceed(s|ed)?\\b.{0,40}(context|prompt|maximum number of (input )?tokens|max(imum)? (allowed )?(input )?length|max message tokens|token limit)",
    "tokens? (count )?(of \\d+ |\\(prompt \\+ completion\\) )?exceeds? (the )?limit|(context|token) limit exceeded",
    "max_new_tokens`? must be <=|range of input length should be",
    "(greater|longer|larger|more) than the (model'?s? )?context (length|size|window)",
    "reduce the (length|number) of (the )?(messages|input|prompt)",
    "too many (input )?tokens",
  ].join("|"),
  "i",
);
const NO_SUCH_MODEL = /\bmodel\b.{0,80}(not exist|not found|not available|unknown)|(unknown|no such|invalid) model\b/i;
const BAD_KEY =
  /\bapi[ _-]?key\b.{0,20}\b(not valid|invalid|incorrect|expired)|(invalid|incorrect|expired) api[ _-]?key\b/i;
const OUT_OF_MONEY = /insufficient[ _](quota|balance|credits?|funds)|billing_|credit balance|payment required/i;
const NO_TOOLS = /not support (the )?(tools?|function)\b/i;
/** Codes that services put into a stream whose status was 200 long ago. */
const STATUS_OF_CODE: readonly [RegExp, number][] = [
  [/overloaded/i, 529],
  [/system_resource|server_error|api_error|internal|unavailable/i, 500],
  [/rate_?limit|too_?many_?requests|throttl|exhausted/i, 429],
  [/authentication|invalid_?api_?key|unauthorized/i, 401],
  [/permission|forbidden/i, 403],
  [/insufficient|quota|billing/i, 402],
  [/not_found/i, 404],
  [/time_?out/i, 408],
  [/too_large/i, 413],
  [/invalid|bad_request|unsupported/i, 400],
];

/** Makes the error for a refusal, whether it came as an HTTP status or inside a stream. */
export function serviceError(service: Service, failure: Failure): ApiError {
  const { code = "", retryAfterMs } = failure;
  const status = failure.status ?? statusOf(code);
  const text = `${failure.message} ${code}`;
  const kind = kindOf(status, text);
  const retryable = kind === "rate_limit" || kind === "server" || kind === "timeout" || status === 409;
  const said = excerpt(failure.message, service);
  const facts = [status === undefined ? "" : `HTTP ${status}`, said].filter((fact) => fact !== "").join(": ");
  return new ApiError(
    `Cannot ask "${service.id}": ${sentence(kind, service, { status, text })}${facts && ` (${facts})`}`,
    {
      kind,
      retryable,
      detail: said,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  );
}

/** Makes the error for a refusal with this body. */
export function bodyError(service: Service, { status, body, retryAfterMs }: BodyFailure): ApiError {
  const wait = retryAfterMs !== undefined && { retryAfterMs };
  return serviceError(service, { ...readErrorBody(body), status, ...wait });
}

/** A refusal as it came over HTTP. */
export interface BodyFailure {
  status: number;
  body: string;
  retryAfterMs?: number;
}

function statusOf(code: string): number | undefined {
  return STATUS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

function kindOf(status: number | undefined, text: string): ApiErrorKind {
  if (status === 402 || OUT_OF_MONEY.test(text)) return "quota";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403 || (status === 400 && BAD_KEY.test(text))) return "auth";
  if (status === 413 || OVERFLOW.test(text)) return "overflow";
  if (status === 404 || status === 405 || (status === 400 && NO_SUCH_MODEL.test(text))) return "not_found";
  if (status === 408) return "timeout";
  return status === undefined || status >= 500 ? "server" : "invalid_request";
}

/** What a sentence goes by beside the kind. */
interface Refusal {
  status: number | undefined;
  text: string;
}

function sentence(kind: ApiErrorKind, service: Service, { status, text }: Refusal): string {
  const { id, keyVariable, apiKey, topUpUrl, url } = service;
  switch (kind) {
    case "auth":
      if (status === 403) return `access is refused, check what the key in ${keyVariable ?? "use"} may do`;
      return `the key is ${apiKey ? "not accepted" : "missing"}, set ${keyVariable ?? "the key"} to a valid one`;
    case "quota":
      return `the account has no money left, top it up${topUpUrl ? ` at ${topUpUrl}` : " with the service"}`;
    case "rate_limit":
      return "too many requests at once";
    case "overflow":
      return "the conversation is larger than the model's context window";
    case "not_found":
      return `there is no such model or address, check the model's name and the base URL (asked: ${shownUrl(url)})`;
    case "invalid_request":
      if (NO_TOOLS.test(text)) return `the model takes no tools, set models.${nameOf(id)}.tools to "text"`;
      return "the service does not accept the request";
    case "timeout":
      return "the service did not answer in time";
    case "server":
      return "the service has a fault or is overloaded";
    case "network":
    case "broken_reply":
    case "empty_reply":
      return "there is no usable reply";
    default:
      return kind satisfies never;
  }
}

/** The model's name without its provider. */
function nameOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}
