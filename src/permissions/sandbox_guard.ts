/**
 * Runs commands in the sandbox over a workspace whose protected paths come and go: looks at it before each command,
 * and tidies up and checks behind it.
 *
 * @module
 */

import { NestedSearch } from "./nested_search.ts";
import { dirname } from "./os_path.ts";
import { isWithin } from "./path_names.ts";
import { type Confined, type SandboxedRun, wrapForBubblewrap } from "./sandbox.ts";
import type { SandboxFacts } from "./sandbox_probe.ts";
import { wrapForSeatbelt } from "./seatbelt.ts";
import { lookAtProtected, type ProtectedState } from "./workspace_state.ts";

/** A confined command line, and what must be called when it and all that it started have ended. */
export interface SandboxedCommand extends Confined {
  /**
   * Removes the traces of the sandbox and looks for protected paths that appeared. Never throws.
   *
   * @returns Paths that were moved aside because nobody had been asked about them, for the result of the command.
   */
  settled(): Promise<string[]>;
}

/** The sandbox of one program run. */
export interface Sandbox {
  /** Confines one command. */
  wrap(command: readonly string[], run: SandboxedRun): SandboxedCommand;
  /** Tells of a protected path that a tool of ours makes with the person's consent: it stays. */
  expectChange(path: string): void;
  /** Removes what a command that never ended left. Call it once, when all have ended. */
  dispose(): Promise<void>;
}

type WorkingSandbox = Extract<SandboxFacts, { kind: "bubblewrap" | "seatbelt" }>;
type WorkspaceView = WorkingSandbox["view"];

/** How far a file system's clock can be behind. */
const CLOCK_TICK_MS = 10;

/** Makes the sandbox of what {@linkcode probeSandbox} found, for the roots of the workspace. */
export function makeSandbox(facts: WorkingSandbox, roots: readonly string[]): Sandbox {
  return facts.kind === "seatbelt" ? seatbelt(facts.view) : new Bubblewrap(facts.program, facts.view, roots);
}

function seatbelt(view: WorkspaceView): Sandbox {
  return {
    // the profile forbids names that do not exist yet: nothing is left to tidy
    wrap: (command, run) => ({ ...wrapForSeatbelt(command, run, view), settled: () => Promise.resolve([]) }),
    expectChange: () => {},
    dispose: () => Promise.resolve(),
  };
}

class Bubblewrap implements Sandbox {
  readonly #program: string;
  readonly #view: WorkspaceView;
  readonly #roots: readonly string[];
  /** Empty folders that bubblewrap makes to mount on, and how many running commands rely on each. */
  readonly #placeholders = new Map<string, number>();
  readonly #expected = new Set<string>();
  readonly #search: NestedSearch;
  /** Each protected path that nobody needs to be told of, and what tells it from another of its name. */
  readonly #known = new Map<string, string>();
  /** When each command began that runs, in milliseconds. */
  readonly #running = new Set<{ readonly startedAt: number }>();
  #firstSearch: Promise<void> | undefined;

  constructor(program: string, view: WorkspaceView, roots: readonly string[]) {
    this.#program = program;
    this.#view = view;
    this.#roots = roots;
    this.#search = new NestedSearch(roots);
  }

  wrap(command: readonly string[], run: SandboxedRun): SandboxedCommand {
    const state = lookAtProtected(this.#roots, (path) => this.#placeholders.has(path));
    const view = { ...this.#view, ...state };
    const confined = wrapForBubblewrap(command, run, { program: this.#program, view });
    if (run.readOnly) return { ...confined, settled: () => Promise.resolve([]) };
    for (const path of state.absent) this.#placeholders.set(path, (this.#placeholders.get(path) ?? 0) + 1);
    const running = { startedAt: Date.now() };
    this.#running.add(running);
    this.#firstSearch ??= this.#learn(running.startedAt);
    let settled: Promise<string[]> | undefined;
    return {
      ...confined,
      settled: () => settled ??= this.#settle(state).finally(() => this.#running.delete(running)),
    };
  }

  expectChange(path: string): void {
    this.#expected.add(path);
  }

  async dispose(): Promise<void> {
    await this.#firstSearch;
    for (const path of this.#placeholders.keys()) await removeEmpty(path);
    this.#placeholders.clear();
  }

  async #settle(state: ProtectedState): Promise<string[]> {
    const unused = state.absent.filter((path) => {
      const users = (this.#placeholders.get(path) ?? 1) - 1;
      this.#placeholders.set(path, users);
      // while another command runs, removing the folder would unmount its cover there too
      return users === 0;
    });
    for (const path of unused) this.#placeholders.delete(path);
    await Promise.all(unused.map(removeEmpty));
    const moved: string[] = [];
    for (const path of state.watched) {
      if (!this.#expected.has(path) && isThere(path) && await moveAside(path)) moved.push(path);
    }
    for (const { path, target } of state.links) {
      if (this.#expected.has(path) || await linkTarget(path) === target) continue;
      await moveAside(path);
      await Deno.symlink(target, path).catch(() => {});
      moved.push(path);
    }
    return [...moved, ...await this.#moveNested(state)];
  }

  /** Finds out what is there. What the search comes to only when the first command runs may be that command's. */
  async #learn(startedAt: number): Promise<void> {
    let isRunning = false;
    const searched = this.#search.run((path) => {
      if (isRunning && isChangedSince(path, startedAt)) return;
      this.#known.set(path, identityOf(path));
    });
    isRunning = true;
    await searched;
  }

  /** Moves aside what appeared since the first of the running commands began. */
  async #moveNested({ absent, watched, links }: ProtectedState): Promise<string[]> {
    await this.#firstSearch;
    const lookedAfter = new Set([...absent, ...watched, ...links.map(({ path }) => path)]);
    const startedAt = Math.min(...[...this.#running].map(({ startedAt }) => startedAt));
    const appeared: string[] = [];
    await this.#search.run((path, isUnreadable) => {
      if (lookedAfter.has(path) || this.#placeholders.has(path)) return;
      const identity = identityOf(path);
      if (this.#known.get(path) === identity) return;
      const isNew = isChangedSince(path, startedAt) && (isUnreadable || isChangedSince(dirname(path), startedAt));
      const isExpected = [...this.#expected].some((expected) => isWithin(expected, path));
      if (isNew && !isExpected) appeared.push(path);
      else this.#known.set(path, identity);
    });
    const moved: string[] = [];
    for (const path of appeared) if (await moveAside(path)) moved.push(path);
    return moved;
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

/** By the time that no program can set. It is told in seconds. */
function isChangedSince(path: string, time: number): boolean {
  try {
    const { ctime } = Deno.lstatSync(path);
    return ctime === null || ctime.getTime() >= time - CLOCK_TICK_MS - 1000;
  } catch {
    return true;
  }
}

/** Only if it is empty: what somebody put there meanwhile stays. */
async function removeEmpty(path: string): Promise<void> {
  await Deno.remove(path).catch(() => {});
}

/** Whether it could be moved. */
async function moveAside(path: string): Promise<boolean> {
  let n = 1;
  while (isThere(`${path}.quarantined-${n}`)) n++;
  return await Deno.rename(path, `${path}.quarantined-${n}`).then(() => true, () => false);
}

/** Synchronous: some forty of these follow each command, and each takes microseconds. */
function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  return await Deno.readLink(path).catch(() => undefined);
}
