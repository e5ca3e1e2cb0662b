/**
 * Opens and changes files in the very folder that was looked at.
 *
 * Between a look at a path and its use a program that runs in the background can put a link in the place of a folder, as
 * often as it likes. Deno has no handles of folders, so nothing closes this for good: it is looked at again and again,
 * in one go without a pause, before a byte goes in or out. What comes through must win that many times in a row.
 *
 * @module
 */

import { basename, dirname } from "../permissions/os_path.ts";

/** How often a path is looked at; a swap that is as fast as can be passes one look in four. */
const LOOKS = 12;

/**
 * Makes sure that no link leads to a path.
 *
 * @param path Canonical.
 * @throws {Deno.errors.Busy} If a link has taken its place, or that of a folder above it.
 */
export function checkPlace(path: string): void {
  if (Deno.realPathSync(path) !== path) throw busy(path);
}

/**
 * Opens a regular file that is the one at its path.
 *
 * @param path Canonical.
 * @throws {Deno.errors.Busy} If something else has taken its place.
 */
export function openInPlace(path: string, options: Deno.OpenOptions = { read: true }): Deno.FsFile {
  if (!options.createNew && !Deno.lstatSync(path).isFile) throw busy(path);
  checkPlace(dirname(path));
  const file = Deno.openSync(path, options);
  try {
    checkFile(path, file.statSync());
    return file;
  } catch (error) {
    file.close();
    if (options.createNew) removeStray(path);
    throw error;
  }
}

/**
 * Makes a folder that is the one at its path. Somebody else may have made it meanwhile.
 *
 * @param path Canonical.
 * @throws {Deno.errors.Busy} If it was made elsewhere.
 */
export function makeInPlace(path: string): void {
  checkPlace(dirname(path));
  try {
    Deno.mkdirSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return;
    throw error;
  }
  try {
    checkPlace(path);
  } catch (error) {
    removeStray(path);
    throw error;
  }
}

/** Removes the empty file or folder that was made in the wrong place, through the same link: which comes and goes. */
function removeStray(path: string): void {
  for (let look = 0; look < 10 * LOOKS; look++) {
    try {
      return Deno.removeSync(path);
    } catch {
      // the folder itself stands there at the moment
    }
  }
}

/**
 * Makes sure that a file is the one at its path.
 *
 * @throws {Deno.errors.Busy} If it is not.
 */
export function checkFile(path: string, { dev, ino }: Deno.FileInfo): void {
  for (let look = 0; look < 2 * LOOKS; look++) {
    // in no order: a swap that keeps time with the looks could show each what it wants to see
    if (Math.random() < 0.5) checkPlace(path);
    else if (!isSame(Deno.lstatSync(path), { dev, ino })) throw busy(path);
  }
}

function isSame(a: Pick<Deno.FileInfo, "dev" | "ino">, b: Pick<Deno.FileInfo, "dev" | "ino">): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** What says that something has changed under our hands. */
export function busy(path: string): Deno.errors.Busy {
  return new Deno.errors.Busy(`${basename(path)} was changed by someone else at the same moment`);
}
