/**
 * What the result of a command says of protected paths that it made or changed in the sandbox.
 *
 * @module
 */

import type { Aftermath } from "../permissions/sandbox_guard.ts";

/** There may be hundreds, and the result has room for some. */
const MAX_SHOWN = 20;

/** Lines for the end of a result; none if nothing was made or changed. */
export function movedNotes(aftermath: Aftermath | undefined): string[] {
  const { moved = [], changed = [], unwatched = 0 } = aftermath ?? {};
  return [
    ...list(
      'Moved aside to "….quarantined-1", since protected paths are made only with the user\'s consent' +
        ' (needs: "outside" asks for it):',
      moved,
    ),
    ...list(
      "Changed while the command ran, though protected; the user must look at them before they are used:",
      changed,
    ),
    ...unwatched > 0
      ? [`${unwatched} more protected path${unwatched === 1 ? "" : "s"} could not be watched: there are too many`]
      : [],
  ];
}

function list(heading: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length - MAX_SHOWN;
  return [heading, ...paths.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
}
