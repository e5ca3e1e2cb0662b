/**
 * What to tell a model whose edit cannot be made, so that its next try can.
 *
 * @module
 */

import { closestPlace } from "./closest_place.ts";
import { lookalikes } from "./lookalikes.ts";
import type { Found, Tolerance } from "./match.ts";
import { cutText, excerpt, hasLineNumbers, lineNumberAt, type Span } from "./numbered_lines.ts";

/** What a model asks for. */
export interface TextEdit {
  /** Not empty. */
  readonly wanted: string;
  readonly replacement: string;
  readonly all: boolean;
  /** Whether the model may see what else is in the text. */
  readonly isShown: boolean;
}

const MAX_LISTED_LINES = 10;
const MAX_PLACE_CHARS = 4000;
const MIN_TELLING_CHARS = 4;

/** In what the place differs from `old_string`, in words. */
export const difference: Record<Exclude<Tolerance, "exact">, string> = {
  line_ends: "line ends",
  trailing_blanks: "blanks at the ends of lines",
  indentation: "indentation",
};

/** Why the edit cannot be made, as the rest of a sentence; `undefined` if it can. */
export function editProblem(text: string, edit: TextEdit, found: Found | undefined): string | undefined {
  if (!found) return notFound(text, edit);
  const { tolerance, places } = found;
  const isClose = tolerance === "exact" || tolerance === "line_ends";
  if (edit.all) return isClose ? undefined : notFound(text, edit);
  if (places.length === 1) return undefined;
  const where = listLines(text, places.map((place) => place.start));
  if (isClose) {
    return `old_string occurs ${places.length} times, in ${where}: ` +
      "take more of the lines around it into old_string, or set replace_all";
  }
  return `old_string is not found exactly, and ${places.length} places differ from it only in ${
    difference[tolerance]
  }, ` +
    `in ${where}: copy the one that is meant exactly, with more of the lines around it`;
}

/** Why a place cannot be used whose new lines would have to be indented by guessing. */
export function indentationProblem(text: string, { place, isShown }: { place: Span; isShown: boolean }): string {
  const problem = "old_string is indented otherwise in the file: copy it exactly";
  return isShown ? `${problem}\n${cutText(excerpt(text, place, 0), MAX_PLACE_CHARS)}` : problem;
}

function notFound(text: string, { wanted, replacement, isShown }: TextEdit): string {
  if (hasLineNumbers(wanted)) {
    return 'old_string is not found: it holds the line numbers of read_file ("12→"), leave them out';
  }
  if (/⟨U\+[0-9A-F]{4,6}⟩/.test(wanted)) {
    return "old_string is not found: give a character that is shown as ⟨U+001B⟩ as itself (\\u001b)";
  }
  if (!isShown) return "old_string is not found, and the file may hold secrets: read it first, with the user's consent";
  // a short text is in many files by chance
  const done = replacement.trim().length < MIN_TELLING_CHARS ? -1 : text.indexOf(replacement);
  const already = done === -1 ? "" : `; new_string is there already, in line ${lineNumberAt(text, done)}`;
  const closest = closestPlace(text, wanted);
  if (!closest) return `old_string is not found${already}, nor anything like it: read the file again`;
  const [first, last] = [lineNumberAt(text, closest.start), lineNumberAt(text, closest.end)];
  const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
  const alike = lookalikes(text.slice(closest.start, closest.end), wanted);
  return `old_string is not found${already}. The closest place, ${lines}${alike ? ` (${alike})` : ""}:\n` +
    cutText(excerpt(text, closest, 0), MAX_PLACE_CHARS);
}

function listLines(text: string, starts: readonly number[]): string {
  const numbers = starts.slice(0, MAX_LISTED_LINES).map((start) => lineNumberAt(text, start));
  const left = starts.length - numbers.length;
  return `lines ${numbers.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
