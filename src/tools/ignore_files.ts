/**
 * Where the rules of git are read from: `.gitignore` and `.git/info/exclude`. The person's own excludes file is not
 * read: it lies outside the workspace and says nothing about the project.
 *
 * @module
 */

import { dirname } from "../permissions/os_path.ts";
import { isWithin } from "../permissions/paths.ts";
import { IgnoreRules } from "./ignore.ts";
import { isUnreadable, prefixOf, toSlashes } from "./tree_access.ts";

/** Rules beyond this are not read. */
const MAX_BYTES = 262_144;

/**
 * Reads an ignore file.
 *
 * @returns Nothing if it is not there, not a regular file or cannot be read.
 */
export function readIgnoreFile(path: string): string | undefined {
  try {
    // git follows no link here either
    if (!Deno.lstatSync(path).isFile) return undefined;
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(MAX_BYTES);
    let length = 0;
    for (let read; (read = file.readSync(bytes.subarray(length))) !== null && read > 0;) length += read;
    return new TextDecoder().decode(bytes.subarray(0, length));
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** The rules that a repository keeps to itself. Only for a `.git` that is a folder: others lead elsewhere. */
export function repositoryRules(folder: string): IgnoreRules | undefined {
  const text = readIgnoreFile(`${prefixOf(folder)}.git/info/exclude`);
  return text === undefined ? undefined : new IgnoreRules(text, folder);
}

/**
 * The rules that hold in a folder, its own `.gitignore` left out: those from the repository's root down or, where
 * there is no repository, from the workspace's root down.
 *
 * @param folder Canonical.
 * @param roots Of the workspace, canonical.
 */
export function rulesAbove(folder: string, roots: readonly string[]): IgnoreRules | undefined {
  const above: string[] = []; // from the folder up
  let repository = -1;
  for (let path = folder; isReadable(path); path = dirname(path)) {
    above.push(path);
    if (exists(`${prefixOf(toSlashes(path))}.git`)) {
      repository = above.length - 1;
      break;
    }
    if (dirname(path) === path) break;
  }
  const outermost = repository >= 0
    ? repository
    : above.findLastIndex((path) => roots.some((root) => isWithin(path, root)));
  let rules: IgnoreRules | undefined;
  for (let i = outermost; i >= 0; i--) {
    const path = toSlashes(above[i]!);
    if (i === repository) rules = repositoryRules(path);
    const text = i > 0 ? readIgnoreFile(`${prefixOf(path)}.gitignore`) : undefined;
    if (text !== undefined) rules = new IgnoreRules(text, path, rules);
  }
  return rules;
}

/** Whether Deno lets us read there: asked before anything that might put a question to the person. */
function isReadable(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}
