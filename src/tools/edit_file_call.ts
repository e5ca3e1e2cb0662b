import { quotePath } from "../permissions/paths.ts";
import { changeDisplay } from "./change_display.ts";
import { contentHash } from "./content_hash.ts";
import { withLineFeeds } from "./cr_lines.ts";
import { difference } from "./edit_problem.ts";
import { type EditedText, editText } from "./edit_text.ts";
import { changeFile, checkApproved, openTarget, type Target } from "./file_change.ts";
import { missingHint } from "./missing_hint.ts";
import { excerpt, lineNumberAt, type Span } from "./numbered_lines.ts";
import { type Display, type SeenFile, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** What `edit_file` is given. */
export interface EditFileInput {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

/** An edit that is worked out and not yet made. */
interface PlannedEdit extends EditedText {
  readonly target: Target;
  readonly display: Display;
  /** Whether the model may see what else is in the file. */
  readonly isShown: boolean;
}

/** Further places that were changed are counted and not shown. */
const MAX_SHOWN_PLACES = 5;
const CONTEXT_LINES = 3;

/** Runs one call of `edit_file`. */
export async function call(input: EditFileInput, context: ToolContext): Promise<ToolOutput> {
  const edit = await planEdit(input, context);
  checkApproved(edit.display, edit.target, context);
  const wasKnown = await isKnown(edit.target, context);
  const file = await changeFile(edit.target, edit.text, context);
  const seen = [wasKnown ? file : { ...file, page: changedLines(edit) }];
  return { content: report(edit), display: edit.display, ...(edit.isShown && { seen }) };
}

/** What the call would do. */
export async function preview(input: EditFileInput, context: ToolContext): Promise<Display> {
  return (await planEdit(input, context)).display;
}

async function planEdit(input: EditFileInput, context: ToolContext): Promise<PlannedEdit> {
  const { path, replace_all: all = false } = input;
  const refuse = (reason: string) => new ToolError(`Cannot edit ${quotePath(path)}: ${reason}`);
  if (input.old_string === input.new_string) throw refuse("old_string and new_string are the same");
  const target = await openTarget(path, context);
  // a mark that the file has is none of its text: it is kept, and not doubled
  const ofText = (given: string) => target.file?.bom ? given.replace(/^\uFEFF/, "") : given;
  const [wanted, replacement] = [ofText(input.old_string), ofText(input.new_string)];
  const before = target.file?.text ?? "";
  // the consent to a change is none to read a secret
  const isShown = !target.isSecret || !target.file || context.seen.has(target.path);
  if (wanted !== "" && !target.file) {
    throw refuse(`there is no such file${await missingHint(target.path, context.cwd)}`);
  }
  if (wanted === "" && before !== "") throw refuse("old_string is empty: give the text to replace");
  const edited = wanted === "" ? fillFile(replacement) : editText(before, { wanted, replacement, all, isShown });
  if (typeof edited === "string") throw refuse(edited);
  if (edited.text === before) throw refuse("new_string would leave the file as it is");
  return {
    ...edited,
    target,
    isShown,
    display: changeDisplay(path, withLineFeeds(before), withLineFeeds(edited.text)),
  };
}

/** Whether the model knows all that the file held before. */
async function isKnown({ path, file }: Target, { seen }: ToolContext): Promise<boolean> {
  return !file || file.bytes.length === 0 || seen.get(path) === await contentHash(file.bytes);
}

/** The lines of the first place: whoever edits a file that it has not read knows little more of it. */
function changedLines({ text, changed: [place] }: EditedText): NonNullable<SeenFile["page"]> {
  const lines = withLineFeeds(text);
  const lineOf = (index: number) => lineNumberAt(lines, Math.max(0, index));
  const { start, end } = place!;
  return { first: lineOf(start), last: lineOf(Math.max(start, end - 1)), total: lineOf(lines.length - 1) };
}

function fillFile(text: string): EditedText {
  return { text, changed: [{ start: 0, end: text.length }], tolerance: "exact" };
}

function report({ target, text, changed, tolerance, isShown }: PlannedEdit): string {
  const verb = target.file ? "Edited" : "Created";
  const count = changed.length > 1 ? `, ${changed.length} places` : "";
  const note = tolerance === "exact" ? "" : `; old_string differed in ${difference[tolerance]}`;
  const done = `${verb} ${quotePath(target.given)}${count}${note}`;
  if (!isShown) return done;
  if (text === "") return `${done}; it is empty now`;
  const lines = withLineFeeds(text);
  const shown = joined(lines, changed.slice(0, MAX_SHOWN_PLACES)).map((span) => excerpt(lines, span, CONTEXT_LINES));
  const left = changed.length - MAX_SHOWN_PLACES;
  return [done, shown.join("\n(…)\n"), ...(left > 0 ? [`(${left} more places)`] : [])].join("\n");
}

/** Places with hardly a line between them as one: no line is shown twice. */
function joined(text: string, places: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const place of places) {
    const last = spans.at(-1);
    const between = last && text.slice(last.end, place.start).split("\n").length - 1;
    if (last && between! <= 2 * CONTEXT_LINES) spans[spans.length - 1] = { start: last.start, end: place.end };
    else spans.push(place);
  }
  return spans;
}
