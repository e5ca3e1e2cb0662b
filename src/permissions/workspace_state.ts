/**
 * Looks at which protected paths a workspace has, so that a sandbox can cover each as what it is.
 *
 * Synchronous, because a command line is made in one go: some sixty looks at names, well below a millisecond each.
 *
 * @module
 */

import {
  folderBehind,
  type GitFolder,
  hooksInTree,
  mainRepository,
  realPath,
  repositoryFolder,
  submoduleFolders,
  typeOf,
  worktreeFolders,
} from "./git_folders.ts";
import { dirname, join } from "./os_path.ts";
import { isInPackage, isWithin } from "./path_names.ts";
import { PROTECTED } from "./sensitive_paths.ts";
import { Stamps } from "./stamps.ts";

/** The protected paths of a workspace's roots, and how each is kept. */
export interface ProtectedState {
  /** `.git` folders, and folders in them: writable mounts of their own. */
  readonly anchored: string[];
  /** Exist and become read-only. */
  readonly protected: string[];
  /** Do not exist and cannot be made. */
  readonly absent: string[];
  /** Do not exist; looked for afterwards, because a cover would be in the way. */
  readonly watched: string[];
  /** Links cannot be covered; looked at afterwards. */
  readonly links: { path: string; target: string }[];
  /** Of those with a mount the ones below the top: somebody may have removed them before the command begins. */
  readonly fleeting: ReadonlySet<string>;
  /** What those without a cover are like: compared afterwards. */
  readonly stamps: Stamps;
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

/** How many mounts the nested paths and the worktrees may cost, each a third of a millisecond; others are compared. */
const MAX_COVERS = 20;

/**
 * Looks at the roots.
 *
 * @param isPlaceholder Whether a path exists only because a running sandbox covers it.
 * @param nested Protected paths below the top, as they are known.
 */
export function lookAtProtected(
  roots: readonly string[],
  isPlaceholder: (path: string) => boolean,
  nested: readonly string[] = [],
): ProtectedState {
  const look = new Look(roots, isPlaceholder);
  for (const root of roots) for (const name of PROTECTED) look.atTop(join(root, name), name);
  look.atWorktrees();
  const names = nested.map((path) => ({ path, name: path.slice(path.lastIndexOf("/") + 1) }));
  for (const { path, name } of names) if (name === ".git") look.atRepository(path);
  for (const { path, name } of names) if (name !== ".git") look.below(path, ACTS_AT_ONCE.has(name));
  return look.state;
}

class Look {
  readonly state = {
    anchored: [] as string[],
    protected: [] as string[],
    absent: [] as string[],
    watched: [] as string[],
    links: [] as { path: string; target: string }[],
    fleeting: new Set<string>(),
    stamps: new Stamps(),
  };
  readonly #roots: readonly string[];
  readonly #isPlaceholder: (path: string) => boolean;
  readonly #repositories: string[] = [];
  #coversLeft = MAX_COVERS;

  constructor(roots: readonly string[], isPlaceholder: (path: string) => boolean) {
    this.#roots = roots;
    this.#isPlaceholder = isPlaceholder;
  }

  atTop(path: string, name: string): void {
    const type = this.#look(path, ACTS_AT_ONCE.has(name) ? "absent" : "watched");
    if (type === undefined) return;
    const repository = name !== ".git"
      ? undefined
      : type === "folder"
      ? path
      : mainRepository(path) ?? folderBehind(path, type, this.#roots);
    if (repository !== path) this.state.protected.push(path);
    if (repository === undefined) return;
    this.#repositories.push(repository);
    const hooks = hooksInTree(repository, dirname(path));
    if (hooks !== undefined && this.#look(hooks, "watched") !== undefined) {
      this.state.protected.push(hooks);
      this.state.stamps.take(hooks); // the folder above it can be moved away
    }
    for (const { anchors, parts, optional } of [repositoryFolder(repository), ...submoduleFolders(repository)]) {
      this.#anchor(anchors);
      for (const part of parts) if (this.#look(part, "absent") !== undefined) this.state.protected.push(part);
      for (const part of optional) if (this.#look(part, "watched") !== undefined) this.state.protected.push(part);
    }
  }

  /** The worktrees of the repositories at the top. */
  atWorktrees(): void {
    for (const repository of this.#repositories) this.#coverOrStamp(() => worktreeFolders(repository));
  }

  /** A `.git` below the top. */
  atRepository(path: string): void {
    const type = tryTypeOf(path);
    if (type === "absent") return;
    if (type === "link") this.#addLink(path);
    else if (type === "file") this.below(path, true);
    const repository = type === "folder" ? path : folderBehind(path, type, this.#roots);
    if (repository === undefined || this.#repositories.some((other) => isWithin(repository, other))) return;
    this.#repositories.push(repository);
    this.#coverOrStamp(() => [repositoryFolder(repository)]);
    this.#coverOrStamp(() => submoduleFolders(repository));
    this.#coverOrStamp(() => worktreeFolders(repository));
  }

  /** Any other protected path below the top. */
  below(path: string, actsAtOnce: boolean): void {
    if (isInPackage(path) && !path.endsWith("/.git")) return; // packages bring hundreds, and are replaced as a whole
    const isCovered = actsAtOnce && !isInPackage(path) && this.#coversLeft > 0 && isFixed(tryTypeOf(path));
    if (isCovered) this.#cover([path]);
    else this.state.stamps.take(path);
  }

  #coverOrStamp(list: () => GitFolder[]): void {
    for (const { anchors, parts, optional } of this.#listed(list)) {
      const wanted = [...parts, ...optional];
      const fresh = anchors.filter((folder) => !this.state.anchored.includes(folder));
      const mayCover = this.#coversLeft > fresh.length && !isInPackage(anchors[0]!);
      const there = mayCover ? wanted.filter((part) => isFixed(tryTypeOf(part))) : [];
      if (!mayCover || there.length + fresh.length > this.#coversLeft) {
        this.state.stamps.takeParts(wanted);
        continue;
      }
      this.#coversLeft -= fresh.length;
      this.#anchor(fresh);
      for (const folder of fresh) this.state.fleeting.add(folder);
      this.#cover(there);
      // a cover needs a place on disk, which only the owner of the folder can make
      for (const part of wanted) if (!there.includes(part)) this.#lookBelow(part);
    }
  }

  #listed(list: () => GitFolder[]): GitFolder[] {
    try {
      return list();
    } catch (error) {
      if (error instanceof RangeError) this.state.stamps.leave();
      return []; // else not for us to read
    }
  }

  #lookBelow(path: string): void {
    const type = tryTypeOf(path);
    if (type === "link") this.#addLink(path);
    else this.state.watched.push(path);
  }

  #cover(paths: readonly string[]): void {
    this.#coversLeft -= paths.length;
    for (const path of paths) {
      this.state.protected.push(path);
      this.state.fleeting.add(path);
    }
  }

  #anchor(folders: readonly string[]): void {
    for (const folder of folders) if (!this.state.anchored.includes(folder)) this.state.anchored.push(folder);
  }

  #look(path: string, absence: "absent" | "watched"): "folder" | "file" | undefined {
    const type = this.#isPlaceholder(path) ? "absent" : typeOf(path);
    if (type === "link") {
      this.#addLink(path);
      const target = realPath(path);
      if (target !== undefined && this.#roots.some((root) => isWithin(target, root))) this.state.protected.push(target);
    } else if (type === "absent") this.state[absence].push(path);
    else return type;
    return undefined;
  }

  #addLink(path: string): void {
    this.state.links.push({ path, target: Deno.readLinkSync(path) });
  }
}

function isFixed(type: ReturnType<typeof typeOf>): boolean {
  return type === "file" || type === "folder";
}

/** What nobody may look at stops no command: it is as if it were not there. */
function tryTypeOf(path: string): ReturnType<typeof typeOf> {
  try {
    return typeOf(path);
  } catch {
    return "absent";
  }
}
