/**
 * Starts every child process of the program: commands, `rg`, `git`, hooks, servers. Nothing else may.
 *
 * A child has exactly the environment that it is given, no terminal, a process group of its own and, where there is
 * a sandbox, runs in it.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import type { Aftermath } from "../permissions/sandbox_guard.ts";
import { endTreeCommand, MARK_VARIABLE } from "./process_tree.ts";
import type { ChildSettings } from "./tool.ts";

/** How a child is started: spread a `ToolContext.child` into it. */
export interface StartOptions extends ChildSettings {
  readonly cwd: string;
  /** Whether a child in the sandbox may use the network. */
  readonly network?: boolean;
  /** Whether a child in the sandbox finds everything read-only. */
  readonly readOnly?: boolean;
  /** Whether it runs as long as the program: a server. */
  readonly standing?: boolean;
  /** What its input is: at its end from the start, unless it is `piped`. */
  readonly stdin?: "null" | "piped";
  /** Windows: the arguments are already quoted as the program wants them. */
  readonly rawArguments?: boolean;
}

/** How a process ended. */
export interface ExitStatus {
  /** 128 and the number of the signal if one ended it. */
  readonly code: number;
  readonly signal: Deno.Signal | null;
}

/** A child that was started. Its outputs must be read to their end, or it may block. */
export interface RunningProcess {
  readonly pid: number;
  /** Present if it was asked for. */
  readonly stdin?: WritableStream<Uint8Array<ArrayBuffer>>;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How the process itself ended; what it started may live on. */
  readonly status: Promise<ExitStatus>;
  /** What it did to protected paths, when the sandbox has tidied up behind it. */
  readonly movedAside: Promise<Aftermath | undefined>;
  /** Counts as running until this settles too, for {@linkcode endAllProcesses}: something still holds its outputs. */
  holdUntil(settled: Promise<unknown>): void;
  /**
   * Ends the process and everything that it started: TERM, and KILL to what is left after 2 s. Resolves when that is
   * done, never rejects, may be called again.
   */
  end(): Promise<void>;
}

const TERM_GRACE_MS = 2000;
/** What {@linkcode endAllProcesses} leaves a tree, so that the program is gone within a second. */
const EXIT_GRACE_MS = 500;

const programMark = `${crypto.randomUUID()}.`;
const running = new Set<Deno.ChildProcess>();
let started = 0;
let path = ""; // of a child: the order in which the helper that ends a tree is looked for

/**
 * Starts a child and does not wait for it: for background commands and servers. `runProcess` runs one to its end.
 *
 * @throws {Deno.errors.NotFound} If there is no such program or folder.
 * @throws {Deno.errors.NotCapable} If the process must not run it.
 */
export function startProcess(command: readonly string[], options: StartOptions): RunningProcess {
  const { cwd, env, stdin = "null", network = false, readOnly = false, standing = false } = options;
  const mark = `${programMark}${++started}.`;
  const confined = options.sandbox?.(command, { cwd, network, readOnly, standing, env });
  const child = spawn(confined?.command ?? command, {
    cwd,
    env: { ...confined?.env ?? env, [MARK_VARIABLE]: mark },
    stdin,
    stdout: "piped",
    stderr: "piped",
    windowsRawArguments: options.rawArguments ?? false,
  });
  path = env["PATH"] ?? path;

  let holders = 0;
  const holdUntil = (settled: Promise<unknown>) => {
    holders++;
    const release = () => void (--holders === 0 && running.delete(child));
    settled.then(release, release);
  };
  running.add(child);
  holdUntil(child.status);

  let ending: Promise<void> | undefined;
  return {
    pid: child.pid,
    ...(stdin === "piped" && { stdin: child.stdin }),
    stdout: child.stdout,
    stderr: child.stderr,
    status: child.status,
    movedAside: child.status.then(() => confined?.settled?.()),
    holdUntil,
    end: () => ending ??= endTrees([child], mark, TERM_GRACE_MS),
  };
}

/**
 * Ends everything that was started and still runs, background processes that commands left behind included. Takes at
 * most a second and never rejects. Called once, when the program ends.
 */
export async function endAllProcesses(): Promise<void> {
  if (started > 0) await endTrees([...running], programMark, EXIT_GRACE_MS);
}

async function endTrees(children: readonly Deno.ChildProcess[], mark: string, graceMs: number): Promise<void> {
  const pids = children.map((child) => child.pid);
  const command = endTreeCommand({ pids, mark: `${MARK_VARIABLE}=${mark}`, graceMs }, Deno.build.os);
  try {
    await spawn(command, { env: { PATH: systemPath(path) }, stdin: "null", stdout: "null", stderr: "null" }).status;
  } catch {
    // The helper may not run under these grants, so only the processes themselves can be reached.
    for (const child of children) killProcess(child);
  }
}

/**
 * Where the helper's programs are: it runs outside the sandbox, and a child's search path may begin in a folder that what
 * runs in the sandbox can write, such as a project's `bin`.
 */
function systemPath(given: string): string {
  if (Deno.build.os === "windows") return given;
  return [...new Set([...given.split(":").filter((folder) => SYSTEM_FOLDERS.includes(folder)), ...SYSTEM_FOLDERS])]
    .join(":");
}

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/run/current-system/sw/bin", "/run/current-system/profile/bin"];

function killProcess(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended already.
  }
}

function spawn(command: readonly string[], options: Deno.CommandOptions): Deno.ChildProcess {
  const [program = "", ...args] = command;
  if (Deno.permissions.querySync({ name: "run", command: program }).state !== "granted") {
    throw new Deno.errors.NotCapable(`Cannot start "${program}": Deno holds no permission to run it (--allow-run)`);
  }
  const leader = groupLeader(program);
  if (leader !== undefined) {
    return new Deno.Command(leader, { ...options, args: command.slice(), clearEnv: true }).spawn();
  }
  // On Windows a detached child would open a console window.
  const detached = Deno.build.os !== "windows";
  return new Deno.Command(program, { ...options, args, clearEnv: true, detached }).spawn();
}

/**
 * The program that gives another one a group of its own by replacing itself with it, if it can be used here. Deno's own way
 * copies this whole process first, which takes 2 ms and more the larger it is.
 */
function groupLeader(program: string): string | undefined {
  if (Deno.build.os !== "linux" || !(program === "sh" || isFile(program))) return undefined; // what is missing must throw
  return SETSID.find((path) => isHeld({ name: "run", command: path }) && isFile(path));
}

const SETSID = ["/usr/bin/setsid", "/bin/setsid"];

function isFile(path: string): boolean {
  try {
    return path.startsWith("/") && isHeld({ name: "read", path }) && Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
