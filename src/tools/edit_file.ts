import { confine, quotePath } from "../permissions/paths.ts";
import { changeDisplay } from "./change_display.ts";
import description from "./edit_file.md" with { type: "text" };
import { difference, editProblem } from "./edit_problem.ts";
import { changeFile, checkApproved, openTarget, type Target } from "./file_change.ts";
import { findPlaces, type Tolerance, withoutOverlaps } from "./match.ts";
import { excerpt, type Span } from "./numbered_lines.ts";
import { replacementFitter } from "./replacement.ts";
import { defineTool, type Display, type ToolContext, ToolError } from "./tool.ts";

interface EditInput {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

/** A text after an edit. */
interface EditedText {
  readonly text: string;
  /** Where the new pieces are. */
  readonly changed: readonly Span[];
  readonly tolerance: Tolerance;
}

/** An edit that is worked out and not yet made. */
interface PlannedEdit extends EditedText {
  readonly target: Target;
  readonly display: Display;
}

/** Further places that were changed are counted and not shown. */
const maxShownPlaces = 5;

/**
 * Replaces a piece of a text file that is found in one place only. All other bytes stay as they are.
 *
 * @throws {ToolError} If the piece is not found, or is found more than once without `replace_all`.
 */
export const editFile = defineTool({
  name: "edit_file",
  description,
  access: "write",
  needs: ["read", "write"],
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      old_string: { type: "string", description: "Without line numbers" },
      new_string: { type: "string" },
      replace_all: { type: "boolean", description: "Replace every occurrence" },
    },
    required: ["path", "old_string", "new_string"],
  },
  subject: ({ path }) => path,
  preview: async (input, context) => (await planEdit(input, context)).display,
  async execute(input, context) {
    const edit = await planEdit(input, context);
    checkApproved(edit.display, edit.target, context);
    const seen = await changeFile(edit.target, edit.text, context);
    return { content: report(edit), display: edit.display, seen: [seen] };
  },
});

async function planEdit(input: EditInput, context: ToolContext): Promise<PlannedEdit> {
  const refuse = (reason: string) => new ToolError(`Cannot edit ${quotePath(input.path)}: ${reason}`);
  if (input.old_string === input.new_string) throw refuse("old_string and new_string are the same");
  await confine(input.path, "read", context); // the answer shows what stands around the place
  const target = await openTarget(input.path, context);
  const before = target.file?.text ?? "";
  if (input.old_string !== "" && !target.file) throw refuse("there is no such file");
  if (input.old_string === "" && before !== "") throw refuse("old_string is empty: give the text to replace");
  const edited = input.old_string === "" ? fillFile(input.new_string) : editText(before, input, refuse);
  if (edited.text === before) throw refuse("new_string would leave the file as it is");
  return { ...edited, target, display: changeDisplay(input.path, before, edited.text) };
}

function fillFile(text: string): EditedText {
  return { text, changed: [{ start: 0, end: text.length }], tolerance: "exact" };
}

function editText(before: string, input: EditInput, refuse: (reason: string) => ToolError): EditedText {
  const { old_string: wanted, new_string: replacement, replace_all: all = false } = input;
  const found = findPlaces(before, wanted);
  const problem = editProblem(before, { wanted, replacement, all, found });
  if (!found || problem !== undefined) throw refuse(problem ?? "old_string is not found");
  const fit = replacementFitter(before, { wanted, replacement, tolerance: found.tolerance });
  const pieces: string[] = [];
  const changed: Span[] = [];
  let end = 0;
  let length = 0;
  const append = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const place of withoutOverlaps(found.places)) {
    const fitted = fit(place);
    if (fitted === undefined) {
      throw refuse(`old_string is indented otherwise in the file, copy it exactly:\n${excerpt(before, place, 0)}`);
    }
    append(before.slice(end, place.start));
    changed.push({ start: length, end: length + fitted.length });
    append(fitted);
    end = place.end;
  }
  append(before.slice(end));
  return { text: pieces.join(""), changed, tolerance: found.tolerance };
}

function report({ target, text, changed, tolerance }: PlannedEdit): string {
  const verb = target.file ? "Edited" : "Created";
  const count = changed.length > 1 ? `, ${changed.length} places` : "";
  const note = tolerance === "exact" ? "" : `; old_string differed in ${difference[tolerance]}`;
  const shown = changed.slice(0, maxShownPlaces).map((span) => excerpt(text, span, 3));
  const left = changed.length - shown.length;
  return [
    `${verb} ${quotePath(target.given)}${count}${note}`,
    shown.join("\n(…)\n"),
    ...(left > 0 ? [`(${left} more places)`] : []),
  ].join("\n");
}
