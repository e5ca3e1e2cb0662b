/**
 * What a look at a folder tree has to know about paths and failures.
 *
 * @module
 */

/** Gone, changed meanwhile or closed to us: whoever looks at a tree goes on without it. */
export function isUnreadable(error: unknown): boolean {
  return [
    Deno.errors.NotFound,
    Deno.errors.NotCapable,
    Deno.errors.PermissionDenied,
    Deno.errors.NotADirectory,
    Deno.errors.IsADirectory,
    Deno.errors.FilesystemLoop,
  ].some((kind) => error instanceof kind);
}

/** A path with `/` between the names. */
export function toSlashes(path: string): string {
  return Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
}

/** The start of the paths of what a folder holds. */
export function prefixOf(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
