/**
 * Builds the one-file program dist/mini-agent.js, which runs under plain `deno run` without any other file:
 *
 *     deno run --allow-read dist/mini-agent.js
 *
 * It is minified and holds ASCII alone, which takes a fifth off its start: one character beyond ASCII doubles what V8 reads.
 *
 * @module
 */
import { CommandError, runDeno } from "./command.ts";

const ROOT = new URL("../", import.meta.url);
const OUTPUT = "dist/mini-agent.js";

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  await Deno.mkdir(new URL("dist/", ROOT), { recursive: true });
  try {
    await runDeno(["bundle", "--minify", "--platform", "deno", "--output", OUTPUT, "main.ts"], { cwd: ROOT });
    await toAscii(new URL(OUTPUT, ROOT));
    await runDeno(["run", "--no-prompt", "--no-config", "--no-remote", "--no-npm", OUTPUT, "--version"], { cwd: ROOT });
  } catch (error) {
    console.error(error instanceof CommandError ? (error.stderr.trimEnd() || error.message) : String(error));
    return 1;
  }
  console.log(OUTPUT);
  return 0;
}

/** The bundler escapes characters in texts; what is left of them stands in regular expressions, which read the same escapes. */
async function toAscii(file: URL): Promise<void> {
  const code = await Deno.readTextFile(file);
  const escaped = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  await Deno.writeTextFile(file, escaped);
}
