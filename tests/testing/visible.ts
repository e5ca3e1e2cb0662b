/**
 * Files that a program in the sandbox can see: it has folders of its own in the place of `/tmp` and `/run`, where a
 * checkout and its Deno may lie.
 *
 * @module
 */

import { basename } from "@std/path/basename";

/** The file itself, or a copy in a place that the sandbox shows. */
export function visibleInSandbox(file: string): string {
  if (!/^\/(tmp|run)\//.test(file)) return file;
  const known = copies.get(file);
  if (known !== undefined) return known;
  const copy = `${folder ??= makeFolder()}/${basename(file)}`;
  Deno.copyFileSync(file, copy);
  copies.set(file, copy);
  return copy;
}

const copies = new Map<string, string>();
let folder: string | undefined;

function makeFolder(): string {
  const made = Deno.makeTempDirSync({ dir: "/var/tmp", prefix: "mini-agent-test-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(made, { recursive: true }));
  return made;
}
