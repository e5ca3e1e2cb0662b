/**
 * Standing instructions: `AGENTS.md`, else `CLAUDE.md`, of the person and of each folder from the repository's root down
 * to the working folder. See https://agents.md.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { dirname, join, relative } from "../permissions/os_path.ts";
import { isWithin } from "../permissions/paths.ts";
import type { MemoryFile } from "./prompt.ts";

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** Bytes of one file that are used. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads the instructions that hold in a folder, the most general first. A file that cannot be read is passed over.
 *
 * @param cwd Canonical working folder.
 * @param configDir The person's configuration folder, where known.
 */
export async function readMemory(cwd: string, configDir?: string): Promise<MemoryFile[]> {
  const [own, root] = await Promise.all([
    configDir === undefined ? undefined : readFirst(configDir, configDir),
    repositoryRoot(cwd),
  ]);
  const files: MemoryFile[] = own ? [{ path: "your own AGENTS.md", text: own.text }] : [];
  const folders = [cwd];
  while (folders[0] !== undefined && folders[0] !== root) folders.unshift(dirname(folders[0]));
  const found = await Promise.all(folders.map(async (folder) => ({ folder, file: await readFirst(folder, root) })));
  for (const { folder, file } of found) {
    if (file) files.push({ path: relative(cwd, join(folder, file.name)), text: file.text });
  }
  return files;
}

/** The nearest folder upwards that holds `.git`; the working folder itself where there is none. */
async function repositoryRoot(cwd: string): Promise<string> {
  for (let folder = cwd;; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

async function exists(path: string): Promise<boolean> {
  if (!await isHeld({ name: "read", path })) return false;
  try {
    await Deno.lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** The first file of instructions in a folder. A link must not lead out of `root`. */
async function readFirst(folder: string, root: string): Promise<{ name: string; text: string } | undefined> {
  for (const name of NAMES) {
    if (!await isHeld({ name: "read", path: join(folder, name) })) continue;
    try {
      const path = await Deno.realPath(join(folder, name));
      const { isFile, size } = await Deno.stat(path);
      if (!isFile || !isWithin(path, root)) continue;
      const text = size > MAX_BYTES ? await readStart(path) : await Deno.readTextFile(path);
      if (text.trim() !== "") return { name, text: text.replace(/^\ufeff/, "") };
    } catch {
      // Absent or unreadable: the next name.
    }
  }
  return undefined;
}

async function readStart(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(MAX_BYTES);
  const length = await file.read(bytes) ?? 0;
  return `${new TextDecoder().decode(bytes.subarray(0, length), { stream: true })}\n(cut at ${MAX_BYTES} bytes)`;
}
