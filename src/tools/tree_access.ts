/**
 * What a look at a folder tree has to know about paths and failures.
 *
 * @module
 */

/**
 * Whether Deno or the system did not let us look: gone, closed, too deep, broken. Whoever looks at a tree goes on
 * without it. An interruption is none of these, though it has a number for a code.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable ||
    (error instanceof Error && "code" in error && typeof error.code === "string");
}

/** A path with `/` between the names. */
export function toSlashes(path: string): string {
  return Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
}

/** The start of the paths of what a folder holds. */
export function prefixOf(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
