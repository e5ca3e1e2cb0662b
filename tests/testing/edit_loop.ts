/**
 * A program that edits files until it is killed: `edit_loop.ts FOLDER NAME...`. Each file is lines of `version N`, and
 * each edit raises all of them by one.
 *
 * @module
 */

import { editFile } from "../../src/tools/edit_file.ts";
import { newToolContext } from "./tool_context.ts";

if (import.meta.main) {
  const [cwd = "", ...names] = Deno.args;
  await Promise.all(names.map((name) => raiseForEver(cwd, name)));
}

async function raiseForEver(cwd: string, path: string): Promise<never> {
  const context = newToolContext({ cwd });
  for (;;) {
    const [line = ""] = (await Deno.readTextFile(`${cwd}/${path}`)).split("\n", 1);
    const next = `version ${Number(line.replace("version ", "")) + 1}`;
    await editFile.execute({ path, old_string: `${line}\n`, new_string: `${next}\n`, replace_all: true }, context);
    await Deno.stdout.write(new TextEncoder().encode("."));
  }
}
