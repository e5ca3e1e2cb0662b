/**
 * Finds out which files a command has changed, by size and time, so that a person who takes changes back is told of
 * them. It names them; it does not keep them.
 *
 * @module
 */

import { join } from "../permissions/os_path.ts";
import type { AgentRecord } from "./records.ts";
import type { SessionEvent } from "./session_records.ts";

/** Looks at a folder before and after commands. */
export class CommandWatch {
  readonly #folder: string;
  #before: { id: string; files: Map<string, string> } | undefined;

  /** @param folder Canonical working folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A call is about to run. */
  async before({ id, name }: Extract<AgentRecord, { type: "intent" }>): Promise<void> {
    const files = name === "run_command" ? await snapshot(this.#folder) : undefined;
    this.#before = files && { id, files };
  }

  /** The call has ended. Tells which files are not what they were; undefined if all are, or if it cannot be told. */
  async after(id: string): Promise<Extract<SessionEvent, { type: "touched" }> | undefined> {
    if (this.#before?.id !== id) return undefined;
    const { files: before } = this.#before;
    this.#before = undefined;
    const after = await snapshot(this.#folder);
    if (!after) return undefined;
    const changed = [...after].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path);
    const removed = [...before.keys()].filter((path) => !after.has(path));
    const paths = [...changed, ...removed].sort();
    if (paths.length === 0) return undefined;
    return { type: "touched", paths: paths.slice(0, MAX_NAMED), more: Math.max(0, paths.length - MAX_NAMED) };
  }
}

/** Files that are looked at; a larger folder is not watched at all. */
const MAX_FILES = 5000;
const MAX_MS = 150;
const MAX_NAMED = 50;
/** What commands write all the time, and nobody takes back. */
const PASSED_BY = new Set([".git", "node_modules", ".venv", "target", "__pycache__"]);

/** Path to size and time of all files; undefined if there are too many. */
async function snapshot(folder: string): Promise<Map<string, string> | undefined> {
  const until = performance.now() + MAX_MS;
  const files = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const names: string[] = [];
    try {
      for await (const { name, isDirectory, isFile } of Deno.readDir(at)) {
        if (isDirectory && !PASSED_BY.has(name)) folders.push(join(at, name));
        if (isFile) names.push(join(at, name));
      }
    } catch {
      continue; // gone, or not ours to read
    }
    if (files.size + names.length > MAX_FILES || performance.now() > until) return undefined;
    const marks = await Promise.all(names.map((name) => Deno.stat(name).catch(() => undefined)));
    names.forEach((name, i) => {
      const info = marks[i];
      if (info) files.set(name, `${info.size} ${info.mtime?.getTime()} ${info.ino}`);
    });
  }
  return files;
}
