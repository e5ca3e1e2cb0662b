/**
 * What a service answered in place of a reply, as an {@linkcode ApiError} with a sentence that a person can act on.
 *
 * @module
 */

import { ApiError, type ApiErrorKind } from "./errors.ts";

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

/** What came instead of a reply. */
export interface Failure {
  status?: number;
  /** The service's own words, or the whole body. */
  message: string;
  /** The error's `code` or `type`, where there is one. */
  code?: string;
  retryAfterMs?: number;
}

const OVERFLOW = new RegExp(
  [
    "context_length_exceeded|model_context_window_exceeded|exceed_context_size",
    "(prompt|input|request|context)\\b.{0,40} (is )?too (long|large)",
    "(maximum|max|available|model'?s?) (context|prompt|input)[ _-]?(length|size|window)",
    "exceed(s|ed)?\\b.{0,40}(context|prompt|maximum number of (input )?tokens|max(imum)? (input )?length|token limit)",
    "(greater|longer|larger|more) than the (model'?s? )?context (length|size|window)",
    "reduce the (length|number) of (the )?(messages|input|prompt)",
    "too many (input )?tokens",
  ].join("|"),
  "i",
);
const OUT_OF_MONEY = /insufficient[ _](quota|balance|credits?|funds)|billing_|credit balance|payment required/i;
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
  return new ApiError(`Cannot ask "${service.id}": ${sentence(kind, service)}${facts && ` (${facts})`}`, {
    kind,
    retryable,
    detail: said,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Makes the error for a body of a refused request: JSON in any of the usual shapes, a web page, or text. */
export function bodyError(service: Service, { status, body, retryAfterMs }: BodyFailure): ApiError {
  const wait = retryAfterMs !== undefined && { retryAfterMs };
  return serviceError(service, { ...readError(body), status, ...wait });
}

/** A refusal as it came over HTTP. */
export interface BodyFailure {
  status: number;
  body: string;
  retryAfterMs?: number;
}

function readError(body: string): { message: string; code?: string } {
  if (isHtml(body)) return { message: "the answer is a web page, not that of a model service" };
  try {
    return errorIn(JSON.parse(body)) ?? { message: body };
  } catch {
    return { message: body };
  }
}

/**
 * Finds the error in an object that a service sent: `{error: {…}}`, `{error: "text"}`, `{type: "error"}`,
 * `{message, code}`, `{detail}`; a list of one such thing counts as the thing.
 *
 * @returns `undefined` if the object is no error.
 */
export function errorIn(value: unknown): { message: string; code?: string; status?: number } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? errorIn(value[0]) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as Record<string, unknown>;
  const inner = object.error || object.errors || (object.choices || object.content ? undefined : bare(object));
  if (!inner || (typeof inner === "object" && Object.keys(inner).length === 0)) return undefined;
  if (typeof inner === "string") return { ...codeOf(object), message: inner };
  const { message, detail, msg, metadata } = inner as Record<string, unknown>;
  const words = [message ?? msg ?? detail, (metadata as { raw?: unknown } | null | undefined)?.raw];
  const said = words.filter((word) => word !== undefined && word !== null && word !== "").map(inWords).join(": ");
  return { ...codeOf(inner as Record<string, unknown>), message: said || inWords(inner) };
}

function bare(object: Record<string, unknown>): unknown {
  if (object.type === "error" || object.object === "error") return object;
  const { message, msg, detail } = object;
  return [message, msg].some((words) => typeof words === "string" && words !== "") || detail ? object : undefined;
}

function inWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A code is a number (an HTTP status), a number in a string, or a word; often there are two of them. */
function codeOf({ code, type, status }: Record<string, unknown>): { code?: string; status?: number } {
  const number = [code, status].map(Number).find((n) => Number.isInteger(n) && n >= 400 && n < 600);
  const words = [code, type, status].filter((word) => typeof word === "string" && !/^(\d+|error)?$/.test(word));
  return { ...(words.length > 0 && { code: words.join(" ") }), ...(number !== undefined && { status: number }) };
}

function statusOf(code: string): number | undefined {
  return STATUS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

function kindOf(status: number | undefined, text: string): ApiErrorKind {
  if (status === 402 || OUT_OF_MONEY.test(text)) return "quota";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 413 || OVERFLOW.test(text)) return "overflow";
  if (status === 404 || status === 405) return "not_found";
  if (status === 408) return "timeout";
  return status === undefined || status >= 500 ? "server" : "invalid_request";
}

function sentence(kind: ApiErrorKind, { keyVariable, apiKey, topUpUrl, url }: Service): string {
  switch (kind) {
    case "auth":
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

/** An address without what may be secret in it. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a text is a web page. */
export function isHtml(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body|!--|\?xml)/i.test(text);
}

const MAX_EXCERPT = 500;

/** A piece of a foreign text on one line, short, without control characters and without the key in any form. */
export function excerpt(text: string, { apiKey }: Pick<Service, "apiKey">): string {
  const line = redact(text.slice(0, 16 * MAX_EXCERPT), apiKey)
    // deno-lint-ignore no-control-regex -- what a service says must not steer the terminal
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, " ").trim();
  const points = [...line];
  return points.length <= MAX_EXCERPT ? line : `${points.slice(0, MAX_EXCERPT).join("")}…`;
}

function redact(text: string, apiKey: string | undefined): string {
  if (!apiKey) return text;
  const base64 = btoa(apiKey).replace(/=+$/, "");
  const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [apiKey, encodeURIComponent(apiKey), base64, urlSafe].reduce((t, form) => t.replaceAll(form, "[key]"), text);
}
