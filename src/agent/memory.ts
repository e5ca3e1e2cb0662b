/**
 * Standing instructions: `AGENTS.md`, else `CLAUDE.md`, of the person and of each folder from the repository's root down
 * to the working folder. See https://agents.md.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { dirname, join, relative } from "../permissions/os_path.ts";
import { isWithin, type Workspace } from "../permissions/paths.ts";
import { isSecret } from "../permissions/sensitive_paths.ts";
import type { MemoryFile } from "./prompt.ts";

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** Bytes of one file that are used. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads the instructions that hold in a folder, the most general first. A file that cannot be read is passed over.
 *
 * @param configDir The person's configuration folder, where known.
 * @param workspace Its working folder is where it begins; a project's file may be a link, but not to one of its secrets.
 */
export function readMemory(configDir: string | undefined, workspace: Workspace): MemoryFile[] {
  const { cwd } = workspace;
  const own = configDir === undefined ? undefined : readFirst(configDir, (path) => isWithin(path, configDir));
  const root = repositoryRoot(cwd);
  const isOpen = (path: string) => isWithin(path, root) && !isSecret(path, workspace);
  const files: MemoryFile[] = own ? [{ path: "your own AGENTS.md", text: own.text }] : [];
  const folders = [cwd];
  while (folders[0] !== undefined && folders[0] !== root) folders.unshift(dirname(folders[0]));
  for (const folder of folders) {
    const file = readFirst(folder, isOpen);
    if (file) files.push({ path: relative(cwd, join(folder, file.name)), text: file.text });
  }
  return files;
}

/** The nearest folder upwards that holds `.git`; the working folder itself where there is none. */
function repositoryRoot(cwd: string): string {
  for (let folder = cwd;; folder = dirname(folder)) {
    if (exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function exists(path: string): boolean {
  if (!isHeld({ name: "read", path })) return false;
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The first file of instructions in a folder that is open by its canonical path. */
function readFirst(folder: string, isOpen: (path: string) => boolean): { name: string; text: string } | undefined {
  for (const name of NAMES) {
    if (!isHeld({ name: "read", path: join(folder, name) })) continue;
    try {
      const path = Deno.realPathSync(join(folder, name));
      const { isFile, size } = Deno.statSync(path);
      if (!isFile || !isOpen(path)) continue;
      const text = size > MAX_BYTES ? readStart(path) : Deno.readTextFileSync(path);
      if (text.trim() !== "") return { name, text: text.replace(/^\ufeff/, "") };
    } catch {
      // Absent or unreadable: the next name.
    }
  }
  return undefined;
}

function readStart(path: string): string {
  using file = Deno.openSync(path);
  const bytes = new Uint8Array(MAX_BYTES);
  const length = file.readSync(bytes) ?? 0;
  return `${new TextDecoder().decode(bytes.subarray(0, length), { stream: true })}\n(cut at ${MAX_BYTES} bytes)`;
}
