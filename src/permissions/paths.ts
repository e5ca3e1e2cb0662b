/**
 * Decides for every tool whether a path is inside, protected or secret: by canonical path, and fail-closed.
 *
 * @module
 */

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
}

/** A path cannot be used. The message is for the model. */
export class PathError extends Error {
  override readonly name = "PathError";
}
