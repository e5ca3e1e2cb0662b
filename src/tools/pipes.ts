/**
 * The ends of a child's pipes.
 *
 * @module
 */

const READ_BYTES = 65_536;

/**
 * Reads a pipe to its end, with one array for all pieces: a gigabyte leaves no garbage behind. Never rejects: what
 * came before a pipe broke counts.
 *
 * @param take Gets each piece; the array is valid only during the call.
 */
export async function readPipe(
  pipe: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = pipe.getReader({ mode: "byob" });
  let array = new Uint8Array(READ_BYTES);
  try {
    for (;;) {
      const { value, done } = await reader.read(array);
      if (done) return;
      take(value);
      array = new Uint8Array(value.buffer);
    }
  } catch {
    // Broken: there is no more to come.
  }
}

/** Writes a child's whole input. Never rejects: a child may end without reading it. */
export async function writePipe(writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>, text: string) {
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The child does not want it.
  }
}
