/**
 * The shapes in which services say that something went wrong.
 *
 * @module
 */

import { isHtml } from "./foreign_text.ts";

/** What a service said of a failure. */
export interface SaidError {
  message: string;
  /** Its `code` or `type`, or both. */
  code?: string;
  /** A code that is an HTTP status. */
  status?: number;
}

/** Reads the body of a refusal: JSON in any of the usual shapes, a web page, or plain text. */
export function readErrorBody(body: string): SaidError {
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
export function errorIn(value: unknown): SaidError | undefined {
  if (Array.isArray(value)) return value.length === 1 ? errorIn(value[0]) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as Record<string, unknown>;
  const said = object.error || object.errors;
  const inner = said === true ? object : said || (object.choices || object.content ? undefined : bare(object));
  if (!inner || (typeof inner === "object" && Object.keys(inner).length === 0)) return undefined;
  if (typeof inner === "string") return { ...codeOf(object), message: inner };
  const { message, detail, msg, metadata } = inner as Record<string, unknown>;
  const words = [message ?? msg ?? detail, (metadata as { raw?: unknown } | null | undefined)?.raw];
  const text = words.filter((word) => word !== undefined && word !== null && word !== "").map(inWords).join(": ");
  return { ...codeOf(inner as Record<string, unknown>), message: text || inWords(inner) };
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
function codeOf({ code, type, status }: Record<string, unknown>): Omit<SaidError, "message"> {
  const number = [code, status].map(Number).find((n) => Number.isInteger(n) && n >= 400 && n < 600);
  const words = [code, type, status].filter((word) => typeof word === "string" && !/^(\d+|error)?$/.test(word));
  return { ...(words.length > 0 && { code: words.join(" ") }), ...(number !== undefined && { status: number }) };
}
