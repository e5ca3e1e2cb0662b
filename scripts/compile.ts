/**
 * Builds the executables into dist/: mini-agent, and mini-agent-ro, which cannot write or run anything.
 *
 *     deno task compile                  for this system
 *     deno task compile --target TARGET  for another one
 *     deno task compile --all            for all five, with their SHA-256 sums in dist/SHA256SUMS
 *
 * @module
 */
import { CommandError, runDeno } from "./command.ts";
import { type Build, buildsFor, TARGETS } from "./programs.ts";

const ROOT = new URL("../", import.meta.url);
const DIST = new URL("dist/", ROOT);

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const builds = buildsOf(args);
  if (builds === undefined) {
    console.error(`Usage: deno task compile [--all | --target ${TARGETS.join("|")}]`);
    return 2;
  }
  if (args[0] === "--all" && Deno.env.has("DENORT_BIN")) {
    console.error("Cannot compile for all systems: DENORT_BIN is the run-time part of one; use --target");
    return 2;
  }
  await Deno.mkdir(DIST, { recursive: true });
  try {
    for (const build of builds) {
      await runDeno(build.args, { cwd: ROOT });
      console.log(`dist/${build.output}`);
    }
  } catch (error) {
    console.error(error instanceof CommandError ? explain(error) : String(error));
    return 1;
  }
  if (args[0] === "--all") await writeSums(builds);
  return 0;
}

function buildsOf(args: string[]): Build[] | undefined {
  if (args.length === 0) return buildsFor({ target: Deno.build.target, inName: false });
  if (args.length === 1 && args[0] === "--all") return TARGETS.flatMap((target) => buildsFor({ target, inName: true }));
  const target = TARGETS.find((known) => args.length === 2 && args[0] === "--target" && args[1] === known);
  return target === undefined ? undefined : buildsFor({ target, inName: true });
}

/** One line for the failure that is no fault of the code, else all that the compiler said. */
function explain({ message, stderr }: CommandError): string {
  const missing = /base binary|denort/.test(stderr) && /error sending request|download|denort at/i.test(stderr);
  if (!missing) return stderr.trimEnd() || message;
  const why = Deno.env.has("DENORT_BIN") ? "is not where DENORT_BIN says" : "could not be downloaded";
  return `Cannot compile: Deno's run-time part ${why}; set DENORT_BIN to the file denort of Deno ${Deno.version.deno}`;
}

/** In the form that `sha256sum --check` reads. */
async function writeSums(builds: Build[]): Promise<void> {
  const lines: string[] = [];
  for (const { output } of builds) {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(new URL(output, DIST)));
    lines.push(`${new Uint8Array(digest).toHex()}  ${output}\n`);
  }
  await Deno.writeTextFile(new URL("SHA256SUMS", DIST), lines.join(""));
  console.log("dist/SHA256SUMS");
}
