/**
 * Where git keeps what it runs and obeys: in a repository's own folder, in those of its submodules and its worktrees.
 *
 * @module
 */

import { join } from "./os_path.ts";
import { isWithin } from "./path_names.ts";

/** One folder in which git looks for configuration and hooks. All paths are canonical. */
export interface GitFolder {
  /** Itself, behind the folders through which git finds it: none of them may be moved away. */
  readonly anchors: readonly string[];
  /** What git obeys in it, and where it is looked for if it is not there. */
  readonly parts: readonly string[];
  /** Honoured if they exist; a cover in their place would stop git. */
  readonly optional: readonly string[];
}

const PARTS = ["config", "hooks", "info"];
const OPTIONAL = ["commondir", "config.worktree"];

/** Submodules' repositories can lie in folders of their names; no project has nearly as many. */
const MAX_MODULE_FOLDERS = 2000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The repository's own folder. */
export function repositoryFolder(repository: string): GitFolder {
  return toFolder(repository, []);
}

/**
 * The folders that a repository keeps of its submodules, and of theirs.
 *
 * @throws {RangeError} If there are too many to look at each.
 */
export function submoduleFolders(repository: string): GitFolder[] {
  return moduleFolders(join(repository, "modules"));
}

/** The folders that a repository keeps of its worktrees. Configuration and hooks are the repository's own. */
export function worktreeFolders(repository: string): GitFolder[] {
  const all = join(repository, "worktrees");
  if (typeOf(all) !== "folder") return [];
  return Array.from(Deno.readDirSync(all)).filter(({ isDirectory }) => isDirectory).map(({ name }) => {
    const folder = join(all, name);
    return { anchors: [all, folder], parts: [], optional: OPTIONAL.map((part) => join(folder, part)) };
  });
}

/**
 * The folder to which a `.git` leads that is a file or a link, if it lies in one of the roots: submodules, worktrees
 * and repositories kept apart have such.
 */
export function folderBehind(path: string, type: "file" | "link", roots: readonly string[]): string | undefined {
  const given = type === "link" ? path : readLine(path)?.match(/^gitdir: (.+)$/)?.[1];
  if (given === undefined) return undefined;
  const folder = realPath(given.startsWith("/") ? given : join(path, "..", given));
  const isOurs = folder !== undefined && roots.some((root) => folder !== root && isWithin(folder, root));
  return isOurs && typeOf(join(folder, "HEAD")) === "file" ? folder : undefined;
}

/**
 * The repository to which a worktree's `.git` file points, so that commits work there too. Only if that repository
 * knows the worktree: a file that came with a project opens no folder outside.
 */
export function mainRepository(file: string): string | undefined {
  const folder = readLine(file)?.match(/^gitdir: (.+)$/)?.[1];
  const repository = folder?.match(/^(\/.+\/\.git)\/worktrees\/[^/]+$/)?.[1];
  return folder !== undefined && repository === realPath(repository ?? "") && readLine(join(folder, "gitdir")) === file
    ? repository
    : undefined;
}

/**
 * The folder in the working tree from which a repository's configuration takes its hooks; nothing if it takes them from
 * where they belong, or from elsewhere.
 *
 * @param tree The folder that holds the `.git`.
 */
export function hooksInTree(repository: string, tree: string): string | undefined {
  const lines = readLine(join(repository, "config"))?.matchAll(/(?:^|\])[ \t]*hooksPath[ \t]*=[ \t]*(.*)$/gim) ?? [];
  const given = Array.from(lines, ([, value = ""]) => configValue(value)).at(-1); // the last one counts
  if (given === undefined || given === "" || given.startsWith("~")) return undefined;
  const folder = given.startsWith("/") ? given : join(tree, given);
  return folder !== tree && isWithin(folder, tree) && !isWithin(folder, repository) ? folder : undefined;
}

/** A value as git reads it: without quotes and a comment. */
function configValue(text: string): string {
  let value = "";
  let isQuoted = false;
  for (const [piece] of text.matchAll(/\\.|[^]/g)) {
    if (piece === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (piece === "#" || piece === ";")) break;
    else value += piece.length > 1 ? piece.slice(1) : piece;
  }
  return value.trimEnd();
}

/** All that git obeys of a `.git` at this path, wherever it leads within the roots. Never throws. */
export function obeyedParts(path: string, roots: readonly string[]): string[] {
  try {
    const type = typeOf(path);
    const repository = type === "folder" ? path : type === "absent" ? undefined : folderBehind(path, type, roots);
    if (repository === undefined) return [path];
    const folders = [repositoryFolder(repository), ...submoduleFolders(repository), ...worktreeFolders(repository)];
    return [...type === "folder" ? [] : [path], ...folders.flatMap(({ parts, optional }) => [...parts, ...optional])];
  } catch {
    return [path];
  }
}

/** What stands at a path, links not followed. */
export function typeOf(path: string): "folder" | "file" | "link" | "absent" {
  try {
    const { isDirectory, isSymlink } = Deno.lstatSync(path);
    return isSymlink ? "link" : isDirectory ? "folder" : "file";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return "absent";
    throw error;
  }
}

/** The canonical form of a path; nothing if it leads nowhere, or where nobody may look: that cannot be written either. */
export function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

function toFolder(folder: string, above: readonly string[]): GitFolder {
  const below = (names: readonly string[]) => names.map((name) => join(folder, name));
  return { anchors: [...above, folder], parts: below(PARTS), optional: below(OPTIONAL) };
}

/** The repositories of submodules: `modules/NAME`, and a name may hold slashes. */
function moduleFolders(modules: string): GitFolder[] {
  const found: GitFolder[] = [];
  const queue: { folder: string; above: readonly string[] }[] = [{ folder: modules, above: [] }];
  for (const { folder, above } of queue) {
    if (queue.length > MAX_MODULE_FOLDERS) {
      throw new RangeError(`Cannot protect "${modules}": it holds too many folders`);
    }
    if (typeOf(folder) !== "folder") continue;
    const path = [...above, folder];
    if (typeOf(join(folder, "HEAD")) === "file") {
      found.push(toFolder(folder, above));
      queue.push({ folder: join(folder, "modules"), above: path });
    } else {
      for (const entry of Deno.readDirSync(folder)) {
        if (entry.isDirectory) queue.push({ folder: join(folder, entry.name), above: path });
      }
    }
  }
  return found;
}

function readLine(file: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(file); // a pipe would be waited for, with everything else
    return isFile && size <= MAX_FILE_BYTES ? Deno.readTextFileSync(file).trimEnd() : undefined;
  } catch {
    return undefined; // not there, or not for us to read: the worktree then stays without commits
  }
}
