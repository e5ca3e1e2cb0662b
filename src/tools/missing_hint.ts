/**
 * What to say of a path where nothing is, so that the next try finds what was meant.
 *
 * @module
 */

import { basename, dirname, join } from "../permissions/os_path.ts";
import { isWithin, quotePath } from "../permissions/paths.ts";
import { nearest } from "./nearest.ts";
import { shownPath } from "./start_point.ts";

/** Entries of a folder that are compared. */
const MAX_NAMES = 2000;
const MAX_CHANGES = 2;

/**
 * Looks for what a path probably means: the same name without a line number or quotes, in another case, or with a
 * letter more or less.
 *
 * @param path Canonical; nothing is there.
 * @returns The rest of a sentence.
 */
export async function missingHint(path: string, cwd: string): Promise<string> {
  if (isWithin(cwd, path)) return ": the working folder itself is gone, write_file makes it again";
  const folder = dirname(path);
  const names = await namesIn(folder);
  if (names === "absent" && isWithin(cwd, folder)) return ": the working folder itself is gone";
  if (names === "absent") return `, nor the folder ${quotePath(shownPath(folder, cwd))}: look with list_files`;
  const meant = names && nameMeant(basename(path), names);
  if (meant === undefined) return "; look for it with find_files";
  return `; did you mean ${quotePath(shownPath(join(folder, meant), cwd))}?`;
}

function nameMeant(given: string, names: readonly string[]): string | undefined {
  const bare = given.replace(/(?::\d+){1,2}$|#L?\d.*$/, "").trim().replace(/^(["'`])(.+)\1$/, "$2");
  const folded = fold(bare);
  return names.find((name) => name === bare) ?? names.find((name) => fold(name) === folded) ??
    nearest(bare, names, MAX_CHANGES);
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Nothing where they cannot be told, or not without a question to the person. */
async function namesIn(folder: string): Promise<string[] | "absent" | undefined> {
  if ((await Deno.permissions.query({ name: "read", path: folder })).state !== "granted") return undefined;
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (names.push(name) >= MAX_NAMES) break;
    }
    return names;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "absent" : undefined;
  }
}
