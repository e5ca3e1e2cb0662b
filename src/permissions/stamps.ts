/**
 * Tells whether files and folders were changed between two looks, by what the system says of them: no program can set
 * the time of such a change.
 *
 * @module
 */

import { dirname, join } from "./os_path.ts";

/** Some 5 ms for all of them. */
const MAX_LOOKS = 500;
/** Git puts a dozen of these where hooks would be, and runs none. */
const SAMPLE = ".sample";
/** How far a file system's clock can be behind. */
const CLOCK_TICK_MS = 10;

const ABSENT = "NotFound";

/** What a number of paths were like. */
export class Stamps {
  readonly #taken = new Map<string, string>();
  readonly #parts = new Set<string>();
  #looks = 0;
  #left = 0;

  /** Looks at a path, which need not exist, and at all below it if it is a folder. */
  take(path: string): void {
    const count = { looks: this.#looks };
    const stamp = stampOf(path, count);
    if (stamp === undefined) this.#left++;
    else {
      this.#taken.set(path, stamp);
      this.#looks = count.looks;
    }
  }

  /** Looks at entries of one folder: those that are not there cost nothing. */
  takeParts(parts: readonly string[]): void {
    const isThere = lookFor();
    for (const path of parts) {
      this.#parts.add(path);
      if (isThere(path)) this.take(path);
      else this.#taken.set(path, ABSENT);
    }
  }

  /** Tells of something that was not looked at. */
  leave(): void {
    this.#left++;
  }

  /** How many paths could not be looked at: that would have taken too long. */
  get left(): number {
    return this.#left;
  }

  /** The paths that are not what they were. */
  changed(): string[] {
    const isThere = lookFor();
    return Array.from(this.#taken).filter(([path, before]) => {
      const mayBeThere = !this.#parts.has(path) || isThere(path);
      return (mayBeThere ? stampOf(path, { looks: 0 }) : ABSENT) !== before;
    }).map(([path]) => path);
  }
}

/** Tells what is there by reading each folder once: to ask for what is not there is three times as slow. */
function lookFor(): (path: string) => boolean {
  const listings = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const folder = dirname(path);
    const names = listings.get(folder) ?? namesIn(folder);
    listings.set(folder, names);
    return names.has(path.slice(folder.length + 1));
  };
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(Array.from(Deno.readDirSync(folder), ({ name }) => name));
  } catch {
    return new Set(); // gone, or not for us to read
  }
}

/**
 * Whether anything at or below a path was changed since then. The time is told in seconds: the second before counts too.
 *
 * @param time In milliseconds.
 */
export function isChangedSince(path: string, time: number, below = false): boolean {
  const count = { looks: 0 };
  const look = (path: string): boolean => {
    if (++count.looks > MAX_LOOKS) return true;
    try {
      const { ctime, isDirectory } = Deno.lstatSync(path);
      if (ctime === null || ctime.getTime() >= time - CLOCK_TICK_MS - 1000) return true;
      return below && isDirectory && Array.from(Deno.readDirSync(path)).some(({ name }) => look(join(path, name)));
    } catch {
      return !below; // not there, or closed to everybody: that too would have changed it
    }
  };
  return look(path);
}

function stampOf(path: string, count: { looks: number }): string | undefined {
  if (++count.looks > MAX_LOOKS) return undefined;
  try {
    const { dev, ino, size, mode, mtime, ctime, isDirectory } = Deno.lstatSync(path);
    const own = `${dev} ${ino} ${size} ${mode} ${mtime?.getTime()} ${ctime?.getTime()}`;
    if (!isDirectory) return own;
    const below: string[] = [];
    for (const { name } of Deno.readDirSync(path)) {
      if (name.endsWith(SAMPLE)) continue;
      const stamp = stampOf(join(path, name), count);
      if (stamp === undefined) return undefined;
      below.push(`${name} ${stamp}`);
    }
    return [own, ...below.toSorted()].join("\n");
  } catch (error) {
    return error instanceof Error ? error.name : String(error); // not there, or not for us to look at
  }
}
