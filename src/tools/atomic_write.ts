/**
 * Puts a file in place whole or not at all: whenever the process dies, the path holds the old bytes or the new ones.
 *
 * @module
 */

import { dirname, join } from "../permissions/os_path.ts";
import { busy, checkFile, openInPlace } from "./in_place.ts";

const TEMPORARY_NAME = /^\.mini-agent-[0-9a-f-]{36}\.tmp$/;

/** Folders in which this process has already looked for what a killed one left. */
const tidied = new Set<string>();

/**
 * Writes a file beside its path, syncs it, gives it the mode and the owner of the file that it replaces, and renames it.
 * On any failure the path is as it was. A file is never written in place, not even where that would be the only way: a
 * crash would leave half of it. So other names of a file, its hard links, keep the old content.
 *
 * @param path Canonical: a link at the path itself would be replaced.
 * @param replaced What stands at the path, as it was when its content was read; absent if nothing does.
 * @throws {Deno.errors.Busy} If something else has been put at the path since.
 * @throws {Deno.errors.PermissionDenied} If the folder takes no new files, or the owner cannot be kept.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  replaced: Deno.FileInfo | undefined,
): Promise<void> {
  const folder = dirname(path);
  await removeLeftovers(folder);
  const temporary = join(folder, `.mini-agent-${crypto.randomUUID()}.tmp`);
  // readable by nobody else until it has its own mode
  const file = openNew(temporary, replaced ? 0o600 : 0o666);
  try {
    try {
      await file.tryLock(true); // tells other processes that this one lives
      for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      if (replaced) copyOwnership(replaced, temporary, file.statSync());
      await file.syncData();
    } finally {
      file.close();
    }
    if (!isUnchanged(path, replaced)) throw busy(path);
    const written = Deno.lstatSync(temporary);
    checkFile(temporary, written);
    Deno.renameSync(temporary, path);
    checkFile(path, written);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // the first error is the one to tell
    throw error;
  }
}

function openNew(path: string, mode: number): Deno.FsFile {
  try {
    return openInPlace(path, { write: true, createNew: true, mode });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    const reason =
      "its folder takes no new files, and a file is never written in place: a crash would leave half of it";
    throw new Deno.errors.PermissionDenied(reason, { cause: error });
  }
}

function copyOwnership(from: Deno.FileInfo, path: string, own: Deno.FileInfo): void {
  checkFile(path, own);
  try {
    // before the mode, since a change of owner clears some of its bits
    if (from.uid !== own.uid || from.gid !== own.gid) Deno.chownSync(path, from.uid, from.gid);
  } catch (error) {
    const reason = "it belongs to another user or group and could not be given back to them";
    throw new Deno.errors.PermissionDenied(reason, { cause: error });
  }
  if (from.mode !== null) Deno.chmodSync(path, from.mode & 0o7777);
}

function isUnchanged(path: string, replaced: Deno.FileInfo | undefined): boolean {
  try {
    const now = Deno.lstatSync(path);
    return now.ino === replaced?.ino && now.size === replaced?.size &&
      now.mtime?.getTime() === replaced?.mtime?.getTime();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return replaced === undefined;
    throw error;
  }
}

/** Removes what a process that was killed in the middle of a write has left: nobody holds its lock any more. */
async function removeLeftovers(folder: string): Promise<void> {
  if (tidied.has(folder)) return;
  tidied.add(folder);
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !TEMPORARY_NAME.test(name)) continue;
      using file = await Deno.open(join(folder, name), { write: true });
      if (await file.tryLock(true)) await Deno.remove(join(folder, name));
    }
  } catch {
    // another process was faster, or may do what this one may not: the write itself does not depend on it
  }
}
