// Declarations of @std/path. A line "//# FILE" names the file that exports what follows, and the
// types of other files that it exports again.

//# constants
/** Separates paths in a list. */
export const DELIMITER: ":" | ";";
/** Separates the parts of a path. */
export const SEPARATOR: "/" | "\\";
/** Matches one or more separators. */
export const SEPARATOR_PATTERN: RegExp;

//# types
/** The parts of a path. */
export interface ParsedPath {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}

//# basename
/** The last part of a path, without `suffix`. */
export function basename(path: string | URL, suffix?: string): string;

//# common
/** The folder that all paths have in common. */
export function common(paths: string[]): string;

//# dirname
/** The folder a path is in. */
export function dirname(path: string | URL): string;

//# extname
/** The extension of a path, with its dot. */
export function extname(path: string | URL): string;

//# format
/** A path from its parts. */
export function format(pathObject: Partial<ParsedPath>): string;

//# from_file_url
/** The path of a `file:` URL. */
export function fromFileUrl(url: string | URL): string;

//# glob_to_regexp
/** How a glob is read. */
export interface GlobOptions {
  extended?: boolean;
  globstar?: boolean;
  caseInsensitive?: boolean;
}
/** The regular expression that matches what a glob matches. */
export function globToRegExp(glob: string, options?: GlobOptions): RegExp;

//# is_absolute
/** Whether a path is absolute. */
export function isAbsolute(path: string): boolean;

//# is_glob
/** Whether a text is a glob. */
export function isGlob(str: string): boolean;

//# join
/** One normalized path of several. */
export function join(path: string | URL, ...paths: string[]): string;

//# join_globs GlobOptions
/** Like `join()`, for globs. */
export function joinGlobs(globs: string[], options?: GlobOptions): string;

//# normalize
/** A path without `.`, `..` and repeated separators. */
export function normalize(path: string | URL): string;

//# normalize_glob GlobOptions
/** Like `normalize()`, for globs. */
export function normalizeGlob(glob: string, options?: GlobOptions): string;

//# parse ParsedPath
/** The parts of a path. */
export function parse(path: string): ParsedPath;

//# relative
/** The way from one path to another. */
export function relative(from: string, to: string): string;

//# resolve
/** An absolute path of several parts, the last absolute one first. */
export function resolve(...pathSegments: string[]): string;

//# to_file_url
/** The `file:` URL of an absolute path. */
export function toFileUrl(path: string): URL;

//# to_namespaced_path
/** A path in the namespaced form of Windows. */
export function toNamespacedPath(path: string): string;
