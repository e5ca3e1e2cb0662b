/**
 * Looks up the programs of a command: an allow rule for `git` does not cover a `git` that the workspace brought along.
 *
 * @module
 */

import { isHeld } from "./held.ts";
import { isAbsolute, join } from "./os_path.ts";
import { isWithin, type Workspace } from "./paths.ts";
import { readSequence } from "./shell_words.ts";

/**
 * Whether each program of a plain command is found on the search path, in a file outside the workspace. What cannot be
 * looked up counts as not found.
 *
 * @param searchPath The folders of the `PATH` that the command will run with.
 */
export function findPrograms(
  command: string,
  { searchPath, workspace }: { searchPath: readonly string[]; workspace: Workspace },
): boolean {
  const list = readSequence(command);
  if (!list.understood) return false;
  for (const [program = ""] of list.value) {
    if (program === "cd") continue; // the shell's own
    const file = locate(program, searchPath);
    if (file === undefined || workspace.roots.some((root) => isWithin(file, root))) return false;
  }
  return true;
}

/** The canonical path of the file that a shell would start. */
function locate(program: string, searchPath: readonly string[]): string | undefined {
  if (program.includes("/") && !isAbsolute(program)) return undefined;
  const candidates = isAbsolute(program) ? [program] : searchPath.map((folder) => join(folder, program));
  for (const candidate of candidates) {
    if (!isAbsolute(candidate)) return undefined; // the search path leads into the working folder
    if (!isHeld({ name: "read", path: candidate })) return undefined;
    try {
      const { isFile, mode } = Deno.statSync(candidate);
      if (isFile && (mode === null || (mode & 0o111) !== 0)) return Deno.realPathSync(candidate);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) return undefined;
    }
  }
  return undefined;
}
