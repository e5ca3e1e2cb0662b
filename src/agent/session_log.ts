/**
 * A session's file while it is written: records are only ever added to its end, by one process at a time.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import type { SessionText } from "./session_read.ts";

const NEWLINE = 10;

/** An open session file. The lock on it ends with the process, however that ends. */
export class SessionLog implements Disposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  /** Bytes that are known to be whole lines. */
  #size: number;
  /** Lines that the disk had no space for: they go first as soon as it has. */
  #waiting = "";
  #queue: Promise<void> = Promise.resolve();

  private constructor(path: string, file: Deno.FsFile, size: number) {
    this.path = path;
    this.#file = file;
    this.#size = size;
  }

  /**
   * Makes a new file that only its owner can read. A link that somebody has put there is not followed.
   *
   * @throws {Deno.errors.AlreadyExists} If something stands there.
   */
  static create(path: string): SessionLog {
    const file = Deno.openSync(path, { createNew: true, read: true, append: true, mode: 0o600 });
    file.tryLockSync(true);
    return new SessionLog(path, file, 0);
  }

  /**
   * Opens a file to write on, and reads it. Half a record at its end is cut away, into a copy beside it.
   *
   * @throws {ConfigError} If another process writes to it.
   */
  static async open(path: string): Promise<{ log: SessionLog; text: SessionText }> {
    const file = await Deno.open(path, { read: true, append: true });
    try {
      if (!await file.tryLock(true)) {
        throw new ConfigError("The session is in use by another process: --fork goes on with a copy of it");
      }
      const bytes = await Deno.readFile(path);
      const { readSessionText } = await import("./session_read.ts"); // a new session reads none
      const text = readSessionText(bytes);
      const log = new SessionLog(path, file, text.soundBytes);
      if (text.soundBytes < bytes.length) await log.#cutAway(bytes.subarray(text.soundBytes));
      else if (bytes.length > 0 && bytes.at(-1) !== NEWLINE) log.#waiting = "\n";
      return { log, text };
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /**
   * Adds one line, or several.
   *
   * @param line Without the line break at its end.
   * @param sync Whether it must be on the disk, and not only with the system, when this resolves.
   * @throws {Error} If it could not be written. The file is as before, and the line is written with the next one.
   */
  append(line: string, { sync }: { sync: boolean }): Promise<void> {
    this.#waiting += line + "\n";
    const done = this.#queue.then(() => this.#write(sync));
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Lets go of the file when all that was added is written. */
  async close(): Promise<void> {
    await this.#queue;
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  async #write(sync: boolean): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    const bytes = new TextEncoder().encode(text);
    try {
      for (let written = 0; written < bytes.length;) written += this.#file.writeSync(bytes.subarray(written));
      if (sync) await this.#file.syncData();
      this.#size += bytes.length;
    } catch (error) {
      this.#waiting = text + this.#waiting;
      await this.#file.truncate(this.#size).catch(() => {}); // else the reader finds half a line, and skips it
      throw error;
    }
  }

  async #cutAway(rest: Uint8Array): Promise<void> {
    const copy = `${this.path}.cut-${crypto.randomUUID()}`;
    await Deno.writeFile(copy, rest, { createNew: true, mode: 0o600 });
    await this.#file.truncate(this.#size);
  }
}
