import { quotePath } from "../permissions/paths.ts";
import { changeDisplay } from "./change_display.ts";
import { contentHash } from "./content_hash.ts";
import { hasCrLines } from "./cr_lines.ts";
import { changeFile, checkApproved, openTarget, type Target } from "./file_change.ts";
import { hashOf, partKnown } from "./seen_files.ts";
import { type Display, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** What `write_file` is given. */
export interface WriteFileInput {
  path: string;
  content: string;
}

interface PlannedWrite {
  readonly target: Target;
  readonly text: string;
  readonly display: Display;
}

/** Runs one call of `write_file`. */
export async function call(input: WriteFileInput, context: ToolContext): Promise<ToolOutput> {
  const { target, text, display } = await planWrite(input, context);
  checkApproved(display, target, context);
  const path = quotePath(target.given);
  if (target.file?.text === text) {
    return {
      content: `${path} has this content already`,
      seen: [{ path: target.path, hash: await contentHash(target.file.bytes) }],
    };
  }
  const seen = await changeFile(target, text, context);
  return {
    content: `${target.file ? "Overwrote" : "Created"} ${path}: ${countLines(text)}${noteOf(target, text)}`,
    display,
    seen: [seen],
  };
}

/** What the call would do. */
export async function preview(input: WriteFileInput, context: ToolContext): Promise<Display> {
  return (await planWrite(input, context)).display;
}

async function planWrite(input: { path: string; content: string }, context: ToolContext): Promise<PlannedWrite> {
  const target = await openTarget(input.path, context);
  // a mark that the file has is kept, and not doubled
  const text = target.file?.bom ? input.content.replace(/^\uFEFF/, "") : input.content;
  const before = target.file?.text ?? "";
  if (text !== before) await checkKnown(target, context);
  return { target, text, display: changeDisplay(input.path, before, text) };
}

/** @throws {ToolError} If the file holds something that the model does not know of. */
async function checkKnown({ given, path, file }: Target, { seen }: ToolContext): Promise<void> {
  if (!file || file.bytes.length === 0) return; // there is nothing to lose
  const known = seen.get(path);
  const refuse = (reason: string) => new ToolError(`Cannot overwrite ${quotePath(given)}: ${reason}`);
  if (known === undefined) throw refuse("it exists and has not been read; read it first, or use edit_file");
  if (hashOf(known) !== await contentHash(file.bytes)) throw refuse("it has changed since it was read; read it again");
  const part = partKnown(known);
  if (part) throw refuse(`only ${part} have been read; read the rest first, or use edit_file`);
}

function countLines(text: string): string {
  const lines = text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** Whoever sees lines without their ends cannot know that these were others. */
function noteOf({ file }: Target, text: string): string {
  if (!file || !text.includes("\n") || text.includes("\r\n")) return "";
  const lost = hasCrLines(file.text) ? "CR" : file.text.includes("\r\n") ? "CRLF" : undefined;
  return lost ? `; its lines ended ${lost} and now end LF` : "";
}
