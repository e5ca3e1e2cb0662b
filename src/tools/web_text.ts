/**
 * What a web answer says, as text.
 *
 * @module
 */

import { htmlToText } from "./html_text.ts";
import { decodeBody, kindOfBytes, kindOfType, readBody } from "./web_body.ts";
import { unpackedBody } from "./web_encoding.ts";
import type { Answer } from "./web_request.ts";

/** Decoded bytes that are read of an answer. */
const MAX_BYTES = 5 * 1024 * 1024;

const CUTS = {
  size: `only the first ${MAX_BYTES / 1024 / 1024} MB were read`,
  time: "the time was up before the end",
  connection: "the connection broke before the end",
  work: "the page is too involved: only its beginning was read",
};

/** The media type of an answer in lower case, empty if it has none. */
export function mediaTypeOf(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Reads an answer: a page as Markdown, other text as it is, the rest by its type and size. Ends with a line about what
 * is missing.
 *
 * @param options `signal` is the one that the request was sent with: when it aborts, what has come counts. `interrupt`
 * is the person's own.
 * @throws The reason of `interrupt`, or that of `signal` when it aborts before anything has come.
 */
export async function readText(
  { url, response }: Answer,
  { signal, interrupt }: { signal: AbortSignal; interrupt: AbortSignal },
): Promise<string> {
  const type = mediaTypeOf(response);
  const kindByType = kindOfType(type);
  if (kindByType === "binary") {
    await response.body?.cancel();
    const length = response.headers.get("content-length");
    return `(not shown: ${type}${length === null ? "" : `, ${length} bytes`})`;
  }
  const body = unpackedBody(response);
  if (typeof body === "string") {
    await response.body?.cancel();
    return `(not shown: compressed as ${body})`;
  }
  const { bytes, cut } = await readBody(body, MAX_BYTES, signal);
  interrupt.throwIfAborted();
  if (cut === "time" && bytes.length === 0) throw signal.reason;
  const kind = kindByType ?? kindOfBytes(bytes);
  if (kind === "binary") return `(not shown: binary, ${cut ? "more than " : ""}${bytes.length} bytes)`;
  const charset = /charset\s*=\s*["']?([^\s;"']+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
  const text = clean(decodeBody(bytes, charset));
  if (kind === "text") return withNote(text, cut);
  const page = await htmlToText(text, url.href, interrupt);
  return withNote(page.title === "" ? page.text : `Title: ${page.title}\n\n${page.text}`, page.isCut ? "work" : cut);
}

function withNote(text: string, cut: keyof typeof CUTS | undefined): string {
  const body = text.trim() === "" ? "(empty)" : text;
  return cut ? `${body}\n\n[${CUTS[cut]}]` : body;
}

/** Line breaks of one kind, and no other control characters. */
function clean(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g, "");
}
