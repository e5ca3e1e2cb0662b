/**
 * Where trust is kept between runs: `trust.json` on the person's side, never in a project.
 *
 * @module
 */

import { writePrivateFile } from "./private_file.ts";
import { NO_TRUST, parseTrustStore, type TrustStore } from "./trust.ts";

/** What was read. */
export interface TrustFile {
  readonly store: TrustStore;
  /** Why nothing is trusted though there is a file. */
  readonly problem?: string;
}

/** Reads the store. One that cannot be read trusts nothing. */
export async function readTrustFile(path: string): Promise<TrustFile> {
  try {
    if (!(await Deno.stat(path)).isFile) throw new Error("it is not a regular file"); // a pipe would be waited for
    return { store: parseTrustStore(await Deno.readTextFile(path)) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { store: NO_TRUST };
    return { store: NO_TRUST, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Changes the store: reads it anew, so that another process's answer is kept, and puts the result in its place. A
 * damaged file is first kept beside it as `trust.json.damaged`.
 */
export async function updateTrustFile(path: string, change: (store: TrustStore) => Promise<TrustStore>): Promise<void> {
  const { store, problem } = await readTrustFile(path);
  if (problem !== undefined) await Deno.rename(path, `${path}.damaged`);
  await writePrivateFile(path, `${JSON.stringify(await change(store), null, 2)}\n`);
}
