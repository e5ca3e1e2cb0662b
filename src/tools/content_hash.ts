/** SHA-256 of a file's bytes in hex: by this a file is known again, whatever its times say. */
export async function contentHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
