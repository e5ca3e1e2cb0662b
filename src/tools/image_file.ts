/**
 * Tells pictures that a model can be shown from other files.
 *
 * @module
 */

/** A kind of picture that model services take. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The kind of picture that a file claims to be by its first bytes. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "image/gif";
  if (startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP")) return "image/webp";
  return undefined;
}

/**
 * Whether the file is there to its end. One that was cut makes a service refuse the request, and every later one, since
 * the picture stays in the history.
 */
export function isWholeImage(bytes: Uint8Array, type: ImageType): boolean {
  switch (type) {
    case "image/png":
      return startsWith(bytes.subarray(12), "IHDR") && holds(bytes.subarray(-64), "IEND\xae\x42\x60\x82");
    case "image/jpeg":
      return bytes.length > 100 && holds(bytes.subarray(-4096), "\xff\xd9"); // some cameras write on behind the end
    case "image/gif":
      return bytes.length > 20 && holds(bytes.subarray(-64), "\x3b");
    case "image/webp":
      return bytes.length >= new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8;
    default:
      return type satisfies never;
  }
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return bytes.length >= signature.length && Array.from(signature).every((c, i) => bytes[i] === c.charCodeAt(0));
}

function holds(bytes: Uint8Array, signature: string): boolean {
  return bytes.some((_, i) => startsWith(bytes.subarray(i), signature));
}
