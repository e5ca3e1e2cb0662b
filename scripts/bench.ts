/**
 * Measures speed and size against a floor, a one-file program that sends the same requests and does nothing else. Ours
 * and the floor run in turns, so that a busy machine slows both. Works on Linux, whose /proc it reads.
 *
 *     deno task bench [--runs N] [--only PART]...
 *
 * The parts are `start`, `words`, `steps`, `memory`, `pieces`, `size`, and `search`, which runs only when it is asked for: its
 * floor is `rg`, on 200 MB of files. Nothing is judged: a number is for a person.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl } from "@std/path/from-file-url";
import { codeSize } from "./bench/code_size.ts";
import { type Place, type Program, type Run, runProgram } from "./bench/program.ts";
import { formatRows, type Row } from "./bench/rows.ts";
import { measureSearch } from "./bench/search.ts";
import { calls, type Reply, says, Service } from "./bench/service.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const GRANTS = ["--allow-read", "--allow-write", "--allow-run", "--allow-net", "--allow-env"];
const FLAGS = ["--quiet", "--cached-only", "--no-prompt", ...GRANTS];
const SOURCE: Program = { name: "source", deno: [...FLAGS, `${ROOT}main.ts`] };
const BUNDLE: Program = { name: "bundle", deno: [...FLAGS, `${ROOT}dist/mini-agent.js`] };
const ASK = ["--model", "openai/bench", "--mode", "full", "--max-steps", "500", "-p", "Go"];
const STEPS = 200;
const ENDS = 10;
const PIECES = 5000;

/** What the parts are given. */
interface Bench {
  place: Place;
  floor: Program;
  empty: Program;
  runs: number;
}

const PARTS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  start: measureStart,
  words: measureWords,
  steps: measureSteps,
  memory: measureMemory,
  pieces: measurePieces,
  size: measureSize,
  search: ({ runs }) => measureSearch(runs),
};
/** Parts that take long. */
const ON_DEMAND = ["search"];

if (import.meta.main) await main(Deno.args);

async function main(args: string[]): Promise<void> {
  const { runs, only } = parseArgs(args, { string: ["runs", "only"], collect: ["only"], default: { runs: "11" } });
  const folder = await Deno.makeTempDir({ prefix: "mini-agent-bench-" });
  try {
    await using service = new Service();
    const bench: Bench = { ...await prepare(folder, service), runs: Number(runs) };
    const parts = Object.entries(PARTS).filter(([name]) =>
      only.length === 0 ? !ON_DEMAND.includes(name) : only.includes(name)
    );
    const rows: Row[] = [];
    for (const [, measure] of parts) rows.push(...await measure(bench));
    const [load = NaN] = Deno.loadavg();
    console.log(
      `Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores, load ${load.toFixed(1)}, ${runs} runs\n`,
    );
    console.log(formatRows(rows));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A project of small files, a home without settings, and the programs of the floor, away from our deno.json. */
async function prepare(folder: string, service: Service): Promise<Omit<Bench, "runs">> {
  const place: Place = { service, project: `${folder}/project`, home: `${folder}/home` };
  await Promise.all([place.project, place.home].map((path) => Deno.mkdir(path)));
  for (let i = 0; i < STEPS; i++) await Deno.writeTextFile(`${place.project}/file_${i}.txt`, `The text of file ${i}\n`);
  await Deno.copyFile(`${ROOT}scripts/bench/floor.ts`, `${folder}/floor.ts`);
  await Deno.writeTextFile(`${folder}/empty.ts`, "");
  return {
    place,
    floor: { name: "floor", deno: [...FLAGS, `${folder}/floor.ts`] },
    empty: { name: "empty script", deno: [...FLAGS, `${folder}/empty.ts`] },
  };
}

async function measureStart({ place, floor, runs }: Bench): Promise<Row[]> {
  const one = (program: Program) => async () =>
    (await runProgram(program, ASK, place, { replies: [says("Done")] })).firstRequestMs;
  const [source, bundle, least] = await inTurns([one(SOURCE), one(BUNDLE), one(floor)], runs);
  return [
    { figure: "Start to first request, source", unit: "ms", ours: median(source), floor: median(least), goal: "1.4x" },
    { figure: "Start to first request, bundle", unit: "ms", ours: median(bundle), floor: median(least), goal: "1.25x" },
  ];
}

async function measureWords({ place, empty, runs }: Bench): Promise<Row[]> {
  const one = (program: Program, word: string) => async () => (await runProgram(program, [word], place)).wallMs;
  const [version, help, least] = await inTurns(
    [one(SOURCE, "--version"), one(SOURCE, "--help"), one(empty, "--version")],
    runs,
  );
  return [
    { figure: "--version, to its end", unit: "ms", ours: median(version), floor: median(least), goal: "1.2x" },
    { figure: "--help, to its end", unit: "ms", ours: median(help), floor: median(least), goal: "1.2x" },
  ];
}

async function measureSteps({ place, floor }: Bench): Promise<Row[]> {
  const read = stepsOf((i) => calls(i, "read_file", { path: `file_${i}.txt` }));
  const command = stepsOf((i) => calls(i, "run_command", { command: `true ${i}` }));
  const one = (program: Program, replies: Reply[]) => async () =>
    await runProgram(program, ASK, place, { replies, watch: true });
  const [reads, leastReads, commands, leastCommands] = await inTurns(
    [one(SOURCE, read), one(floor, read), one(SOURCE, command), one(floor, command)],
    3,
  );
  const row = (figure: string, unit: string, of: (run: Run) => number, goal: string, command = false): Row => {
    const [ours, least] = command ? [commands, leastCommands] : [reads, leastReads];
    return { figure, unit, ours: median(ours.map(of)), floor: median(least.map(of)), goal };
  };
  return [
    row("Reply to next request, read", "ms", (run) => median(gaps(run)), "4 ms"),
    row("Reply to next request, command", "ms", (run) => median(gaps(run)), "10 ms", true),
    row("Last ten steps over first ten, read", "x", growth, "1.5"),
    row("Last ten steps over first ten, command", "x", growth, "1.5", true),
    row("Processor time a step, read", "ms", cpuPerStep, "6 ms"),
    row("Processor time a step, command", "ms", cpuPerStep, "6 ms", true),
    row(`Peak memory after ${STEPS} steps`, "MB", (run) => run.peakMb, "75 MB"),
  ];
}

async function measureMemory({ place, floor, runs }: Bench): Promise<Row[]> {
  const one = (program: Program) => async () =>
    (await runProgram(program, ASK, place, { replies: [says("Done")], watch: true })).peakMb;
  const [source, bundle, least] = await inTurns([one(SOURCE), one(BUNDLE), one(floor)], runs);
  return [
    {
      figure: "Peak memory of one turn, source",
      unit: "MB",
      ours: median(source),
      floor: median(least),
      goal: "50 MB",
    },
    {
      figure: "Peak memory of one turn, bundle",
      unit: "MB",
      ours: median(bundle),
      floor: median(least),
      goal: "50 MB",
    },
  ];
}

async function measurePieces({ place, floor, runs }: Bench): Promise<Row[]> {
  const apart = says(...Array.from({ length: PIECES }, (_, i) => `word ${i} `));
  const together = [apart.join("")];
  const short = says("Done");
  const one = (program: Program, reply: Reply) => async () =>
    (await runProgram(program, ASK, place, { replies: [reply], watch: true })).cpuMs.at(-1) ?? NaN;
  const cpu = (program: Program) => [one(program, short), one(program, together), one(program, apart)] as const;
  const [ours, ...rest] = await inTurns([...cpu(SOURCE), ...cpu(floor)], runs);
  const [oursTogether, oursApart, least, leastTogether, leastApart] = rest;
  const row = (how: string, goal: string, [long, leastLong]: [number[], number[]]): Row => ({
    figure: `Processor time for ${PIECES} pieces more, ${how}`,
    unit: "ms",
    ours: mean(long) - mean(ours),
    floor: mean(leastLong) - mean(least),
    goal,
  });
  return [
    row("sent together", "60 ms", [oursTogether, leastTogether]),
    row("each sent by itself", "", [oursApart, leastApart]),
  ];
}

async function measureSize({ place, floor }: Bench): Promise<Row[]> {
  const { exchanges } = await runProgram(SOURCE, ASK, place, { replies: [says("Done")] });
  const { messages, tools } = JSON.parse(exchanges[0]?.text ?? "");
  const [source, least] = [await codeSize(SOURCE, ASK, place), await codeSize(floor, ASK, place)];
  return [
    {
      figure: "System prompt and tools",
      unit: "bytes",
      ours: bytesOf(messages[0].content) + bytesOf(tools),
      goal: "7000",
    },
    {
      figure: "Code evaluated in one turn",
      unit: "kB",
      ours: source.bytes / 1000,
      floor: least.bytes / 1000,
      goal: "300 kB",
    },
    { figure: "Modules evaluated in one turn", unit: "", ours: source.modules, floor: least.modules, goal: "" },
  ];
}

/** A script of {@linkcode STEPS} calls and an answer. */
function stepsOf(step: (number: number) => Reply): Reply[] {
  return [...Array.from({ length: STEPS }, (_, i) => step(i)), says("Done")];
}

/** Runs each several times, A B A B, after one run of each that fills Deno's caches. */
async function inTurns<const T extends readonly (() => Promise<unknown>)[]>(
  each: T,
  times: number,
): Promise<{ [K in keyof T]: Awaited<ReturnType<T[K]>>[] }> {
  const results: unknown[][] = each.map(() => []);
  for (let time = -1; time < times; time++) {
    for (const [index, run] of each.entries()) {
      const result = await run();
      if (time >= 0) results[index]?.push(result);
    }
  }
  return results as { [K in keyof T]: Awaited<ReturnType<T[K]>>[] };
}

/** From the last byte of each reply to the request that follows it. */
function gaps({ exchanges }: Run): number[] {
  return exchanges.slice(1).map(({ receivedAt }, index) => receivedAt - (exchanges[index]?.repliedAt ?? NaN));
}

function growth(run: Run): number {
  const all = gaps(run);
  return mean(all.slice(-ENDS)) / mean(all.slice(0, ENDS));
}

/** Without the start and the end of the program. */
function cpuPerStep({ cpuMs }: Run): number {
  return ((cpuMs[STEPS] ?? NaN) - (cpuMs[0] ?? NaN)) / STEPS;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] ?? NaN : mean(sorted.slice(middle - 1, middle + 1));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)).length;
}
