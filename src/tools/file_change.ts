/**
 * What every tool that changes a file does before and after: nothing is changed that is not an ordinary text file in
 * reach, and a change is made whole or not at all.
 *
 * @module
 */

import { dirname } from "../permissions/os_path.ts";
import { confine, quotePath } from "../permissions/paths.ts";
import { writeAtomically } from "./atomic_write.ts";
import { contentHash } from "./content_hash.ts";
import { makeInPlace, openInPlace } from "./in_place.ts";
import { decodeText, encodeText, type TextFile, type TextFormat } from "./text_file.ts";
import { type Display, type SeenFile, type ToolContext, ToolError } from "./tool.ts";

/** The largest file that is taken into memory as a whole: that much is decoded in 20 ms. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Where a change goes. */
export interface Target {
  /** As the model wrote it. */
  readonly given: string;
  /** Canonical. */
  readonly path: string;
  /** Whether its content is for the model only if the person let it read the file. */
  readonly isSecret: boolean;
  /** The file as it stands there; absent if there is none yet. */
  readonly file?: ExistingFile;
}

/** A file before its change. */
export interface ExistingFile extends TextFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** From before it was read, so that a change made since then shows. */
  readonly info: Deno.FileInfo;
}

/**
 * Looks at what stands at a path and makes sure that it may be changed.
 *
 * @throws {PathError} If the path is out of reach.
 * @throws {ToolError} If it is not a text file, or may not be written.
 */
export async function openTarget(given: string, context: ToolContext): Promise<Target> {
  const { path, type, links = 1, secret: isSecret } = await confine(given, "write", context);
  const refuse = (reason: string) => new ToolError(`Cannot change ${quotePath(given)}: ${reason}`);
  if (type === "absent" && /\/$/.test(given)) throw refuse('it ends with "/", so that it names a folder');
  if (type === "absent") return { given, path, isSecret };
  if (type === "folder") throw refuse("it is a folder");
  if (links > 1 && !context.granted.has(path) && !context.workspace.unconfined) {
    throw refuse(`it has ${links} hard links, of which the others would keep the old content; ask the user first`);
  }
  using file = open(path, refuse);
  const info = await file.stat();
  if (info.mode !== null && (info.mode & 0o222) === 0) throw refuse("it is read-only"); // root could, and must not
  if (info.size > MAX_FILE_BYTES) throw refuse(`it has ${info.size} bytes, more than ${MAX_FILE_BYTES}`);
  const bytes = await readBytes(file, info.size);
  const text = decodeText(bytes);
  if (!text) throw refuse(`it is a binary file of ${bytes.length} bytes`);
  if (!text.lossless) throw refuse("some of its bytes are not valid text and would be lost");
  return { given, path, isSecret, file: { ...text, bytes, info } };
}

/** Opens for writing too, though nothing is written in place: this finds out whether it may be. */
function open(path: string, refuse: (reason: string) => ToolError): Deno.FsFile {
  try {
    return openInPlace(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) throw refuse("it is read-only for this user");
    throw refuse(`it cannot be opened: ${reasonOf(error)}`);
  }
}

/** All bytes of a file. One that grows while it is read is found out before it is replaced. */
export async function readBytes(file: Deno.FsFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for (let count: number | null = 0; count !== null && length < size; length += count ?? 0) {
    count = await file.read(bytes.subarray(length));
  }
  return bytes.subarray(0, length);
}

/**
 * Makes sure that the change is still the one that the person said yes to.
 *
 * @throws {ToolError} If it is another one.
 */
export function checkApproved(change: Display, { given }: Target, { approved }: ToolContext): void {
  if (approved && JSON.stringify(approved) !== JSON.stringify(change)) {
    throw new ToolError(
      `Cannot change ${quotePath(given)}: it has changed since the user approved this; read it again`,
    );
  }
}

/**
 * Writes the new text, in the format that the file has.
 *
 * @throws {ToolError} If it cannot be written; the file is then as it was.
 */
export async function changeFile(target: Target, text: string, context: ToolContext): Promise<SeenFile> {
  const { given, path, file } = target;
  const bytes = encode(text, target);
  await context.beforeChange?.(path);
  context.signal.throwIfAborted();
  const made = file ? [] : await makeFolders(dirname(path), given);
  try {
    const [hash] = await Promise.all([contentHash(bytes), writeAtomically(path, bytes, file?.info)]);
    return { path, hash };
  } catch (error) {
    for (const folder of made) await Deno.remove(folder).catch(() => {}); // the first error is the one to tell
    throw new ToolError(`Cannot change ${quotePath(given)}: ${reasonOf(error)}; nothing was changed`, { cause: error });
  }
}

/** @throws {ToolError} If the file's encoding has no such character. */
function encode(text: string, { given, file }: Target): Uint8Array<ArrayBuffer> {
  const format: TextFormat = file ?? { encoding: "utf-8", bom: false };
  if (!text.isWellFormed()) throw new ToolError(`Cannot change ${quotePath(given)}: the text holds half a character`);
  try {
    return encodeText(text, format);
  } catch (error) {
    throw new ToolError(`Cannot change ${quotePath(given)}: ${(error as RangeError).message}`, { cause: error });
  }
}

/**
 * Makes a folder and those above it.
 *
 * @returns Those that were not there, the innermost first.
 */
async function makeFolders(folder: string, given: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; !await exists(at); at = dirname(at)) missing.push(at);
  try {
    for (const path of missing.toReversed()) makeInPlace(path);
  } catch (error) {
    throw new ToolError(`Cannot change ${quotePath(given)}: its folder cannot be made: ${reasonOf(error)}`);
  }
  return missing;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error \d+\).*$/s, "");
}
