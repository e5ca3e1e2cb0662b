/**
 * Reads npm tarballs, after a look at their digest.
 *
 * @module
 */

const BLOCK = 512;

/**
 * Checks that bytes are the ones that were pinned.
 *
 * @param integrity `sha512-` and the base64 of the digest.
 * @throws {Error} If they are not.
 */
export async function verifyIntegrity(id: string, bytes: Uint8Array<ArrayBuffer>, integrity: string): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));
  const actual = `sha512-${btoa(String.fromCharCode(...digest))}`;
  if (actual !== integrity) throw new Error(`Cannot use ${id}: its integrity is ${actual}, expected ${integrity}`);
}

/**
 * The files of a gzipped tarball by path, without the folder npm puts around them.
 *
 * @throws {Error} If the archive is damaged.
 */
export async function readTarball(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const tar = new Uint8Array(await new Response(stream).arrayBuffer());
  const decoder = new TextDecoder();
  const files = new Map<string, string>();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const field = (start: number, length: number) =>
      decoder.decode(tar.subarray(at + start, at + start + length)).replace(/\0.*$/s, "");
    const size = parseInt(field(124, 12), 8);
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > tar.length) throw new Error("Cannot read the tarball: it is damaged");
    const isFile = field(156, 1) === "0" || field(156, 1) === "";
    const path = [field(345, 155), field(0, 100)].filter(Boolean).join("/").replace(/^[^/]*\//, "");
    if (isFile) files.set(path, decoder.decode(tar.subarray(start, start + size)));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
