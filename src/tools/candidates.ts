/**
 * Takes the files of a search in portions, and sifts them where that saves time.
 *
 * @module
 */

import type { FileFilter } from "./ripgrep.ts";
import type { TimeSlices } from "./time_slices.ts";

/** So many files are searched before a process is worth its start. */
const PORTION = 300;
/** Characters of paths for the first process: later ones get twice as many each, up to what a system allows. */
const FIRST_CHARS = 24_000;
const MAX_CHARS = Deno.build.os === "windows" ? FIRST_CHARS : 600_000;

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
  options: CandidateOptions,
): AsyncGenerator<readonly string[], void> {
  const takeNext = () => take(files, { maxFiles: PORTION, maxChars: Infinity }, options.slices);
  let portion = await takeNext();
  yield portion;
  if (portion.length < PORTION) return;
  const filter = await options.openFilter();
  if (filter) return yield* sift(files, filter, options);
  while ((portion = await takeNext()).length > 0) yield portion;
}

/** Filters one portion while the next is taken and the last is searched. */
async function* sift(
  files: Iterator<string>,
  filter: FileFilter,
  { slices, signal }: CandidateOptions,
): AsyncGenerator<readonly string[], void> {
  const stop = new AbortController();
  let maxChars = FIRST_CHARS;
  const start = async () => {
    const portion = await take(files, { maxFiles: Infinity, maxChars }, slices);
    if (portion.length === 0) return undefined;
    maxChars = Math.min(maxChars * 2, MAX_CHARS);
    const sifted = filter(portion, AbortSignal.any([signal, stop.signal]));
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

async function take(
  files: Iterator<string>,
  { maxFiles, maxChars }: { maxFiles: number; maxChars: number },
  slices: TimeSlices,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (let chars = 0; taken.length < maxFiles && chars < maxChars;) {
    const { done, value } = files.next();
    if (done) break;
    taken.push(value);
    chars += value.length + 1;
    if (slices.isOver && !await slices.pause()) break;
  }
  return taken;
}
