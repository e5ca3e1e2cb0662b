/**
 * Plays the casebook, a collection of small cases kept beside the checkout, and fails when a case that has passed
 * before fails now: once among all others and once more alone, with twice the time.
 *
 *     deno task casebook [--add] [casebook options]
 *
 * The cases that have passed are in tests/casebook.txt, one id a line. `--add` adds those that pass now; none is ever
 * taken out.
 *
 * @module
 */

/** How a case went: a line of the casebook's report. */
export interface Row {
  id: string;
  status: "ok" | "not ok" | "skip";
  why: string;
}

/** What a report means for the cases that are known to pass. */
export interface Comparison {
  /** Have passed before and fail now. */
  broken: string[];
  /** Pass now for the first time. */
  fresh: string[];
  /** Have passed before and were not played now. */
  unplayed: string[];
}

import { fromFileUrl } from "@std/path/from-file-url";

const ROOT = new URL("../", import.meta.url);
const PLAYER = new URL("../shared/checks/casebook.mjs", ROOT);
const KNOWN = new URL("tests/casebook.txt", ROOT);

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const player = await Deno.stat(PLAYER).catch(() => undefined);
  if (player === undefined) {
    console.log("No casebook beside this checkout");
    return 0;
  }
  const known = parseIds(await Deno.readTextFile(KNOWN).catch(() => ""));
  const { broken, fresh, unplayed } = compare(known, await play(args.filter((arg) => arg !== "--add")));
  const isPart = args.some((arg) => arg.startsWith("--only") || arg.startsWith("--skip"));
  if (unplayed.length > 0 && !isPart) console.log(`Passed before, not played now: ${unplayed.join(" ")}`);
  const stillBroken: string[] = [];
  for (const id of broken) {
    console.log(`Playing ${id} again, alone and with twice the time`);
    const rows = await play(["--only", id, "--jobs", "1", "-v"], { CASEBOOK_SLOW: "2" });
    if (compare([id], rows).broken.length > 0) stillBroken.push(id);
  }
  if (args.includes("--add")) {
    await Deno.writeTextFile(KNOWN, formatIds([...known, ...fresh]));
    console.log(`Added to tests/casebook.txt: ${fresh.join(" ") || "nothing"}`);
  } else if (fresh.length > 0) {
    console.log(`Pass for the first time (deno task casebook --add keeps them): ${fresh.join(" ")}`);
  }
  if (stillBroken.length === 0) return 0;
  console.error(`Passed before, fail now: ${stillBroken.join(" ")}`);
  return 1;
}

/**
 * Compares the known ids with a report.
 *
 * @example A case that has passed before fails
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const rows: Row[] = [{ id: "B001", status: "not ok", why: "" }, { id: "B002", status: "ok", why: "" }];
 * assertEquals(compare(["B001"], rows), { broken: ["B001"], fresh: ["B002"], unplayed: [] });
 * ```
 */
export function compare(known: string[], rows: Row[]): Comparison {
  const status = new Map(rows.map((row) => [row.id, row.status]));
  return {
    broken: known.filter((id) => status.get(id) === "not ok"),
    fresh: rows.filter((row) => row.status === "ok" && !known.includes(row.id)).map((row) => row.id),
    unplayed: known.filter((id) => (status.get(id) ?? "skip") === "skip"),
  };
}

/** The ids of a text, one a line, each once. */
export function parseIds(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()).filter((line) => line !== ""))];
}

/** One id a line, sorted, each once. */
export function formatIds(ids: string[]): string {
  return [...new Set(ids)].sort().map((id) => `${id}\n`).join("");
}

/** How the casebook starts the program, without what Deno itself writes to a terminal. It splits the line at blanks. */
function programLine(deno: string): Record<string, string> {
  const root = fromFileUrl(ROOT);
  const near = deno.startsWith(root) ? `./${deno.slice(root.length)}` : deno;
  return /\s/.test(near) ? {} : { MINI_AGENT: `${near} run --quiet -A main.ts` };
}

/** Plays the casebook, shows what it says and returns its report. */
async function play(args: string[], env: Record<string, string> = {}): Promise<Row[]> {
  const report = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const deno = Deno.execPath();
    await new Deno.Command(deno, {
      args: ["run", "-A", "--no-config", PLAYER.href, "--json", report, ...args],
      cwd: ROOT,
      env: { DENO: deno, ...programLine(deno), ...env },
    }).spawn().status;
    const text = await Deno.readTextFile(report);
    if (text === "") throw new Error("The casebook ended without a report");
    return JSON.parse(text).rows;
  } finally {
    await Deno.remove(report);
  }
}
