import { rulesAbove } from "./ignore_files.ts";
import { namingNote } from "./result_notes.ts";
import { findStartFolder, shownName, shownPath } from "./start_point.ts";
import { TimeSlices } from "./time_slices.ts";
import type { ToolContext, ToolOutput } from "./tool.ts";
import { type Entry, walk } from "./walk.ts";

/** What `list_files` is given. */
export interface ListFilesInput {
  path?: string | undefined;
  depth?: number | undefined;
}

/** Entries that are shown of all, and of a folder below the first. */
const MAX_ENTRIES = 500;
const MAX_ENTRIES_BELOW = 100;

/** Runs one call of `list_files`. */
export async function call({ path, depth = 2 }: ListFilesInput, context: ToolContext): Promise<ToolOutput> {
  const folder = await findStartFolder(path || ".", context);
  const tree = new Tree();
  const ignored: string[] = [];
  const unreadable: string[] = [];
  const entries = walk(folder, {
    rules: rulesAbove(folder, context.workspace.roots),
    enter: (entry) => entry.depth + 1 < depth && tree.latest === entry,
    onIgnored: (entry) => ignored.push(shownPath(entry.path, context.cwd) + (entry.type === "folder" ? "/" : "")),
    onUnreadable: (path) => unreadable.push(`${shownPath(path, context.cwd)}/`),
  });
  const slices = new TimeSlices(context.signal);
  for (const entry of entries) {
    tree.add(entry);
    if (slices.isOver) await slices.pause();
  }
  return {
    content: [...tree.finish(), ...namingNote("ignored", ignored), ...namingNote("cannot be read", unreadable)].join(
      "\n",
    ),
  };
}

/** A tree that grows by what a walk finds. */
class Tree {
  readonly #lines: string[] = [];
  /** Of the folders that are open, from the outermost. */
  readonly #open: { shown: number; omitted: number }[] = [{ shown: 0, omitted: 0 }];
  #total = 0;
  /** The entry that got a line last. */
  latest: Entry | undefined;

  add(entry: Entry): void {
    this.#close(entry.depth + 1);
    while (this.#open.length <= entry.depth) this.#open.push({ shown: 0, omitted: 0 });
    const folder = this.#open[entry.depth]!;
    if (this.#total >= MAX_ENTRIES || (entry.depth > 0 && folder.shown >= MAX_ENTRIES_BELOW)) {
      folder.omitted++;
      return;
    }
    folder.shown++;
    this.#total++;
    this.#lines.push("  ".repeat(entry.depth) + nameOf(entry));
    this.latest = entry;
  }

  finish(): string[] {
    this.#close(0);
    return this.#total === 0 ? ["[nothing in this folder]"] : this.#lines;
  }

  /** Ends the folders whose entries stand at this depth or below. */
  #close(depth: number): void {
    while (this.#open.length > depth) {
      const { omitted } = this.#open.pop()!;
      if (omitted > 0) this.#lines.push(`${"  ".repeat(this.#open.length)}[${omitted} more]`);
    }
  }
}

function nameOf({ type, name, path }: Entry): string {
  switch (type) {
    case "folder":
      return `${shownName(name)}/`;
    case "link":
      return `${shownName(name)} -> ${shownName(targetOf(path))}`;
    case "other":
      return `${shownName(name)} [device, pipe or socket]`;
    case "file":
      return shownName(name);
    default:
      return type satisfies never;
  }
}

function targetOf(link: string): string {
  try {
    return Deno.readLinkSync(link);
  } catch {
    return "?"; // to read a link takes a permission for everything, and it may be gone
  }
}
