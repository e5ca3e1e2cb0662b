/**
 * Matches paths against the rules about them.
 *
 * @module
 */

import { resolve } from "./os_path.ts";
import { matchSegments } from "./path_glob.ts";
import type { ResolvedPath, Workspace } from "./paths.ts";
import { fold, segmentsOf } from "./path_names.ts";

/**
 * For rules that forbid or ask: matches if the path as written or the canonical one does, whatever their case and
 * Unicode form, and also what lies below a match.
 */
export function matchesEither(glob: string, found: ResolvedPath, workspace: Workspace): boolean {
  const pattern = globSegments(glob, workspace).map(fold);
  return [found.path, asWritten(found.given, workspace)].some((path) =>
    matchSegments(pattern, segmentsOf(path).map(fold), true)
  );
}

/** For rules that allow: matches only if both the path as written and the canonical one do, to the letter. */
export function matchesBoth(glob: string, found: ResolvedPath, workspace: Workspace): boolean {
  if (glob.startsWith("~") && workspace.home === undefined) return false;
  const pattern = globSegments(glob, workspace);
  return [found.path, asWritten(found.given, workspace)].every((path) =>
    matchSegments(pattern, segmentsOf(path), false)
  );
}

/** Whether a canonical path is one of those, or below one of those, that rules which forbid or ask name. */
export function matchesAny(globs: readonly string[], workspace: Workspace): (path: string) => boolean {
  const patterns = globs.map((glob) => globSegments(glob, workspace).map(fold));
  if (patterns.length === 0) return () => false;
  return (path) => {
    const segments = segmentsOf(path).map(fold);
    return patterns.some((pattern) => matchSegments(pattern, segments, true));
  };
}

/** The segments of a glob from the root of the disk on. */
export function globSegments(glob: string, { cwd, home }: Workspace): string[] {
  if (glob.startsWith("./")) return [...segmentsOf(cwd), ...plainSegments(glob)];
  if (!glob.startsWith("~")) return plainSegments(glob);
  return [...home === undefined ? ["**"] : segmentsOf(home), ...plainSegments(glob.slice(1))];
}

function plainSegments(path: string): string[] {
  return segmentsOf(path).filter((segment) => segment !== ".");
}

function asWritten(given: string, { cwd, home }: Workspace): string {
  return /^~(?:$|[\\/])/.test(given) && home !== undefined ? resolve(home, `.${given.slice(1)}`) : resolve(cwd, given);
}
