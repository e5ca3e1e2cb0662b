/**
 * A copy of a session that goes its own way.
 *
 * @module
 */

import { join } from "../permissions/os_path.ts";
import type { SessionFile, SessionStore } from "./session_store.ts";

/**
 * Copies a session under a new ID: its records, and the earlier content of its files. Its kept outputs stay where the
 * conversation says that they are.
 */
export async function forkSession(store: SessionStore, { id: from, path }: SessionFile): Promise<SessionFile> {
  const { header, records } = await store.read(path);
  const id = crypto.randomUUID();
  const copy: SessionFile = { id, path: store.fileOf(id), changedAt: new Date() };
  const lines = [...(header ? [{ ...header, id, forkedFrom: from }] : []), ...records];
  const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
  await Deno.writeTextFile(copy.path, text, { createNew: true, mode: 0o600 });
  await copyFolder(join(store.folderOf(from), "before"), join(store.folderOf(id), "before"));
  return copy;
}

async function copyFolder(from: string, to: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(from)) {
      if (!isFile) continue;
      await Deno.mkdir(to, { recursive: true, mode: 0o700 });
      await Deno.copyFile(join(from, name), join(to, name)); // keeps the mode
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
