/**
 * What a person adds to the conversation without the model: files they name, commands of their own.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { basename, dirname, resolve } from "../permissions/os_path.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";

/** Names that a completion offers at most. */
const MAX_COMPLETIONS = 200;

/**
 * Completes a path that is being typed.
 *
 * @param cwd Canonical working folder.
 * @param start What stands behind the `@` so far.
 * @returns Paths as they would be typed, folders with a `/` at their end, sorted.
 */
export async function completePath(cwd: string, start: string): Promise<string[]> {
  const isFolder = start === "" || start.endsWith("/");
  const [folder, begin] = isFolder ? [start, ""] : [start.slice(0, -basename(start).length), basename(start)];
  const path = resolve(cwd, folder);
  if (!isHeld({ name: "read", path })) return [];
  if (!await Deno.stat(path).then((status) => status.isDirectory, () => false)) return [];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const fits = name.startsWith(begin) && (begin !== "" || !name.startsWith(".")) && !UNTYPEABLE.test(name);
    if (fits) found.push(`${folder}${name}${isDirectory ? "/" : ""}`);
    if (found.length === MAX_COMPLETIONS) break;
  }
  return found.sort();
}

/** A path in quotes may hold blanks, and nothing that ends the line or the quotes. */
// deno-lint-ignore no-control-regex
const UNTYPEABLE = /[\x00-\x1f"\x7f-\x9f\u2028\u2029]/;

/** With what files are added to a message. */
export interface AddingFiles {
  /** Those of them that are there are used. */
  tools: readonly Tool[];
  /** Says what could not be added. */
  say(text: string): void;
}

/**
 * Adds what a message names with `@path`, or `@"a path with blanks"`, to it: a file as `read_file` gives it, a folder as `list_files` does. What looks
 * like a path and is none, or cannot be read, is told and stays as it is; other words stay untouched.
 *
 * @param context Its workspace says what may be read.
 */
export async function addFiles(message: string, { tools, say }: AddingFiles, context: ToolContext): Promise<string> {
  const written = message.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g);
  const names = new Set(Array.from(written, ([, quoted, bare = ""]) => quoted ?? bare));
  const parts = [message];
  for (const name of names) {
    const found = await existing(context.cwd, name);
    if (!found) {
      const bare = withoutPunctuation(name);
      if (/[./]/.test(bare)) say(`"@${bare}" is sent as it is: there is no such file`);
      continue;
    }
    const { path, isFolder } = found;
    const tool = tools.find((tool) => tool.name === (isFolder ? "list_files" : "read_file"));
    if (!tool) continue;
    try {
      const { content } = await tool.execute({ path }, context);
      parts.push(`${isFolder ? "Files in" : "Contents of"} ${path}:\n\n${content}`);
    } catch (error) {
      if (context.signal.aborted) throw error;
      say(`"@${path}" is sent as it is: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return parts.join("\n\n");
}

/** The path if something stands there, also without the punctuation that ends a sentence. */
async function existing(cwd: string, name: string): Promise<{ path: string; isFolder: boolean } | undefined> {
  for (const candidate of new Set([name, withoutPunctuation(name)])) {
    const path = resolve(cwd, candidate);
    if (candidate === "" || !isHeld({ name: "read", path: dirname(path) })) continue;
    const status = await Deno.stat(path).catch(() => undefined);
    if (status?.isFile || status?.isDirectory) return { path: candidate, isFolder: status.isDirectory };
  }
  return undefined;
}

function withoutPunctuation(name: string): string {
  return name.replace(/[.,;:!?)]+$/, "");
}

/** Runs a person's own command: as typed, without a question and outside the sandbox. */
export async function runShell(command: string, runCommand: Tool, context: ToolContext): Promise<string> {
  const { content } = await runCommand.execute({ command, timeout_ms: MAX_TIMEOUT_MS }, {
    ...context,
    needs: "outside",
  });
  return content;
}

/** A person can end their own command with Ctrl+C. */
const MAX_TIMEOUT_MS = 600_000;
