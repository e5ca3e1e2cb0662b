/**
 * The folder of all sessions: one file a session, and beside it a folder for what does not fit into a line.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import { join } from "../permissions/os_path.ts";
import { SessionLog } from "./session_log.ts";
import type { SessionText } from "./session_read.ts";
import type { SessionHeader } from "./session_records.ts";
import { SessionState } from "./session_state.ts";

/** A session file, seen from outside. */
export interface SessionFile {
  id: string;
  path: string;
  /** When it was last written. */
  changedAt: Date;
}

/** One session in a list. */
export interface SessionSummary {
  id: string;
  changedAt: Date;
  header?: SessionHeader;
  state: SessionState;
}

const NAME = /^([\w-]{1,64})\.jsonl$/;
/** The first line of a file is shorter than this. */
const HEADER_BYTES = 16 * 1024;
const NEWLINE = 10;

/** Finds, opens and removes sessions. Makes nothing before something is to be kept. */
export class SessionStore {
  /** Where the files are. */
  readonly folder: string;

  /** @param dataFolder Where the program keeps its data. */
  constructor(dataFolder: string) {
    this.folder = join(dataFolder, "sessions");
  }

  /** The file of a session. */
  fileOf(id: string): string {
    return join(this.folder, `${id}.jsonl`);
  }

  /** The folder of what a session keeps beside its file. */
  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** All sessions, the last used first. */
  async list(): Promise<SessionFile[]> {
    const found: Promise<SessionFile | undefined>[] = [];
    try {
      for await (const { name, isFile } of Deno.readDir(this.folder)) {
        const id = NAME.exec(name)?.[1];
        if (!isFile || id === undefined) continue;
        const path = join(this.folder, name);
        const file = Deno.stat(path).then(({ mtime }) => ({ id, path, changedAt: mtime ?? new Date(0) }));
        found.push(file.catch(() => undefined)); // removed meanwhile
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    const files = (await Promise.all(found)).filter((file) => file !== undefined);
    return files.sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime() || (a.id < b.id ? 1 : -1));
  }

  /** The last used session that belongs to a folder. */
  async newestOf(cwd: string): Promise<SessionFile | undefined> {
    for (const file of await this.list()) {
      const header = await readHeader(file.path);
      if ((header?.cwd ?? await this.#folderTold(file)) === cwd) return file;
    }
    return undefined;
  }

  /**
   * The session whose ID begins with this.
   *
   * @throws {ConfigError} If there is none, or more than one.
   */
  async find(start: string): Promise<SessionFile> {
    const found = (await this.list()).filter(({ id }) => id.startsWith(start.toLowerCase()));
    const exact = found.find(({ id }) => id === start.toLowerCase());
    if (exact) return exact;
    const [first, second] = found;
    if (!first || start === "") throw new ConfigError(`There is no session "${start}": see mini-agent sessions`);
    if (second) throw new ConfigError(`"${start}" is the start of ${found.length} sessions: write more of the ID`);
    return first;
  }

  /** What all sessions hold, the last used first. Damaged ones too. */
  async summaries(): Promise<SessionSummary[]> {
    const summaries: SessionSummary[] = [];
    for (const { id, path, changedAt } of await this.list()) {
      const { header, records } = await this.read(path);
      summaries.push({ id, changedAt, ...(header && { header }), state: SessionState.of(records) });
    }
    return summaries;
  }

  /** The folder of a session whose first line is lost, as far as its records tell. */
  async #folderTold({ path }: SessionFile): Promise<string | undefined> {
    try {
      return folderOf(await this.read(path));
    } catch {
      return undefined; // removed meanwhile, or not ours to read
    }
  }

  /** Reads a session without holding it. */
  async read(path: string): Promise<SessionText> {
    const { readSessionText } = await import("./session_read.ts"); // a new session reads none
    return readSessionText(await Deno.readFile(path));
  }

  /** Makes the empty file of a new session. */
  create(id: string): SessionLog {
    Deno.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return SessionLog.create(this.fileOf(id));
  }

  /**
   * Removes a session and all it kept.
   *
   * @throws {ConfigError} If a process is using it.
   */
  async remove({ id, path }: SessionFile): Promise<void> {
    const { log } = await SessionLog.open(path);
    using _held = log;
    await Deno.remove(path);
    await Deno.remove(this.folderOf(id), { recursive: true }).catch(ifAbsent);
  }
}

/** The folder that a session belongs to, as far as its file tells. */
export function folderOf({ header, records }: SessionText): string | undefined {
  return header?.cwd ?? records.find((record) => record.type === "prefix")?.prefix.roots[0];
}

/** The header of a session file, if it has one. */
export async function readHeader(path: string): Promise<SessionHeader | undefined> {
  try {
    using file = await Deno.open(path);
    const bytes = new Uint8Array(HEADER_BYTES);
    const length = await file.read(bytes) ?? 0;
    const { readSessionText } = await import("./session_read.ts");
    return readSessionText(bytes.subarray(0, bytes.subarray(0, length).indexOf(NEWLINE) + 1)).header;
  } catch {
    return undefined;
  }
}

function ifAbsent(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
