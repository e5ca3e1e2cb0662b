/**
 * Finds out which files a command has changed, by size and time, so that a person who takes changes back is told of
 * them. It names them; it does not keep them.
 *
 * @module
 */

import { join } from "../permissions/os_path.ts";
import { TimeSlices } from "../tools/time_slices.ts";
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
const MAX_FILES = 2000;
const MAX_MS = 60;
const MAX_NAMED = 50;
/** What commands write all the time, and nobody takes back. */
const PASSED_BY = new Set([".git", "node_modules", ".venv", "target", "__pycache__"]);

/** Path to size and time of all files; undefined if there are too many. Sliced: a call for each file would cost more. */
async function snapshot(folder: string): Promise<Map<string, string> | undefined> {
  const slices = new TimeSlices(new AbortController().signal, MAX_MS);
  const files = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const { name, isDirectory, isFile } of entriesOf(at)) {
      const path = join(at, name);
      if (isDirectory && !PASSED_BY.has(name)) folders.push(path);
      const mark = isFile ? markOf(path) : undefined;
      if (mark !== undefined) files.set(path, mark);
      if (files.size > MAX_FILES || (slices.isOver && !await slices.pause())) return undefined;
    }
  }
  return files;
}

/** None where the folder is gone, or not ours to read. */
function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

function markOf(file: string): string | undefined {
  try {
    const { size, mtime, ino } = Deno.statSync(file);
    return `${size} ${mtime?.getTime()} ${ino}`;
  } catch {
    return undefined;
  }
}
