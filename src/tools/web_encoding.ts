/**
 * Bodies that a server has compressed in another way than those that it was offered.
 *
 * @module
 */

/** The runtime has undone these already, though the header still names them. */
const PLAIN = new Set(["", "identity", "gzip", "x-gzip", "br"]);

/**
 * The body as it was before it was compressed.
 *
 * @returns How it is compressed, as a text, if that cannot be undone; `null` for a response without a body.
 */
export function unpackedBody({ body, headers }: Response): ReadableStream<Uint8Array> | string | null {
  const encoding = (headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (body === null || PLAIN.has(encoding)) return body;
  return encoding === "deflate" ? ReadableStream.from(inflate(body)) : encoding;
}

/** By the standard there is a header of two bytes before the data; some servers leave it out. */
async function* inflate(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const { value: first = new Uint8Array() } = await reader.read();
  const [a = 0, b = 0] = first;
  const hasHeader = (a & 0x0f) === 8 && (a * 256 + b) % 31 === 0;
  const rest = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (it) => it.enqueue(first),
    async pull(it) {
      const { done, value } = await reader.read();
      if (done) it.close();
      else it.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  yield* rest.pipeThrough(new DecompressionStream(hasHeader ? "deflate" : "deflate-raw"));
}
