/**
 * `rg`, where it is there and may be run: it uses all processors to find out which of many files have a match. Which
 * files are looked at and what is shown of them is decided elsewhere, so that it changes nothing but the time.
 *
 * @module
 */

import { isAbsolute, join } from "../permissions/os_path.ts";
import { isWithin, type Workspace } from "../permissions/paths.ts";
import { matchesOtherText, OTHER_TEXT_OPTIONS } from "./other_text.ts";
import { decodeOutput } from "./output_buffer.ts";
import { runProcess } from "./run_process.ts";
import type { PatternNode, SearchPattern } from "./search_pattern.ts";
import type { ChildSettings, ToolContext } from "./tool.ts";
import { isUnreadable, prefixOf, toSlashes } from "./tree_access.ts";

/** Leaves out of some files those that have no match. */
export type FileFilter = (files: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;

/** Each file as text, by the contents alone. */
const OPTIONS = [
  "--no-config",
  "--files-with-matches",
  "--null",
  "--text",
  "--no-ignore",
  "--hidden",
  "--no-messages",
  "--color=never",
];
const TIME_LIMIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 2_000_000;

/**
 * Finds `rg` and makes a filter of it.
 *
 * @returns Nothing if there is no `rg`, it may not be run, or it would understand the pattern differently.
 */
export async function ripgrepFilter(pattern: SearchPattern, context: ToolContext): Promise<FileFilter | undefined> {
  const source = ripgrepSource(pattern.root);
  if (source === undefined) return undefined;
  const child = await context.confinedChild?.().catch(() => undefined) ?? context.child;
  const program = await findRipgrep(child, context.workspace);
  if (program === undefined) return undefined;
  const options = ["--crlf", ...pattern.ignoreCase ? ["--ignore-case"] : [], `--regexp=${source}`];
  const searches = matchesOtherText(pattern) ? [options, OTHER_TEXT_OPTIONS] : [options];
  const prefix = prefixOf(toSlashes(context.cwd));
  // as short as can be: the system bounds a command line
  const nameOf = (file: string) => file.startsWith(prefix) ? `./${file.slice(prefix.length)}` : file;
  const list = async (options: readonly string[], names: readonly string[], signal: AbortSignal) => {
    const { code, stdout, timedOut } = await runProcess([program, ...OPTIONS, ...options, "--", ...names], {
      ...child,
      cwd: context.cwd,
      readOnly: true,
      signal,
      timeoutMs: TIME_LIMIT_MS,
      maxBytes: MAX_OUTPUT_BYTES,
    });
    // 1 means that no file has a match; whatever went wrong, the files themselves still tell
    if (timedOut || code > 1 || stdout.omittedBytes > 0) return undefined;
    return decodeOutput(stdout).split("\0");
  };
  return async (files, signal) => {
    const names = files.map(nameOf);
    const lists = await Promise.all(searches.map((options) => list(options, names, signal)));
    if (lists.includes(undefined)) return files;
    const found = new Set(lists.flatMap((list) => list ?? []));
    return files.filter((file) => found.has(nameOf(file)));
  };
}

/** The pattern as `rg` writes it, or nothing if it cannot. */
export function ripgrepSource(node: PatternNode): string | undefined {
  switch (node.type) {
    case "char":
      return node.rg;
    case "assertion":
      return { line_start: "^", line_end: "$", word_boundary: "\\b", no_word_boundary: "\\B" }[node.kind];
    case "sequence":
      return joined(node.parts, "");
    case "choice":
      return joined(node.options, "|");
    case "repeat": {
      const body = ripgrepSource(node.body);
      return body && `(?:${body}){${node.min},${node.max === Infinity ? "" : node.max}}`;
    }
    default:
      return node satisfies never;
  }
}

function joined(nodes: readonly PatternNode[], separator: string): string | undefined {
  const sources = nodes.map(ripgrepSource);
  return sources.every((source) => source !== undefined) ? `(?:${sources.join(separator)})` : undefined;
}

/** The first `rg` on the search path that may be run. One that the workspace brought along is not trusted. */
async function findRipgrep(child: ChildSettings, workspace: Workspace): Promise<string | undefined> {
  const isWindows = Deno.build.os === "windows";
  for (const folder of (child.env["PATH"] ?? "").split(isWindows ? ";" : ":")) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, isWindows ? "rg.exe" : "rg");
    const file = await realFile(path);
    if (file === undefined || workspace.roots.some((root) => isWithin(file, root))) continue;
    const program = child.sandbox?.([path], { cwd: workspace.cwd, network: false, readOnly: true, env: child.env })
      .command[0] ?? path;
    return await isGranted({ name: "run", command: program }) ? path : undefined;
  }
  return undefined;
}

async function realFile(path: string): Promise<string | undefined> {
  if (!await isGranted({ name: "read", path })) return undefined;
  try {
    return (await Deno.stat(path)).isFile ? await Deno.realPath(path) : undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Asked before anything that might put a question of Deno to the person. */
async function isGranted(permission: Deno.PermissionDescriptor): Promise<boolean> {
  return (await Deno.permissions.query(permission)).state === "granted";
}
