/**
 * Measures the search tools beside `rg` on a generated tree of 20,000 files and 200 MB, warm. Both run in turns, so that
 * a busy machine slows both.
 *
 * @module
 */

import { join } from "@std/path/join";
import { FileSearch } from "../../src/tools/file_search.ts";
import { findFiles } from "../../src/tools/find_files.ts";
import { searchFiles } from "../../src/tools/search_files.ts";
import { parsePattern } from "../../src/tools/search_pattern.ts";
import { SearchScope } from "../../src/tools/search_scope.ts";
import { TimeSlices } from "../../src/tools/time_slices.ts";
import type { Tool, ToolContext } from "../../src/tools/tool.ts";
import type { Row } from "./rows.ts";

const BYTES_OF_FILE = 10_000;
const FILES = 20_000;
const SMALL_FILES = 100;
const RARE = "rare_needle";
const COMMON = "common_needle";
/** Holds no text that could be looked for first. */
const SHAPE = "\\b[a-z]1\\w+\\(z";
const PATH = Deno.env.get("PATH") ?? "";

/** A figure that `rg` has too. */
interface Comparison {
  figure: string;
  goal: string;
  ours(folder: string): Promise<unknown>;
  floor(folder: string): Promise<unknown>;
}

const COMPARISONS: readonly Comparison[] = [
  {
    figure: "rare word",
    goal: "3x",
    ours: (folder) => searchAll(folder, RARE),
    floor: (folder) => rg(folder, ["-n", RARE]),
  },
  {
    figure: "one hit in each file",
    goal: "3x",
    ours: (folder) => searchAll(folder, COMMON),
    floor: (folder) => rg(folder, ["-n", COMMON]),
  },
  {
    figure: "expression without a text",
    goal: "none",
    ours: (folder) => searchAll(folder, SHAPE),
    floor: (folder) => rg(folder, ["-n", SHAPE]),
  },
  {
    figure: "rare word, with rg",
    goal: "none",
    ours: (folder) => call(searchFiles, folder, { pattern: RARE }, PATH),
    floor: (folder) => rg(folder, ["-n", RARE]),
  },
  {
    figure: "listing by glob",
    goal: "2x",
    ours: (folder) => call(findFiles, folder, { pattern: "**/*.ts" }),
    floor: (folder) => rg(folder, ["--files", "-g", "*.ts"]),
  },
];

/** Makes the trees, measures, and removes them. The floor is `rg`. */
export async function measureSearch(runs: number): Promise<Row[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "mini-agent-bench-" }));
  try {
    const [large, small] = [join(folder, "large"), join(folder, "small")];
    await makeTree(large, FILES);
    await makeTree(small, SMALL_FILES);
    const memory = await watchMemory(() => searchAll(large, RARE));
    const rows: Row[] = [];
    for (const comparison of COMPARISONS) rows.push(await inTurns(comparison, large, runs));
    const smallMs = await median(runs * 5, () => call(searchFiles, small, { pattern: RARE }));
    return [
      ...rows,
      { figure: `a project of ${SMALL_FILES} files`, unit: "ms", ours: smallMs, goal: "at most 10" },
      { figure: "interrupt", unit: "ms", ours: await timeToStop(large), goal: "at most 200" },
      { figure: "memory above the start", unit: "MB", ours: memory, goal: "at most 60" },
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Fills a folder with files of words: each has one common line, five have the rare one. */
async function makeTree(folder: string, files: number): Promise<void> {
  const words = Array.from({ length: 4000 }, (_, i) => `w${((i * 2654435761) % 1e9).toString(36)}`);
  let state = 1;
  const below = (limit: number) => (state = (state * 1103515245 + 12345) % 2147483648) % limit;
  const line = () =>
    Array.from({ length: 3 + below(9) }, () => words[below(words.length)] + (below(5) === 0 ? "(" : " ")).join("");
  const lines = Array.from({ length: 20_000 }, line);
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    join(folder, ".gitignore"),
    "node_modules/\n*.log\n/dist\n!keep.log\n.env\ncoverage/\n*.tmp\n",
  );
  for (let i = 0; i < files; i++) {
    const parent = join(folder, `package${i % 20}`, "src", `module${i % 400}`);
    if (i < 400) await Deno.mkdir(parent, { recursive: true });
    const length = BYTES_OF_FILE * (0.2 + below(1600) / 1000);
    const content: string[] = [];
    for (let size = 0; size < length; size += content.at(-1)!.length + 1) content.push(lines[below(lines.length)]!);
    content.push(`${COMMON} ${i}`, i % Math.ceil(files / 5) === 7 ? RARE : "");
    await Deno.writeTextFile(join(parent, `file_${i}.${["ts", "md", "js", "py"][below(4)]}`), content.join("\n"));
  }
}

/** All matching lines of a tree, without the limits of the tool. */
async function searchAll(folder: string, pattern: string): Promise<number> {
  const context = contextOf(folder);
  const slices = new TimeSlices(context.signal);
  const search = new FileSearch(parsePattern(pattern, false), {
    maxLines: Infinity,
    context: 0,
    mode: "content",
    slices,
  });
  let count = 0;
  for (const file of new SearchScope({ path: folder, type: "folder" }, undefined, context).files()) {
    const hits = await search.search(file);
    if (typeof hits !== "string") count += hits.lines.length;
  }
  return count;
}

async function call(tool: Tool, folder: string, input: unknown, path = ""): Promise<void> {
  await tool.execute(input, contextOf(folder, path));
}

function contextOf(cwd: string, path = "", signal = new AbortController().signal): ToolContext {
  const child = { env: { PATH: path } };
  return { cwd, signal, workspace: { cwd, roots: [cwd] }, granted: new Set(), seen: new Map(), child };
}

async function rg(folder: string, args: readonly string[]): Promise<void> {
  const options = ["--no-config", "--hidden", "--no-heading", ...args, folder];
  const { code, stderr } = await new Deno.Command("rg", { args: options }).output();
  if (code > 1) throw new Error(new TextDecoder().decode(stderr));
}

/** The fastest of several runs each, in turns. */
async function inTurns({ figure, goal, ours, floor }: Comparison, folder: string, runs: number): Promise<Row> {
  const times: [number, number][] = [];
  for (let i = 0; i < runs; i++) times.push([await time(() => ours(folder)), await time(() => floor(folder))]);
  const best = (which: 0 | 1) => Math.min(...times.map((pair) => pair[which]));
  return { figure, unit: "ms", ours: best(0), floor: best(1), goal };
}

async function median(runs: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) times.push(await time(run));
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)]!;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Megabytes of memory that a run adds at its height. */
async function watchMemory(run: () => Promise<unknown>): Promise<number> {
  const before = Deno.memoryUsage().rss;
  let highest = before;
  const timer = setInterval(() => highest = Math.max(highest, Deno.memoryUsage().rss), 5);
  await run();
  clearInterval(timer);
  return (highest - before) / 1e6;
}

/** The longest of some waits from an interrupt to the end of the call. */
async function timeToStop(folder: string): Promise<number> {
  const waits: number[] = [];
  for (const afterMs of [5, 20, 50, 90, 130]) {
    const controller = new AbortController();
    const interrupted = Promise.withResolvers<number>();
    setTimeout(() => {
      controller.abort();
      interrupted.resolve(performance.now());
    }, afterMs);
    const context = contextOf(folder, "", controller.signal);
    // where the machine is so fast that it is over before, the wait is below zero
    await searchFiles.execute({ pattern: "nowhere to be found" }, context).catch(() => {});
    const endedAt = performance.now();
    waits.push(endedAt - await interrupted.promise);
  }
  return Math.max(...waits);
}
