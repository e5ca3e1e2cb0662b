/**
 * What a session keeps that does not fit into a line: outputs that were cut for the model, and files as they were
 * before a change. Named by what they hold, so the same content is kept once.
 *
 * @module
 */

import { join } from "../permissions/os_path.ts";
import { contentHash } from "../tools/content_hash.ts";

/** Keeps contents and gives them back. */
export interface Keeper {
  /** Keeps bytes and returns their SHA-256. */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /** The bytes that were kept under a hash; undefined if they are not there, or damaged. */
  get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Keeps contents for as long as the process lives. */
export class MemoryKeeper implements Keeper {
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>();

  async put(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = await contentHash(bytes);
    this.#kept.set(hash, bytes);
    return hash;
  }

  get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve(this.#kept.get(hash));
  }
}

/** Keeps contents in a folder that only its owner can read. The folder is made when it is needed. */
export class FolderKeeper implements Keeper {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async put(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = await contentHash(bytes);
    if (await this.get(hash)) return hash;
    await Deno.mkdir(this.folder, { recursive: true, mode: 0o700 });
    // whole or not at all, under its name: a crash must leave no half of it
    const temporary = join(this.folder, `.${crypto.randomUUID()}.tmp`);
    try {
      using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
      for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      await file.syncData();
      await Deno.rename(temporary, this.pathOf(hash));
    } catch (error) {
      await Deno.remove(temporary).catch(() => {}); // the first error is the one to tell
      throw error;
    }
    return hash;
  }

  async get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    try {
      const bytes = await Deno.readFile(this.pathOf(hash));
      return await contentHash(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Where the content of a hash is kept. */
  pathOf(hash: string): string {
    return join(this.folder, hash);
  }
}
