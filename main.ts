/**
 * The program: `deno run main.ts`. Everything it does begins in {@linkcode run}.
 *
 * @module
 */

import { run } from "./src/cli/cli.ts";

if (import.meta.main) Deno.exit(await run(Deno.args));
