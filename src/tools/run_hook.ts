/**
 * Runs the command of one hook to its end.
 *
 * @module
 */

import { CommandText } from "./command_output.ts";
import { exitLine } from "./exit_line.ts";
import { movedNotes } from "./moved_notes.ts";
import { runProcess } from "./run_process.ts";
import { QUIET_ENVIRONMENT, startShell } from "./shell.ts";
import type { ChildSettings } from "./tool.ts";
import { truncate } from "./truncate.ts";

/** How a hook is run. */
export interface HookRun {
  readonly cwd: string;
  readonly child: ChildSettings;
  /** What it reads from its standard input. */
  readonly input: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of a hook. */
export interface HookEnd {
  /** `objects` is exit 2. */
  readonly ended: "well" | "objects" | "failed";
  /** How it ended, in words. */
  readonly how: string;
  /** Its error output, cut. */
  readonly stderr: string;
  /** What it did to protected paths in the sandbox, in lines. */
  readonly notes: readonly string[];
}

const OBJECTS = 2;
const KEPT_BYTES = 64 * 1024;
const MAX_CHARS = 4000;

/**
 * Runs a hook, in the sandbox where there is one.
 *
 * @throws {Error} If it cannot be started.
 * @throws The signal's reason when it aborts.
 */
export async function runHook(command: string, { child, input, timeoutMs, signal, cwd }: HookRun): Promise<HookEnd> {
  const shell = startShell(command, Deno.build.os, { merge: false });
  const result = await runProcess(shell.command, {
    cwd,
    ...child,
    env: { ...child.env, ...QUIET_ENVIRONMENT },
    rawArguments: shell.rawArguments,
    input,
    signal,
    timeoutMs,
    maxBytes: KEPT_BYTES,
  });
  const text = (await new CommandText().read(result.stderr, signal)).trim();
  const stderr = await truncate(text, { maxChars: MAX_CHARS, signal, keep: () => Promise.resolve(undefined) });
  const { timedOut, code } = result;
  return {
    ended: timedOut ? "failed" : code === 0 ? "well" : code === OBJECTS ? "objects" : "failed",
    how: timedOut ? `timed out after ${timeoutMs / 1000} s` : exitLine(result),
    stderr,
    notes: movedNotes(result.movedAside),
  };
}
