/**
 * Where a tool that looks through a tree begins, and how it names what it finds.
 *
 * @module
 */

import { confine, quotePath } from "../permissions/paths.ts";
import { prefixOf, toSlashes } from "./tree_access.ts";
import { type ToolContext, ToolError } from "./tool.ts";

/** A file or folder that may be read. */
export interface StartPoint {
  /** Canonical. */
  readonly path: string;
  readonly type: "file" | "folder";
}

/**
 * Finds the file or folder that a call is about.
 *
 * @throws {PathError} If it may not be read.
 * @throws {ToolError} If it is not there.
 */
export async function findStart(given: string, context: ToolContext): Promise<StartPoint> {
  const { path, type } = await confine(given, "read", context);
  const refuse = (reason: string) => new ToolError(`Cannot look through ${quotePath(given)}: ${reason}`);
  if (type === "absent" || type === "other") {
    const { missingHint } = await import("./missing_hint.ts");
    throw refuse(`there is no such file or folder${await missingHint(path, context.cwd)}`);
  }
  // a scoped grant may reach some of its files only; looking at the others would put a question to the person
  if ((await Deno.permissions.query({ name: "read", path })).state !== "granted") {
    throw refuse("Deno holds no permission to read it (--allow-read)");
  }
  return { path, type };
}

/** Like {@linkcode findStart}, for a folder. */
export async function findStartFolder(given: string, context: ToolContext): Promise<string> {
  const { path, type } = await findStart(given, context);
  if (type === "file") throw new ToolError(`Cannot look through ${quotePath(given)}: it is a file, not a folder`);
  return path;
}

/** A path as the model may use it in its next call: relative to the working folder, where it lies in it. */
export function shownPath(path: string, cwd: string): string {
  const prefix = prefixOf(toSlashes(cwd));
  const relative = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return shownName(relative);
}

/** A name as it may stand in a line: in quotes and escaped, if it holds anything invisible or a blank at an end. */
export function shownName(name: string): string {
  return /^\s|\s$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name) ? quotePath(name) : name;
}
