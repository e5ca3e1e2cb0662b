/**
 * Paths as this system writes them; use these instead of `@std/path/join` and its siblings. Those ask Node's `process`
 * which system this is, and Deno then loads its whole Node layer, which costs a third of a start.
 *
 * @module
 */

const path = Deno.build.os === "windows" ? await import("./windows_path.ts") : await import("./posix_path.ts");

export const { basename, dirname, fromFileUrl, isAbsolute, join, relative, resolve, SEPARATOR, SEPARATOR_PATTERN } =
  path;
