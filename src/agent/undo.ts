/**
 * Takes back what our tools did to files. A file that somebody else has changed since is left alone and named.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { contentHash } from "../tools/content_hash.ts";
import { writeAtomically } from "../tools/atomic_write.ts";
import type { Session } from "./session.ts";
import type { FileBefore } from "./session_records.ts";
import type { Change } from "./session_state.ts";

/** What came of it. */
export interface UndoReport {
  /** Paths that are again as they were. */
  restored: string[];
  /** Those of them that are gone again. */
  removed: string[];
  /** Paths that were left alone, and why. */
  refused: { path: string; reason: string }[];
  /** Files that commands changed in these turns: nobody kept what they were. */
  byCommands: string[];
}

/** All changes of one file: from what it was to what we left. */
export interface FileChange {
  path: string;
  before: FileBefore;
  /** Absent if it is not known whether the last change was made. */
  after?: string;
}

/** The last turn whose changes to files have not been taken back; undefined if there is none. */
export function lastChangedTurn({ state }: Session): number | undefined {
  return state.changes.findLast(({ undone }) => !undone)?.turn;
}

/** Takes back the changes of a turn and of all that followed. */
export async function undoFrom(session: Session, fromTurn: number): Promise<UndoReport> {
  const { changes, touched } = session.state;
  const files = byFile(changes.filter(({ turn, undone }) => !undone && turn >= fromTurn));
  const report: UndoReport = { restored: [], removed: [], refused: [], byCommands: [] };
  for (const file of files) {
    const reason = await restore(session, file);
    if (reason !== undefined) report.refused.push({ path: file.path, reason });
    else report.restored.push(file.path);
    if (reason === undefined && file.before === null) report.removed.push(file.path);
  }
  if (report.restored.length > 0) await session.add({ type: "undo", fromTurn, paths: report.restored });
  const known = new Set(files.map(({ path }) => path));
  const named = touched.filter(({ turn }) => turn >= fromTurn).flatMap(({ paths }) => paths);
  report.byCommands = [...new Set(named)].filter((path) => !known.has(path));
  return report;
}

/** What the session has changed so far and not taken back, file by file. */
export function changedFiles({ state }: Session): FileChange[] {
  return byFile(state.changes.filter(({ undone }) => !undone));
}

/** Joins the changes of each file, which are in order. */
function byFile(changes: readonly Change[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const { path, before, after } of changes) {
    const first = files.get(path);
    files.set(path, { path, before: first ? first.before : before, ...(after !== undefined && { after }) });
  }
  return [...files.values()];
}

/** Returns why the file was left alone; nothing if it is as it was. */
async function restore(session: Session, { path, before, after }: FileChange): Promise<string | undefined> {
  try {
    for (const name of ["read", "write"] as const) {
      if (!isHeld({ name, path })) return `no --allow-${name}=${path}`;
    }
    const now = await readNow(path);
    if (now?.hash === before?.hash) return undefined;
    if (now?.hash !== after) return "it has been changed since by someone else";
    if (before === null) {
      await Deno.remove(path);
      return undefined;
    }
    const bytes = await session.contentBefore(before);
    if (!bytes) return "its earlier content is not kept any more";
    await writeAtomically(path, bytes, now?.info);
    if (!now && before.mode !== null) await Deno.chmod(path, before.mode & 0o7777);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/ \(os error \d+\).*$/s, "") : String(error);
  }
}

async function readNow(path: string): Promise<{ hash: string; info: Deno.FileInfo } | undefined> {
  try {
    const info = await Deno.lstat(path);
    if (!info.isFile) throw new Error("it is no ordinary file any more");
    return { hash: await contentHash(await Deno.readFile(path)), info };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
