// Declarations of @std/fs. A line "//# FILE" names the file that exports what follows, and the
// types of other files that it exports again.
import type { GlobOptions } from "@std/path/glob-to-regexp";
export type { GlobOptions };

//# copy
/** How `copy()` treats what is there already. */
export interface CopyOptions {
  overwrite?: boolean;
  preserveTimestamps?: boolean;
}
/** Copies a file or a folder. */
export function copy(src: string | URL, dest: string | URL, options?: CopyOptions): Promise<void>;
/** Copies a file or a folder. */
export function copySync(src: string | URL, dest: string | URL, options?: CopyOptions): void;

//# empty_dir
/** Makes a folder that is empty. */
export function emptyDir(dir: string | URL): Promise<void>;
/** Makes a folder that is empty. */
export function emptyDirSync(dir: string | URL): void;

//# ensure_dir
/** Makes a folder, with its parents, unless it is there. */
export function ensureDir(dir: string | URL): Promise<void>;
/** Makes a folder, with its parents, unless it is there. */
export function ensureDirSync(dir: string | URL): void;

//# ensure_file
/** Makes a file, with its folder, unless it is there. */
export function ensureFile(filePath: string | URL): Promise<void>;
/** Makes a file, with its folder, unless it is there. */
export function ensureFileSync(filePath: string | URL): void;

//# ensure_link
/** Makes a hard link, with its folder, unless it is there. */
export function ensureLink(src: string | URL, dest: string | URL): Promise<void>;
/** Makes a hard link, with its folder, unless it is there. */
export function ensureLinkSync(src: string | URL, dest: string | URL): void;

//# ensure_symlink
/** Makes a symbolic link, with its folder, unless it is there. */
export function ensureSymlink(target: string | URL, linkName: string | URL): Promise<void>;
/** Makes a symbolic link, with its folder, unless it is there. */
export function ensureSymlinkSync(target: string | URL, linkName: string | URL): void;

//# eol
/** The line end of Unix. */
export const LF: "\n";
/** The line end of Windows. */
export const CRLF: "\r\n";
/** The line end of this system. */
export const EOL: "\n" | "\r\n";
/** The line end that a text uses. */
export function detect(content: string): typeof EOL | null;
/** A text with the given line ends. */
export function format(content: string, eol: typeof EOL): string;

//# exists
/** What has to be there. */
export interface ExistsOptions {
  isReadable?: boolean;
  isDirectory?: boolean;
  isFile?: boolean;
}
/** Whether something is there. */
export function exists(path: string | URL, options?: ExistsOptions): Promise<boolean>;
/** Whether something is there. */
export function existsSync(path: string | URL, options?: ExistsOptions): boolean;

//# expand_glob GlobOptions WalkEntry
/** How a glob is expanded. */
export interface ExpandGlobOptions extends Omit<GlobOptions, "os"> {
  root?: string;
  exclude?: string[];
  includeDirs?: boolean;
  followSymlinks?: boolean;
  canonicalize?: boolean;
}
/** What a glob matches. */
export function expandGlob(glob: string | URL, options?: ExpandGlobOptions): AsyncIterableIterator<WalkEntry>;
/** What a glob matches. */
export function expandGlobSync(glob: string | URL, options?: ExpandGlobOptions): IterableIterator<WalkEntry>;

//# move
/** How `move()` treats what is there already. */
export interface MoveOptions {
  overwrite?: boolean;
}
/** Moves a file or a folder. */
export function move(src: string | URL, dest: string | URL, options?: MoveOptions): Promise<void>;
/** Moves a file or a folder. */
export function moveSync(src: string | URL, dest: string | URL, options?: MoveOptions): void;

//# walk
/** Where `walk()` goes and what it yields. */
export interface WalkOptions {
  maxDepth?: number;
  includeFiles?: boolean;
  includeDirs?: boolean;
  includeSymlinks?: boolean;
  followSymlinks?: boolean;
  canonicalize?: boolean;
  exts?: string[];
  match?: RegExp[];
  skip?: RegExp[];
}
/** An entry of a folder, with its path. */
export interface WalkEntry extends Deno.DirEntry {
  path: string;
}
/** All that lies below a folder, the folder first. */
export function walk(root: string | URL, options?: WalkOptions): AsyncIterableIterator<WalkEntry>;
/** All that lies below a folder, the folder first. */
export function walkSync(root: string | URL, options?: WalkOptions): IterableIterator<WalkEntry>;
