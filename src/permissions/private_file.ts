/**
 * Writes small files that only their owner may read, whole or not at all.
 *
 * @module
 */

import { dirname } from "./os_path.ts";

/**
 * Puts a text in a file's place in one step, with mode 0600. A link that somebody put there is replaced, not followed.
 * Folders on the way are made with mode 0700.
 *
 * @throws {Deno.errors.PermissionDenied} If the folder may not be written; the file is then as it was.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    // the umask can only take away; createNew follows no link
    const file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
    try {
      const bytes = new TextEncoder().encode(text);
      for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      await file.sync();
    } finally {
      file.close();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}
