/**
 * The body of a web answer, as much of it as is wanted, as text.
 *
 * @module
 */

/** The first bytes of a body. */
export interface Body {
  readonly bytes: Uint8Array;
  /** Why it may not be whole: a limit of bytes, the signal, or a connection that broke. */
  readonly cut?: "size" | "time" | "connection";
}

/**
 * Reads a body up to a number of decoded bytes, then closes the connection: what a compressed body would become does
 * not matter. Never rejects: what has come counts.
 *
 * @param signal The one that the request was sent with.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut: Body["cut"];
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size <= maxBytes) continue;
      cut = "size";
      break;
    }
  } catch {
    cut = signal.aborted ? "time" : "connection";
  }
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, ...(cut && { cut }) };
}

/** What can be done with a body. */
export type BodyKind = "html" | "text" | "binary";

const TEXT_TYPES =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|x-ndjson|x-sh|sql|graphql)$/;

/** What a body is by its media type; nothing where that says nothing. */
export function kindOfType(mediaType: string): BodyKind | undefined {
  if (mediaType === "" || mediaType === "application/octet-stream") return undefined;
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") return "html";
  return TEXT_TYPES.test(mediaType) ? "text" : "binary";
}

/** What a body is by a look at it. */
export function kindOfBytes(bytes: Uint8Array): BodyKind {
  const start = bytes.subarray(0, 1024);
  const encoding = bomEncoding(start);
  if (start.includes(0) && encoding === undefined) return "binary";
  const text = new TextDecoder(encoding).decode(start, { stream: true }); // a character may be cut at the end
  if (text.includes("\ufffd")) return "binary";
  return /^\s*<(?:!doctype html|html)\b/i.test(text) ? "html" : "text";
}

/**
 * Decodes a body: a byte order mark counts most, then the charset of the header, then the page's own; without any it is
 * UTF-8, or else Windows-1252.
 */
export function decodeBody(bytes: Uint8Array, charset: string | undefined): string {
  const label = bomEncoding(bytes) ?? charset ?? declaredCharset(bytes);
  if (label !== undefined) {
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // An unknown name: as if there were none.
    }
  }
  const text = new TextDecoder().decode(bytes);
  return text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text;
}

function bomEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
}

/** What a page says about itself at its beginning, in HTML or XML. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  return /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1];
}
