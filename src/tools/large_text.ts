/**
 * Text of files that are too large to be taken into memory.
 *
 * @module
 */

import { decodeText, type TextFile } from "./text_file.ts";

/** How far such a file is looked through, in bytes: some 100 ms. */
export const MAX_SCANNED_BYTES = 128 * 1024 * 1024;

/** By so much of its beginning such a file's encoding is told. */
export const HEAD_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

/** The first bytes of a file. */
export async function readHead(file: Deno.FsFile): Promise<Uint8Array> {
  const buffer = new Uint8Array(HEAD_BYTES);
  let length = 0;
  for (let count: number | null = 0; count !== null && length < HEAD_BYTES;) {
    count = await file.read(buffer.subarray(length));
    length += count ?? 0;
  }
  return buffer.subarray(0, length);
}

/**
 * Tells from the first bytes what the file is.
 *
 * @returns `undefined` if it is not text.
 */
export function formatOf(head: Uint8Array): Pick<TextFile, "encoding" | "bom"> | undefined {
  let end = head.length;
  while (end > head.length - 4 && (head[end - 1]! & 0xc0) === 0x80) end--; // a character may have been cut
  if (end > 0 && head[end - 1]! >= 0xc0) end--;
  const text = decodeText(head.subarray(0, end));
  return text && { encoding: text.encoding, bom: text.bom };
}

/** The text, piece by piece, up to {@linkcode MAX_SCANNED_BYTES}. */
export async function* decodePieces(
  file: Deno.FsFile,
  { encoding, signal }: { encoding: string; signal: AbortSignal },
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const buffer = new Uint8Array(PIECE_BYTES);
  await file.seek(0, Deno.SeekMode.Start);
  for (let scanned = 0; scanned < MAX_SCANNED_BYTES;) {
    signal.throwIfAborted();
    const count = await file.read(buffer);
    if (count === null) return yield decoder.decode();
    scanned += count;
    yield decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}
