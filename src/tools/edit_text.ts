/**
 * An edit of a text, apart from any file.
 *
 * @module
 */

import { hasCrLines } from "./cr_lines.ts";
import { editProblem, indentationProblem, type TextEdit } from "./edit_problem.ts";
import { findPlaces, type Tolerance, withoutOverlaps } from "./match.ts";
import type { Span } from "./numbered_lines.ts";
import { replacementFitter } from "./replacement.ts";

/** A text after an edit. */
export interface EditedText {
  readonly text: string;
  /** Where the new pieces are. */
  readonly changed: readonly Span[];
  /** How far the place differed from what was asked for. */
  readonly tolerance: Tolerance;
}

/**
 * Replaces the one place of a text, or all of them.
 *
 * @returns The edited text, or why it cannot be edited, as the rest of a sentence for the model.
 */
export function editText(before: string, edit: TextEdit): EditedText | string {
  return hasCrLines(before) ? editCrLines(before, edit) : editLines(before, edit);
}

function editCrLines(before: string, edit: TextEdit): EditedText | string {
  const edited = editLines(before.replaceAll("\r", "\n"), {
    ...edit,
    wanted: edit.wanted.replace(/\r\n?/g, "\n"),
    replacement: edit.replacement.replace(/\r\n?/g, "\n"),
  });
  return typeof edited === "string" ? edited : { ...edited, text: edited.text.replaceAll("\n", "\r") };
}

function editLines(before: string, edit: TextEdit): EditedText | string {
  const found = findPlaces(before, edit.wanted);
  const problem = editProblem(before, edit, found);
  if (!found || problem !== undefined) return problem ?? "old_string is not found";
  const fit = replacementFitter(before, { ...edit, tolerance: found.tolerance });
  const changed: Span[] = [];
  let text = "";
  let end = 0;
  for (const place of withoutOverlaps(found.places)) {
    const fitted = fit(place);
    if (fitted === undefined) return indentationProblem(before, { ...edit, place });
    text += before.slice(end, place.start);
    changed.push({ start: text.length, end: text.length + fitted.length });
    text += fitted;
    end = place.end;
  }
  return { text: text + before.slice(end), changed, tolerance: found.tolerance };
}
