/**
 * Cuts what is too long for the model, and says how to read on.
 *
 * @module
 */

import { TimeSlices } from "./time_slices.ts";

/** Characters that a tool's output has at most. */
export const MAX_OUTPUT_CHARS = 30_000;

/** What the note about the missing part takes at most, a long path included. */
const NOTE_CHARS = 600;
/** A cut falls on a line break that is not further away than this. */
const MAX_DISTANCE = 500;

/** How a text is cut. */
export interface CutOptions {
  /** Characters of the result at most, the note included: at least 1000. */
  readonly maxChars: number;
  /** Ends the work when it aborts. */
  readonly signal: AbortSignal;
  /** Keeps the whole text and gives the path to read it at, if it could be kept. */
  readonly keep: (text: string) => Promise<string | undefined>;
}

/**
 * Gives a text as it is, or its beginning and its end with a note between them. Cuts between lines where it can, and
 * never through a character.
 *
 * @throws The signal's reason when it aborts.
 */
export async function truncate(text: string, { maxChars, keep, signal }: CutOptions): Promise<string> {
  if (text.length <= maxChars) return text;
  const half = Math.floor((maxChars - NOTE_CHARS) / 2);
  const headEnd = endOfHead(text, half);
  const tailStart = startOfTail(text, text.length - half);
  const missing = text.slice(headEnd, tailStart);
  const lines = await countBreaks(missing, signal) + (missing.endsWith("\n") ? 0 : 1);
  const path = await keep(text);
  const line = await countBreaks(text.slice(0, headEnd), signal) + 1;
  const kept = path === undefined ? "" : `; all of it is in ${path}: read_file with offset ${line} goes on here`;
  const note = `[${missing.length} characters in ${lines} ${lines === 1 ? "line" : "lines"} left out${kept}]`;
  const before = text.charAt(headEnd - 1) === "\n" ? "" : "\n";
  return `${text.slice(0, headEnd)}${before}${note}\n${text.slice(tailStart)}`;
}

function endOfHead(text: string, at: number): number {
  const lineEnd = text.lastIndexOf("\n", at - 1) + 1;
  return at - lineEnd <= MAX_DISTANCE ? lineEnd : beforePair(text, at);
}

function startOfTail(text: string, at: number): number {
  const lineStart = text.indexOf("\n", at - 1) + 1;
  if (lineStart > 0 && lineStart - at <= MAX_DISTANCE && lineStart < text.length) return lineStart;
  const pairStart = beforePair(text, at);
  return pairStart === at ? at : at + 1;
}

/** The place itself, or the one before it if it lies in the middle of a surrogate pair. */
function beforePair(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

async function countBreaks(text: string, signal: AbortSignal): Promise<number> {
  const slices = new TimeSlices(signal);
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++count % 100_000 === 0 && slices.isOver) await slices.pause();
  }
  return count;
}
