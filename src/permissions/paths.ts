/**
 * Decides for every tool whether a path is inside, protected or secret: by canonical path, and fail-closed.
 *
 * @module
 */

import { isHeld } from "./held.ts";
import { basename, dirname, isAbsolute, join, SEPARATOR, SEPARATOR_PATTERN } from "./os_path.ts";
import { isWithin } from "./path_names.ts";
import { isProtected, isSecret } from "./sensitive_paths.ts";

export { isProtected, isSecret, isWithin };

/** What the program may work on. All paths are canonical. */
export interface Workspace {
  /** The working folder. */
  readonly cwd: string;
  /** The working folder and each `--add-dir`. */
  readonly roots: readonly string[];
  /** The person's home folder, where known. */
  readonly home?: string;
  /** Our own configuration and data folders: secret, whatever they are called. */
  readonly ownFolders?: readonly string[];
  /** Folders that may be read without asking though they lie elsewhere: the session's kept outputs. */
  readonly readable?: readonly string[];
  /** Globs of rules that forbid reading or ask about it: searches pass these by like secrets. */
  readonly hidden?: readonly string[];
  /** Whether the confinement to the roots is lifted (`full` mode). Devices, pipes and sockets stay refused. */
  readonly unconfined?: boolean;
}

/** What stands at a path. `other` is a device, a pipe or a socket. */
export type FileType = "file" | "folder" | "other" | "absent";

/** A path and what it means for permissions. */
export interface ResolvedPath {
  /** As the model wrote it. */
  readonly given: string;
  /** Canonical and absolute: no links, no `..`; of an absent path the deepest existing parent is resolved. */
  readonly path: string;
  readonly place: "inside" | "outside";
  /** Must not be changed without a question in any mode but `full`. */
  readonly protected: boolean;
  /** Must not be read without a question, and is passed by in searches. */
  readonly secret: boolean;
  readonly type: FileType;
  /** Names that the file has: with two or more, a change shows in places that no path check sees. Absent if unknown. */
  readonly links?: number;
}

/** A path cannot be used. The message is for the model. */
export class PathError extends Error {
  override readonly name = "PathError";
}

/** The most links that are followed on the way to one path, as on Linux. */
const MAX_LINKS = 40;

/**
 * Finds out what a path means. Nothing is read but names and types.
 *
 * @param given As the model wrote it: relative to the working folder, absolute, or below `~/`.
 * @throws {PathError} If it cannot be resolved for certain. The path as given must then not be used either.
 *
 * @example
 * ```ts ignore
 * const { path, place } = await resolvePath("src/../main.ts", { cwd: "/repo", roots: ["/repo"] });
 * ```
 */
export async function resolvePath(given: string, workspace: Workspace): Promise<ResolvedPath> {
  const problem = pathProblem(given, Deno.build.os);
  if (problem !== undefined) throw new PathError(`Cannot use ${quotePath(given)}: ${problem}`);
  const absolute = toAbsolute(given, workspace);
  refuseSystem(absolute, given, workspace); // before Deno refuses it in other words
  const { path } = await canonicalise(absolute, { given, hops: 0 });
  refuseSystem(path, given, workspace);
  const inside = workspace.roots.some((root) => isWithin(path, root));
  // a protected name stays one where it is a link, so the name as written counts beside the canonical one
  const names = workspace.roots.some((root) => isWithin(absolute, root)) ? [path, absolute] : [path];
  return {
    given,
    path,
    place: inside ? "inside" : "outside",
    protected: names.some((name) => isProtected(name, workspace)),
    secret: names.some((name) => isSecret(name, workspace)),
    ...await describe(path, given),
  };
}

/** What a call may do with a path. */
export interface ConfineOptions {
  readonly workspace: Workspace;
  /** Canonical paths that were allowed for this call, by a rule or by the person. */
  readonly granted: ReadonlySet<string>;
}

/**
 * Resolves a path for a tool that is about to touch it.
 *
 * @throws {PathError} If the call may not touch it; the message says what would allow it.
 */
export async function confine(
  given: string,
  intent: "read" | "write",
  { workspace, granted }: ConfineOptions,
): Promise<ResolvedPath> {
  const found = await resolvePath(given, workspace);
  const refuse = (reason: string) => new PathError(`Cannot ${intent} ${quotePath(given)}: ${reason}`);
  if (found.type === "other") throw refuse("not a regular file but a device, a pipe or a socket");
  if (intent === "write" && !mayWrite(found.path)) {
    throw refuse("Deno holds no permission to write there (--allow-write)");
  }
  if (workspace.unconfined || granted.has(found.path)) return found;
  const remedy = `the user's consent or an allow rule ${intent}(…) would permit it`;
  const readable = intent === "read" && workspace.readable?.some((folder) => isWithin(found.path, folder));
  if (found.place === "outside" && !readable) {
    throw refuse(
      `${quotePath(found.path)} is outside the workspace ${quotePath(workspace.cwd)}; ${remedy}, or --add-dir`,
    );
  }
  if (intent === "write" && found.protected) throw refuse(`the path is protected; ${remedy}`);
  // a change of a file that exists shows what is in it
  if (found.secret && (intent === "read" || found.type !== "absent")) throw refuse(`the path is secret; ${remedy}`);
  return found;
}

/** Whether the file may be replaced: a new one is written beside it. */
function mayWrite(path: string): boolean {
  return isHeld({ name: "write", path }) && isHeld({ name: "write", path: dirname(path) });
}

/** Why the text cannot be a path, before anything is looked up. */
export function pathProblem(text: string, os: string): string | undefined {
  if (text === "") return "the path is empty";
  if (/\p{Cc}/u.test(text)) return "it holds a control character";
  if (!text.isWellFormed()) return "it is not valid Unicode";
  // the file system's own limits are in bytes; a character takes at least one
  const bytes = (part: string) => part.length > 4096 ? part.length : new TextEncoder().encode(part).length;
  if (bytes(text) > 4096 || text.split(SEPARATOR_PATTERN).some((name) => bytes(name) > 255)) {
    return "the path is too long";
  }
  if (os === "windows") {
    if (/^[\\/]{2}/.test(text)) return "device and network paths are not supported";
    if (text.replace(/^[a-z]:/i, "").includes(":")) return "streams of a file are not supported";
  }
  return undefined;
}

/** A path in quotes for a message: everything invisible escaped, cut if it is very long. */
export function quotePath(path: string): string {
  const short = path.length <= 300 ? path : `${path.slice(0, 200)}…${path.slice(-80)}`;
  const escape = (char: string) => `\\u{${char.codePointAt(0)!.toString(16)}}`;
  return JSON.stringify(short).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escape);
}

/** `/proc` shows our own environment, keys included, and `/dev` never ends. No mode and no answer opens them. */
function refuseSystem(path: string, given: string, { roots }: Workspace): void {
  if (!isWithin(path, "/proc") && !isWithin(path, "/dev")) return;
  // a workspace in /dev/shm is the person's choice; one at "/" does not open /proc
  if (roots.some((root) => root !== "/" && isWithin(path, root))) return;
  throw new PathError(`Cannot use ${quotePath(given)}: ${quotePath(path)} is the system's own`);
}

function toAbsolute(given: string, { cwd, home }: Workspace): string {
  if (isAbsolute(given)) return given;
  if (!/^~(?:$|[\\/])/.test(given)) return `${cwd}${SEPARATOR}${given}`;
  if (home === undefined) throw new PathError(`Cannot use ${quotePath(given)}: the home folder is not known`);
  return `${home}${SEPARATOR}${given.slice(2)}`;
}

interface Canonical {
  path: string;
  exists: boolean;
}

/**
 * Resolves links from the root down as the system does: `..` after a link leaves the folder that the link points to.
 * Deno itself is never shown a `..`: under a scoped grant it would shorten `link/..` before it looks.
 */
async function canonicalise(path: string, state: { given: string; hops: number }): Promise<Canonical> {
  const { given, hops } = state;
  if (hops > MAX_LINKS) throw new PathError(`Cannot use ${quotePath(given)}: too many links`);
  const segments = path.split(SEPARATOR_PATTERN).filter((segment, i) => i === 0 || (segment !== "" && segment !== "."));
  const up = segments.indexOf("..");
  if (up >= 0) {
    const before = await canonicalise(segments.slice(0, up).join(SEPARATOR) + SEPARATOR, state);
    if (!before.exists) {
      throw new PathError(
        `Cannot use ${quotePath(given)}: ".." follows ${quotePath(before.path)}, which does not exist`,
      );
    }
    return await canonicalise([dirname(before.path), ...segments.slice(up + 1)].join(SEPARATOR), state);
  }
  const clean = segments.length === 1 ? `${segments[0]}${SEPARATOR}` : segments.join(SEPARATOR);
  const real = await lookUp(given, clean, () => Deno.realPath(clean));
  if (real !== undefined) return { path: real, exists: true };
  const parent = await canonicalise(dirname(clean), state);
  const name = basename(clean);
  if (parent.exists) {
    const there = join(parent.path, name);
    const status = await lookUp(given, there, () => Deno.lstat(there));
    if (status?.isSymlink) {
      const target = await lookUp(given, there, () => Deno.readLink(there)) ?? "";
      const next = isAbsolute(target) ? target : `${parent.path}${SEPARATOR}${target}`;
      return await canonicalise(next, { given, hops: hops + 1 });
    }
    const twin = await otherSpelling(parent.path, name, given);
    if (twin !== undefined) return await canonicalise(join(parent.path, twin), state);
  }
  return { path: join(parent.path, name), exists: false };
}

/** The name in that folder which differs only in its Unicode form, if there is one. */
async function otherSpelling(folder: string, name: string, given: string): Promise<string | undefined> {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(name)) return undefined;
  const wanted = name.normalize("NFC");
  return await lookUp(given, folder, async () => {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.name !== name && entry.name.normalize("NFC") === wanted) return entry.name;
    }
    return undefined;
  });
}

async function describe(path: string, given: string): Promise<Pick<ResolvedPath, "type" | "links">> {
  const status = await lookUp(given, path, () => Deno.lstat(path));
  if (status === undefined) return { type: "absent" };
  if (status.isSymlink) throw new PathError(`Cannot use ${quotePath(given)}: it was changed while it was looked up`);
  if (status.isDirectory) return { type: "folder" };
  if (!status.isFile) return { type: "other" };
  return status.nlink === null ? { type: "file" } : { type: "file", links: status.nlink };
}

/** What the file system answers, or `undefined` if nothing is there. Any doubt is an error. */
async function lookUp<T>(given: string, path: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    if (!isHeld({ name: "read", path })) throw new Deno.errors.NotCapable();
    return await ask();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new PathError(`Cannot use ${quotePath(given)}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "Deno holds no permission to read what it leads to (--allow-read)";
  }
  if (error instanceof Deno.errors.FilesystemLoop) return "its links lead in a circle";
  if (error instanceof Deno.errors.NotADirectory) return "a part of it is a file, not a folder";
  if (error instanceof Deno.errors.PermissionDenied) return "a folder on the way to it may not be read";
  return "it cannot be looked up";
}
