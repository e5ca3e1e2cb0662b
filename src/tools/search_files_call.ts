import { quotePath } from "../permissions/paths.ts";
import { candidates } from "./candidates.ts";
import { FileSearch } from "./file_search.ts";
import { globHint, parseGlob } from "./glob.ts";
import { patternHints } from "./pattern_hints.ts";
import { counted, namingNote } from "./result_notes.ts";
import { ripgrepFilter } from "./ripgrep.ts";
import { parsePattern } from "./search_pattern.ts";
import { SearchReport } from "./search_report.ts";
import { SearchScope } from "./search_scope.ts";
import { findStart, shownPath } from "./start_point.ts";
import { TimeSlices } from "./time_slices.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** What `search_files` is given. */
export interface SearchFilesInput {
  pattern: string;
  path?: string | undefined;
  include?: string | undefined;
  ignore_case?: boolean | undefined;
  context?: number | undefined;
  mode?: "content" | "files" | "count" | undefined;
  limit?: number | undefined;
}

/** Matching lines that are shown of one file among others. */
const MAX_LINES_OF_FILE = 50;
const DEFAULT_LIMIT = 200;
/** A search through a whole disk ends after this time. */
const MAX_DURATION_MS = 60_000;

/** Runs one call of `search_files`. */
export async function call(input: SearchFilesInput, context: ToolContext): Promise<ToolOutput> {
  const { pattern, mode = "content", limit = DEFAULT_LIMIT, context: around = 0 } = input;
  const [path, include] = [input.path || ".", input.include || undefined];
  const start = await findStart(path, context);
  const slices = new TimeSlices(context.signal, MAX_DURATION_MS);
  const parsed = readAs("pattern", pattern, () => parsePattern(pattern, input.ignore_case ?? false));
  const glob = include === undefined ? undefined : readAs("include", include, () => parseGlob(include));
  const maxLines = start.type === "file" ? limit : Math.min(limit, MAX_LINES_OF_FILE);
  const search = readAs(
    "pattern",
    pattern,
    () => new FileSearch(parsed, { maxLines, context: around, mode, slices }),
  );
  const scope = new SearchScope(start, glob, context);
  const report = new SearchReport({ mode, limit, hasContext: around > 0 });

  let last = start.path;
  const openFilter = () => ripgrepFilter(parsed, context);
  const portions = candidates(scope.files(), { openFilter, slices, signal: context.signal });
  search: for await (const files of portions) {
    for (const file of files) {
      if (report.isFull || slices.isExpired) break search;
      const hits = await search.search(file);
      if (hits === "binary" && start.type === "file") {
        throw new ToolError(`Cannot search ${quotePath(path)}: it is a binary file`);
      }
      if (hits === "unreadable") scope.unreadable.push(file);
      else if (hits !== "binary" && hits.count > 0) report.add(shownPath(file, context.cwd), hits);
      last = file;
    }
  }
  const shown = (paths: readonly string[]) => paths.map((path) => shownPath(path, context.cwd));
  const reason = report.isFull ? "enough was found" : slices.isExpired ? "the time is up" : undefined;
  const lines = [
    ...report.isEmpty ? nothingFound({ pattern, include, files: scope.count }) : report.render(),
    ...reason === undefined ? [] : [`[${reason}: what comes after ${shown([last])} was not searched]`],
    ...namingNote("passed by as secret", shown(scope.secrets)),
    ...namingNote("cannot be read", shown(scope.unreadable)),
  ];
  return { content: lines.join("\n") };
}

/** With why that may be. */
function nothingFound({ pattern, include, files }: { pattern: string; include: string | undefined; files: number }) {
  if (files === 0 && include !== undefined) {
    return [
      `No line matches ${quotePath(pattern)}: no file fits the include ${quotePath(include)}${globHint(include)}`,
    ];
  }
  return [`No line matches ${quotePath(pattern)} in ${counted(files, "file")}`, ...patternHints(pattern)];
}

/** @throws {ToolError} If the text is not what it should be; the message says why. */
function readAs<T>(name: string, text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError(`Cannot use the ${name} ${quotePath(text)}: ${error.message}`, { cause: error });
  }
}
