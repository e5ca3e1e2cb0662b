/**
 * What is known of the protected paths below the top of a workspace, from one command to the next.
 *
 * @module
 */

import { obeyedParts } from "./git_folders.ts";
import { NestedSearch } from "./nested_search.ts";
import { dirname, join } from "./os_path.ts";
import { isInPackage } from "./path_names.ts";
import { PROTECTED } from "./sensitive_paths.ts";
import { isChangedSince } from "./stamps.ts";

/** How long a command waits for the first search of a workspace. What is found later is compared by its time. */
const MAX_WAIT_MS = 3000;
/** Enough for a project of some hundred folders. In a larger one the last search counts. */
const REFRESH_MS = 4;
const MAX_FAILURES = 3;

/** What a command did to protected paths below the top that nothing kept it from. */
export interface NestedFindings {
  /** Made, or put in the place of another. */
  readonly appeared: string[];
  /** Were there and nobody had looked at them before the command; these parts of them were changed while it ran. */
  readonly changed: string[];
}

/** Which commands run, to tell what they made from what was there. */
export interface RunningCommands {
  /** When the first of those began that run, in milliseconds; nothing if none does. */
  since(): number | undefined;
}

/** Finds and remembers protected paths. */
export class NestedPaths {
  readonly #roots: readonly string[];
  readonly #search: NestedSearch;
  readonly #running: RunningCommands;
  /** Those that are looked after at the top. */
  readonly #atTop: ReadonlySet<string>;
  /** Each path that nobody needs to be told of, and what tells it from another of its name. */
  #known = new Map<string, string>();
  #first: Promise<void> | undefined;
  #isWhole = false;
  /** How often in a row the time was too short. */
  #failures = 0;

  constructor(roots: readonly string[], running: RunningCommands) {
    this.#roots = roots;
    this.#search = new NestedSearch(roots);
    this.#running = running;
    this.#atTop = new Set(roots.flatMap((root) => PROTECTED.map((name) => join(root, name))));
  }

  /** Waits until the workspace was searched once, but not for ever. */
  async ready(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, MAX_WAIT_MS));
    await Promise.race([this.#begun(), limit]);
    clearTimeout(timer);
  }

  /** Waits until the workspace was searched once. */
  async searched(): Promise<void> {
    await this.#first;
  }

  /** The paths that are there when a command begins, as far as that is found out in a few milliseconds. */
  now(): string[] {
    void this.#begun();
    if (this.#isWhole && this.#failures < MAX_FAILURES && this.#running.since() === undefined) this.#refresh();
    return [...this.#known.keys()].filter((path) => !this.#atTop.has(path));
  }

  /**
   * Searches behind a command.
   *
   * @param looked What {@linkcode now} gave before it.
   * @param isExpected Whether a tool of ours changed that path with consent.
   */
  async findings(looked: readonly string[], isExpected: (path: string) => boolean): Promise<NestedFindings> {
    await this.#first;
    const startedAt = this.#running.since() ?? Date.now();
    const wasLookedAt = new Set(looked);
    const appeared: string[] = [];
    const late: string[] = [];
    await this.#search.run((path, isUnreadable) => {
      if (this.#atTop.has(path)) return;
      const identity = identityOf(path);
      const isKnown = this.#known.get(path) === identity;
      const isNew = !isKnown && isChangedSince(path, startedAt) &&
        (isUnreadable || isChangedSince(dirname(path), startedAt));
      if (isNew && !isExpected(path)) return void appeared.push(path);
      this.#known.set(path, identity);
      const isMinor = isUnreadable || (isInPackage(path) && !path.endsWith("/.git"));
      if (!isMinor && !wasLookedAt.has(path)) late.push(path);
    });
    const parts = late.flatMap((path) => path.endsWith("/.git") ? obeyedParts(path, this.#roots) : [path]);
    return { appeared, changed: parts.filter((part) => isChangedSince(part, startedAt, true) && !isExpected(part)) };
  }

  #begun(): Promise<void> {
    return this.#first ??= this.#searchFirst();
  }

  /** What the search comes to only when the first command runs may be that command's. */
  async #searchFirst(): Promise<void> {
    await this.#search.run((path) => {
      const since = this.#running.since();
      if (since !== undefined && isChangedSince(path, since)) return;
      this.#known.set(path, identityOf(path));
    });
    this.#isWhole = true;
  }

  #refresh(): void {
    const found = new Map<string, string>();
    const goOn = this.#search.begin((path) => found.set(path, identityOf(path)));
    const isDone = goOn(REFRESH_MS);
    if (isDone) this.#known = found;
    this.#failures = isDone ? 0 : this.#failures + 1;
  }
}

/** What differs between a file or folder and another one that takes its place. */
function identityOf(path: string): string {
  try {
    const { dev, ino, birthtime } = Deno.lstatSync(path);
    return `${dev} ${ino} ${birthtime?.getTime()}`;
  } catch {
    return ""; // gone meanwhile
  }
}
