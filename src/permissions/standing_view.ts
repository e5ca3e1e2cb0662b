/**
 * What the sandbox of a program that runs as long as we do shows of the disk.
 *
 * A command's cover for a protected path that does not exist is an empty folder in the workspace, and what appears
 * beside it is the command's doing. Both hold for a moment only: over a whole session the folders would be in
 * everybody's way, and what the person makes meanwhile would be taken for the program's. So a standing program finds the
 * top of a workspace read-only, where nothing needs a cover then, and writes in the folders that are there.
 *
 * @module
 */

import { isWithin } from "./path_names.ts";
import type { SandboxView } from "./sandbox.ts";
import type { ProtectedState } from "./workspace_state.ts";

/** Each is a mount: further folders are read-only. */
const MAX_FOLDERS = 200;

/** The view of a standing program. */
export function standingView(
  view: Pick<SandboxView, "writable" | "masked" | "readable">,
  state: Pick<ProtectedState, "anchored" | "protected" | "fleeting">,
  roots: readonly string[],
): SandboxView {
  const closed = new Set(view.masked.map(({ path }) => path));
  const folders = roots.flatMap(openFolders).filter((path) => !closed.has(path)).slice(0, MAX_FOLDERS);
  const isOpen = (path: string) => folders.some((folder) => isWithin(path, folder));
  const others = view.writable.filter((path) => !roots.includes(path));
  return {
    ...view,
    writable: [...others, ...folders],
    readable: [...view.readable, ...roots],
    anchored: state.anchored.filter(isOpen),
    protected: state.protected.filter(isOpen),
    absent: [],
    fleeting: state.fleeting,
  };
}

/** The folders at the top that hold nothing protected of their own: such names begin with a dot. */
function openFolders(root: string): string[] {
  const entries = [...Deno.readDirSync(root)];
  return entries.filter(({ name, isDirectory }) => isDirectory && !name.startsWith(".")).map(({ name }) =>
    `${root}/${name}`
  )
    .sort();
}
