/**
 * Looks at which protected paths a workspace has, so that a sandbox can cover each as what it is.
 *
 * Synchronous, because a command line is made in one go: some sixty looks at names, well below a millisecond each.
 *
 * @module
 */

import { join } from "./os_path.ts";
import { isWithin } from "./path_names.ts";
import { PROTECTED } from "./sensitive_paths.ts";

/** The protected paths at the top of a workspace's roots. */
export interface ProtectedState {
  /** `.git` folders: writable mounts of their own. */
  readonly anchored: string[];
  /** Exist and become read-only. */
  readonly protected: string[];
  /** Do not exist and cannot be made. */
  readonly absent: string[];
  /** Do not exist; looked for afterwards, because a cover would be in the way. */
  readonly watched: string[];
  /** Links cannot be covered; looked at afterwards. */
  readonly links: { path: string; target: string }[];
}

/** What acts at once when it appears: a program outside the sandbox may be watching for it. */
export const ACTS_AT_ONCE: ReadonlySet<string> = new Set([
  ".git",
  ".mini-agent",
  ".mcp.json",
  ".vscode",
  ".idea",
  ".husky",
  ".envrc",
  ".npmrc",
  ".claude",
]);

/** What git runs or obeys in a repository's own folder. */
const GIT_PARTS = ["config", "hooks", "info"];
/** Honoured if they exist; a cover in their place would stop git. */
const GIT_WATCHED = ["commondir", "config.worktree"];

/** Submodules' repositories can lie in folders of their names; no project has nearly as many. */
const MAX_MODULE_FOLDERS = 2000;

/**
 * Looks at the roots.
 *
 * @param isPlaceholder Whether a path exists only because a running sandbox covers it.
 */
export function lookAtProtected(roots: readonly string[], isPlaceholder: (path: string) => boolean): ProtectedState {
  const state: ProtectedState = { anchored: [], protected: [], absent: [], watched: [], links: [] };
  const look = (path: string, absence: "absent" | "watched"): "folder" | "file" | undefined => {
    const type = isPlaceholder(path) ? "absent" : typeOf(path);
    if (type === "link") {
      state.links.push({ path, target: Deno.readLinkSync(path) });
      const target = realPath(path);
      if (target !== undefined && roots.some((root) => isWithin(target, root))) state.protected.push(target);
    } else if (type === "absent") state[absence].push(path);
    else return type;
    return undefined;
  };
  for (const root of roots) {
    for (const name of PROTECTED) {
      const path = join(root, name);
      const type = look(path, ACTS_AT_ONCE.has(name) ? "absent" : "watched");
      if (type === undefined) continue;
      const repository = name !== ".git" ? undefined : type === "folder" ? path : mainRepository(path);
      if (repository !== path) state.protected.push(path);
      if (repository === undefined) continue;
      state.anchored.push(repository);
      for (const folder of [repository, ...moduleFolders(join(repository, "modules"))]) {
        lookAtRepository(folder, state, look);
      }
    }
  }
  return state;
}

function lookAtRepository(
  folder: string,
  state: ProtectedState,
  look: (path: string, absence: "absent" | "watched") => "folder" | "file" | undefined,
): void {
  for (const name of GIT_PARTS) {
    if (look(join(folder, name), "absent") !== undefined) state.protected.push(join(folder, name));
  }
  for (const name of GIT_WATCHED) {
    if (look(join(folder, name), "watched") !== undefined) state.protected.push(join(folder, name));
  }
}

/**
 * The repository to which a worktree's `.git` file points, so that commits work there too. Only if that repository
 * knows the worktree: a file that came with a project opens no folder outside.
 */
function mainRepository(file: string): string | undefined {
  const folder = readLine(file)?.match(/^gitdir: (.+)$/)?.[1];
  const repository = folder?.match(/^(\/.+\/\.git)\/worktrees\/[^/]+$/)?.[1];
  return folder !== undefined && repository === realPath(repository ?? "") && readLine(join(folder, "gitdir")) === file
    ? repository
    : undefined;
}

function readLine(file: string): string | undefined {
  try {
    return Deno.readTextFileSync(file).trimEnd();
  } catch {
    return undefined; // not there, or not for us to read: the worktree then stays without commits
  }
}

/** The repositories of submodules: `modules/NAME`, and a name may hold slashes. */
function moduleFolders(modules: string): string[] {
  const found: string[] = [];
  const queue = [modules];
  for (const folder of queue) {
    if (queue.length > MAX_MODULE_FOLDERS) {
      throw new RangeError(`Cannot protect "${modules}": it holds too many folders`);
    }
    if (typeOf(folder) !== "folder") continue;
    if (typeOf(join(folder, "HEAD")) === "file") {
      found.push(folder);
      queue.push(join(folder, "modules"));
    } else {
      for (const entry of Deno.readDirSync(folder)) if (entry.isDirectory) queue.push(join(folder, entry.name));
    }
  }
  return found;
}

function typeOf(path: string): "folder" | "file" | "link" | "absent" {
  try {
    const { isDirectory, isSymlink } = Deno.lstatSync(path);
    return isSymlink ? "link" : isDirectory ? "folder" : "file";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return "absent";
    throw error;
  }
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined; // it leads nowhere, or where nobody may look: nothing there can be written either
  }
}
