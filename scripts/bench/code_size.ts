/**
 * How much code a run evaluates.
 *
 * @module
 */

import type { Place, Program } from "./program.ts";
import { runProgram } from "./program.ts";
import { says } from "./service.ts";

/** The scripts of one run. */
export interface CodeSize {
  modules: number;
  /** Of the code as V8 is given it, without types. */
  bytes: number;
}

/** Counts what a run of one turn without a call evaluates, by the coverage report, in which every script is. */
export async function codeSize(program: Program, args: readonly string[], place: Place): Promise<CodeSize> {
  const report = await Deno.makeTempDir({ prefix: "mini-agent-bench-" });
  try {
    const covered = { ...program, deno: [`--coverage=${report}`, ...program.deno] };
    await runProgram(covered, args, place, { replies: [says("Done")] });
    let modules = 0;
    let bytes = 0;
    for await (const { name } of Deno.readDir(report)) {
      const { functions } = JSON.parse(await Deno.readTextFile(`${report}/${name}`));
      modules++;
      bytes += Math.max(...functions.map(({ ranges }: Covered) => ranges[0]?.endOffset ?? 0));
    }
    return { modules, bytes };
  } finally {
    await Deno.remove(report, { recursive: true });
  }
}

interface Covered {
  ranges: { endOffset: number }[];
}
