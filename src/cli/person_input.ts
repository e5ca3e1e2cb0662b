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
  if (!await isHeld({ name: "read", path })) return [];
  if (!await Deno.stat(path).then((status) => status.isDirectory, () => false)) return [];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const fits = name.startsWith(begin) && (begin !== "" || !name.startsWith(".")) && !/\s/.test(name);
    if (fits) found.push(`${folder}${name}${isDirectory ? "/" : ""}`);
    if (found.length === MAX_COMPLETIONS) break;
  }
  return found.sort();
}

/**
 * Adds the files that a message names with `@path` to it, as `read_file` gives them. What names no file stays as it is.
 *
 * @throws {Error} If a file that is there cannot be read.
 */
export async function addFiles(message: string, readFile: Tool, context: ToolContext): Promise<string> {
  const names = new Set(Array.from(message.matchAll(/(?<=^|\s)@(\S+)/g), ([, name = ""]) => name));
  const parts = [message];
  for (const name of names) {
    const path = await existing(context.cwd, name);
    if (path === undefined) continue;
    const { content } = await readFile.execute({ path }, {
      ...context,
      workspace: { ...context.workspace, unconfined: true },
    });
    parts.push(`Contents of ${path}:\n\n${content}`);
  }
  return parts.join("\n\n");
}

/** The path if a file stands there, also without the punctuation that ends a sentence. */
async function existing(cwd: string, name: string): Promise<string | undefined> {
  for (const candidate of new Set([name, name.replace(/[.,;:!?)]+$/, "")])) {
    const path = resolve(cwd, candidate);
    if (candidate === "" || !await isHeld({ name: "read", path: dirname(path) })) continue;
    const isFile = await Deno.stat(path).then((status) => status.isFile, () => false);
    if (isFile) return candidate;
  }
  return undefined;
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
