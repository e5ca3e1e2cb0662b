import { quotePath } from "../permissions/paths.ts";
import { type Glob, globHint, parseGlob } from "./glob.ts";
import { rulesAbove } from "./ignore_files.ts";
import { counted, namingNote } from "./result_notes.ts";
import { findStartFolder, shownPath } from "./start_point.ts";
import { TimeSlices } from "./time_slices.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";
import { prefixOf, toSlashes } from "./tree_access.ts";
import { walk } from "./walk.ts";

/** What `find_files` is given. */
export interface FindFilesInput {
  pattern: string;
  path?: string | undefined;
}

/** Paths that are shown; the rest is counted. */
const MAX_PATHS = 300;
/** A walk through a whole disk ends after this time. */
const MAX_DURATION_MS = 30_000;

/** Runs one call of `find_files`. */
export async function call({ pattern, path }: FindFilesInput, context: ToolContext): Promise<ToolOutput> {
  const folder = await findStartFolder(path || ".", context);
  const prefix = prefixOf(toSlashes(folder));
  const glob = globOf(pattern, prefix);
  const found: string[] = [];
  const unreadable: string[] = [];
  const folders: string[] = [];
  const ignored: string[] = [];
  let omitted = 0;
  const entries = walk(folder, {
    rules: rulesAbove(folder, context.workspace.roots),
    enter: (entry) => glob.mayMatchIn(entry.path.slice(prefix.length)),
    onIgnored: ({ path, type }) =>
      found.length === 0 && ignored.push(shownPath(path, context.cwd) + (type === "folder" ? "/" : "")),
    onUnreadable: (path) => unreadable.push(`${shownPath(path, context.cwd)}/`),
  });
  const slices = new TimeSlices(context.signal, MAX_DURATION_MS);
  for (const entry of entries) {
    if (entry.type !== "other" && glob.matches(entry.path.slice(prefix.length))) {
      const path = shownPath(entry.path, context.cwd);
      if (entry.type === "folder") folders.push(`${path}/`);
      else if (found.length < MAX_PATHS) found.push(path);
      else omitted++;
    }
    if (slices.isOver && !await slices.pause()) break;
  }
  const lines = [
    ...found.length > 0 ? found : nothingFound(pattern, { folders, ignored }),
    ...omitted > 0 ? [`[${counted(omitted, "more file")}: use a narrower pattern]`] : [],
    ...slices.isExpired ? ["[the time is up: there may be more files]"] : [],
    ...namingNote("cannot be read", unreadable),
  ];
  return { content: lines.join("\n") };
}

/** With what may have been meant. */
function nothingFound(pattern: string, { folders, ignored }: { folders: string[]; ignored: string[] }): string[] {
  return [
    `No file matches ${quotePath(pattern)}${globHint(pattern)}`,
    ...namingNote("folders that match: list_files shows what they hold", folders),
    ...namingNote("ignored by git, looked into only as path", ignored),
  ];
}

/** @throws {ToolError} If the pattern is not a glob. */
function globOf(pattern: string, prefix: string): Glob {
  const relative = toSlashes(pattern).startsWith(prefix) ? pattern.slice(prefix.length) : pattern;
  try {
    return parseGlob(relative);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError(`Cannot use the pattern ${quotePath(pattern)}: ${error.message}`, { cause: error });
  }
}
