/**
 * Compares paths name by name.
 *
 * @module
 */

import { SEPARATOR_PATTERN } from "./os_path.ts";

/** Whether `path` is `folder` or lies below it, by segments. Both are canonical. */
export function isWithin(path: string, folder: string): boolean {
  const inner = segmentsOf(path);
  const outer = segmentsOf(folder);
  return outer.length <= inner.length && outer.every((segment, i) => segment === inner[i]);
}

/** A name or path in the form in which two spellings of it are equal on the most forgiving file system. */
export function fold(name: string): string {
  // upper case first: a long s becomes an s, as file systems that ignore case have it
  const folded = name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  // left out by HFS+ in the whole name, by Windows at its end
  return folded.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "").replace(/(?<=[^. ])[. ]+$/, "");
}

/** The segments of a path, on any system. */
export function segmentsOf(path: string): string[] {
  return path.split(SEPARATOR_PATTERN).filter((segment) => segment !== "");
}

/** Whether a path belongs to a package that was installed. */
export function isInPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
