/**
 * Tells the model when a command was written for another shell than the system's.
 *
 * @module
 */

/** What a plain `sh` says of what only bash has. */
const FOR_BASH = new RegExp(
  `^sh: \\d+: (?:${
    [
      "Bad substitution",
      "(?:\\[\\[|source|declare|typeset|shopt|pushd|popd|let|mapfile|readarray): not found",
      "set: Illegal option -o pipefail",
      "read: Illegal option -[ad]",
      'Syntax error: (?:"\\(" unexpected|redirection unexpected|Bad for loop variable)',
    ].join("|")
  })`,
  "m",
);

/** A line for the end of a result, if there is something to say. */
export function shellHint(output: string): string[] {
  return FOR_BASH.test(output) ? ["The shell is sh: run what is written for bash as bash -c '…'"] : [];
}
