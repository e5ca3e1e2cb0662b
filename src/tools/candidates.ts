/**
 * Takes the files of a search in portions, and sifts them where that saves time.
 *
 * @module
 */

import type { FileFilter } from "./ripgrep.ts";
import type { TimeSlices } from "./time_slices.ts";

/** So many files are searched before a process is worth its start. */
const PORTION = 300;
/** Characters of file names that a command line holds on each of the systems. */
const MAX_CHARS = Deno.build.os === "windows" ? 24_000 : 200_000;

/** How candidates are found. */
export interface CandidateOptions {
  /** Called when there are many files. */
  openFilter(): Promise<FileFilter | undefined>;
  readonly slices: TimeSlices;
  readonly signal: AbortSignal;
}

/** Gives the files of a search, in their order; with a filter only those that it leaves. */
export async function* candidates(
  files: Iterator<string>,
  { openFilter, slices, signal }: CandidateOptions,
): AsyncGenerator<readonly string[], void> {
  const first = await take(files, PORTION, slices);
  yield first;
  if (first.length < PORTION) return;
  const filter = await openFilter();
  if (filter) return yield* sift(() => take(files, Infinity, slices), filter, signal);
  for (let next = await take(files, PORTION, slices); next.length > 0; next = await take(files, PORTION, slices)) {
    yield next;
  }
}

/** Filters one portion while the next is taken and the last is searched. */
async function* sift(
  takeNext: () => Promise<readonly string[]>,
  filter: FileFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  const stop = new AbortController();
  const start = async () => {
    const files = await takeNext();
    if (files.length === 0) return undefined;
    const sifted = filter(files, AbortSignal.any([signal, stop.signal]));
    sifted.catch(() => {}); // it is awaited later, or not at all
    return { sifted };
  };
  try {
    for (let current = await start(); current !== undefined;) {
      const next = await start();
      yield await current.sifted;
      current = next;
    }
  } finally {
    stop.abort();
  }
}

async function take(files: Iterator<string>, maxFiles: number, slices: TimeSlices): Promise<readonly string[]> {
  const taken: string[] = [];
  for (let chars = 0; taken.length < maxFiles && chars < MAX_CHARS;) {
    const { done, value } = files.next();
    if (done) break;
    taken.push(value);
    chars += value.length + 1;
    if (slices.isOver && !await slices.pause()) break;
  }
  return taken;
}
