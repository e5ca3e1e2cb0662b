/**
 * Opens and changes files in the very folder that was looked at.
 *
 * Between a look at a path and its use a program that runs in the background can put a link in the place of a folder, as
 * often as it likes. Names without a folder cannot be led astray: so the process goes into the folder, asks the system
 * where it is, and does its work there, all in one go. Where Deno's grants are scoped, Deno makes whole paths of such
 * names: the folder is then looked at once more and no better guarded.
 *
 * The folder belongs to the whole process: nothing here may wait, and no second thread may do the same.
 *
 * @module
 */

import { basename, dirname, join } from "../permissions/os_path.ts";
import { isHeld } from "../permissions/held.ts";

/** Called with what makes a name in the folder a path that may be used. */
type Work<T> = (at: (name: string) => string) => T;

/**
 * Does synchronous work in a folder that is certainly at its path.
 *
 * @param folder Canonical.
 * @throws {Deno.errors.Busy} If a link has taken the place of the folder, or of one above it.
 */
export function inFolder<T>(folder: string, work: Work<T>): T {
  const start = Deno.build.os !== "windows" && isHeld({ name: "read" }) ? placeOf() : undefined;
  if (start === undefined) {
    check(Deno.realPathSync(folder), folder);
    return work((name) => join(folder, name));
  }
  Deno.chdir(folder);
  try {
    check(Deno.cwd(), folder);
    return work((name) => name);
  } finally {
    Deno.chdir(start);
  }
}

/**
 * Opens a regular file that is certainly the one at its path.
 *
 * @param path Canonical.
 * @throws {Deno.errors.Busy} If something else has taken its place.
 */
export function openInPlace(path: string, options: Deno.OpenOptions = { read: true }): Deno.FsFile {
  return inFolder(dirname(path), (at) => {
    const name = at(basename(path));
    const seen = Deno.lstatSync(name);
    const file = seen.isFile ? Deno.openSync(name, options) : undefined;
    const opened = file?.statSync();
    if (file && opened?.ino === seen.ino && opened?.dev === seen.dev) return file;
    file?.close();
    throw busy(path);
  });
}

/** What says that something has changed under our hands. */
export function busy(path: string): Deno.errors.Busy {
  return new Deno.errors.Busy(`${basename(path)} was changed by someone else at the same moment`);
}

/** Where the process is; nothing if that folder is gone. */
function placeOf(): string | undefined {
  try {
    return Deno.cwd();
  } catch {
    return undefined;
  }
}

function check(actual: string, folder: string): void {
  if (actual !== folder) throw busy(folder);
}
