/**
 * Runs commands in the sandbox over a workspace whose protected paths come and go: looks at it before each command,
 * and tidies up and checks behind it.
 *
 * @module
 */

import { NestedPaths } from "./nested_paths.ts";
import { isWithin } from "./path_names.ts";
import { type Confined, type SandboxedRun, wrapForBubblewrap } from "./sandbox.ts";
import type { SandboxFacts } from "./sandbox_probe.ts";
import { wrapForSeatbelt } from "./seatbelt.ts";
import { standingView } from "./standing_view.ts";
import { lookAtProtected, type ProtectedState } from "./workspace_state.ts";

/** A confined command line, and what must be called when it and all that it started have ended. */
export interface SandboxedCommand extends Confined {
  /**
   * Removes the traces of the sandbox and looks for protected paths that appeared or were changed. Never throws.
   *
   * @returns What nobody had been asked about, for the result of the command.
   */
  settled(): Promise<Aftermath>;
}

/** What a command did to protected paths that the sandbox could not keep it from. */
export interface Aftermath {
  /** Paths that it made and that were moved aside. */
  readonly moved: readonly string[];
  /** Paths that were there, are left as they are now, and are not what they were. */
  readonly changed: readonly string[];
  /** How many paths were neither covered nor compared, because there are too many. */
  readonly unwatched: number;
}

/** The sandbox of one program run. */
export interface Sandbox {
  /** Waits for what must be known of the workspace before the first command. Called before each; the first may take long. */
  ready(): Promise<void>;
  /** Confines one command. */
  wrap(command: readonly string[], run: SandboxedRun): SandboxedCommand;
  /** Tells of a protected path that a tool of ours makes with the person's consent: it stays. */
  expectChange(path: string): void;
  /** Removes what a command that never ended left. Call it once, when all have ended. */
  dispose(): Promise<void>;
}

type WorkingSandbox = Extract<SandboxFacts, { kind: "bubblewrap" | "seatbelt" }>;
type WorkspaceView = WorkingSandbox["view"];

const NOTHING: Aftermath = { moved: [], changed: [], unwatched: 0 };

/** Makes the sandbox of what {@linkcode probeSandbox} found, for the roots of the workspace. */
export function makeSandbox(facts: WorkingSandbox, roots: readonly string[]): Sandbox {
  return facts.kind === "seatbelt" ? seatbelt(facts.view) : new Bubblewrap(facts.program, facts.view, roots);
}

function seatbelt(view: WorkspaceView): Sandbox {
  return {
    // the profile forbids names that do not exist yet: nothing is left to tidy
    ready: () => Promise.resolve(),
    wrap: (command, run) => ({ ...wrapForSeatbelt(command, run, view), settled: () => Promise.resolve(NOTHING) }),
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
  readonly #nested: NestedPaths;
  /** When each command began that runs, in milliseconds. */
  readonly #running = new Set<{ readonly startedAt: number }>();

  constructor(program: string, view: WorkspaceView, roots: readonly string[]) {
    this.#program = program;
    this.#view = view;
    this.#roots = roots;
    const since = () => this.#running.size > 0 ? this.#startedAt() : undefined;
    this.#nested = new NestedPaths(roots, { since });
  }

  async ready(): Promise<void> {
    await this.#nested.ready();
  }

  wrap(command: readonly string[], run: SandboxedRun): SandboxedCommand {
    if (run.standing && !run.readOnly) return this.#wrapStanding(command, run);
    const nested = run.readOnly ? [] : this.#nested.now();
    const state = lookAtProtected(this.#roots, (path) => this.#placeholders.has(path), nested);
    const view = { ...this.#view, ...state };
    const confined = wrapForBubblewrap(command, run, { program: this.#program, view });
    if (run.readOnly) return { ...confined, settled: () => Promise.resolve(NOTHING) };
    for (const path of state.absent) this.#placeholders.set(path, (this.#placeholders.get(path) ?? 0) + 1);
    const running = { startedAt: Date.now() };
    this.#running.add(running);
    let settled: Promise<Aftermath> | undefined;
    return {
      ...confined,
      settled: () => settled ??= this.#settle(state, nested).finally(() => this.#running.delete(running)),
    };
  }

  #wrapStanding(command: readonly string[], run: SandboxedRun): SandboxedCommand {
    const state = lookAtProtected(this.#roots, (path) => this.#placeholders.has(path), this.#nested.now());
    const view = standingView(this.#view, state, this.#roots);
    const confined = wrapForBubblewrap(command, run, { program: this.#program, view });
    return { ...confined, settled: () => Promise.resolve(NOTHING) };
  }

  expectChange(path: string): void {
    this.#expected.add(path);
  }

  async dispose(): Promise<void> {
    await this.#nested.searched();
    for (const path of this.#placeholders.keys()) removeEmpty(path);
    this.#placeholders.clear();
  }

  #startedAt(): number {
    return Math.min(...Array.from(this.#running, ({ startedAt }) => startedAt));
  }

  #isExpected(path: string): boolean {
    return [...this.#expected].some((expected) => isWithin(expected, path));
  }

  async #settle(state: ProtectedState, nested: readonly string[]): Promise<Aftermath> {
    const unused = state.absent.filter((path) => {
      const users = (this.#placeholders.get(path) ?? 1) - 1;
      this.#placeholders.set(path, users);
      // while another command runs, removing the folder would unmount its cover there too
      return users === 0;
    });
    for (const path of unused) {
      // in one go: a command that begins in between would take the folder for one that is there to stay
      this.#placeholders.delete(path);
      removeEmpty(path);
    }
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
    const found = await this.#nested.findings(nested, (path) => this.#isExpected(path));
    for (const path of found.appeared) if (await moveAside(path)) moved.push(path);
    const changed = [...state.stamps.changed(), ...found.changed].filter((path) =>
      !this.#isExpected(path) && !moved.some((other) => isWithin(path, other))
    );
    return { moved, changed, unwatched: state.stamps.left };
  }
}

/** Only if it is empty: what somebody put there meanwhile stays. */
function removeEmpty(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is not empty, or somebody else removed it.
  }
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
