/**
 * What the result of a command says of protected paths that the sandbox moved aside.
 *
 * @module
 */

/** There may be hundreds, and the result has room for some. */
const MAX_SHOWN = 20;

/** Lines for the end of a result; none if nothing was moved. */
export function movedNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length - MAX_SHOWN;
  return [
    'Moved aside to "….quarantined-1", since protected paths are made only with the user\'s consent' +
    ' (needs: "outside" asks for it):',
    ...paths.slice(0, MAX_SHOWN),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
