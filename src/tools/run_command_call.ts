import { quotePath } from "../permissions/paths.ts";
import { CommandText } from "./command_output.ts";
import { exitLine } from "./exit_line.ts";
import { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import { LiveOutput } from "./live_output.ts";
import { movedNotes } from "./moved_notes.ts";
import { type StartOptions, startProcess } from "./process.ts";
import { runProcess, type RunResult } from "./run_process.ts";
import { leavesBackground, sandboxHint } from "./sandbox_hint.ts";
import { shellHint } from "./shell_hint.ts";
import { QUIET_ENVIRONMENT, type ShellStart, startShell } from "./shell.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";
import { MAX_OUTPUT_CHARS, truncate } from "./truncate.ts";

/** What `run_command` is given. */
export interface RunCommandInput {
  command: string;
  timeout_ms?: number | undefined;
  background?: boolean | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** What is kept of a command's output: a flood must not take the program's memory. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** A system takes little more as one argument. */
const MAX_COMMAND_BYTES = 120_000;
/** Where a shell says what it does not understand. */
const HINTED_CHARS = 2000;
const ENDED_WITH_IT = "In the sandbox nothing outlives its command: start with background what is to run on";

/** Runs one call of `run_command`. */
export async function call(input: RunCommandInput, context: ToolContext, jobs: Jobs): Promise<ToolOutput> {
  const refuse = (reason: string) => new ToolError(`Cannot run the command: ${reason}`);
  const problem = commandProblem(input.command);
  if (problem !== undefined) throw refuse(problem);
  try {
    return await start(input, context, jobs);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || !await isGone(context.cwd)) throw error;
    throw refuse(`the working folder ${quotePath(context.cwd)} is gone; write_file makes it again`);
  }
}

async function isGone(folder: string): Promise<boolean> {
  return await Deno.stat(folder).then(() => false, (error) => error instanceof Deno.errors.NotFound);
}

async function start(
  { command, timeout_ms = DEFAULT_TIMEOUT_MS, background = false }: RunCommandInput,
  context: ToolContext,
  jobs: Jobs,
): Promise<ToolOutput> {
  const shell = startShell(command, Deno.build.os);
  if (background) {
    if (jobs.isFull) throw new ToolError("Cannot start it in the background: stop one of the commands there first");
    const process = startProcess(shell.command, startOptions(shell, context));
    const { id } = jobs.add((id) => new Job(id, command, process));
    return { content: `Started in the background as ${id}: poll_command gives its output` };
  }
  const timeoutMs = Math.min(timeout_ms, MAX_TIMEOUT_MS);
  return await runToEnd(command, shell, { timeoutMs, context });
}

function commandProblem(command: string): string | undefined {
  if (command.trim() === "") return "it is empty";
  if (command.includes("\0")) return "it holds a NUL character";
  const { length } = new TextEncoder().encode(command);
  if (length > MAX_COMMAND_BYTES) {
    return `it has ${length} bytes, more than ${MAX_COMMAND_BYTES}: write a script and run that`;
  }
}

/** In the sandbox where there is one, unless the person has said yes to leaving it. */
function startOptions(shell: ShellStart, { cwd, child, needs }: ToolContext): StartOptions {
  const { env, sandbox } = child;
  return {
    cwd,
    env: { ...env, ...QUIET_ENVIRONMENT },
    ...(sandbox && needs !== "outside" && { sandbox, network: needs === "network" }),
    rawArguments: shell.rawArguments,
  };
}

async function runToEnd(
  command: string,
  shell: ShellStart,
  { timeoutMs, context }: { timeoutMs: number; context: ToolContext },
): Promise<ToolOutput> {
  const { signal } = context;
  const options = startOptions(shell, context);
  const live = new LiveOutput((text) => context.onOutput?.(text));
  const result = await runProcess(shell.command, {
    ...options,
    signal,
    timeoutMs,
    maxBytes: KEPT_BYTES,
    mergeOutput: !shell.merged,
    onOutput: (bytes) => live.write(bytes),
  });
  const output = await new CommandText().read(result.stdout, signal);
  // Where the shell merges, the other pipe has only what came before it: complaints of the sandbox, or of the shell
  // about a text that it cannot read.
  const aside = shell.merged ? await new CommandText().read(result.stderr, signal) : "";
  if (options.sandbox && result.code !== 0 && isSandboxFailure(aside)) {
    throw new Error(`Cannot start the sandbox: ${aside.trim()}`);
  }
  const text = [output.trimEnd(), aside.trimEnd()].filter((part) => part !== "").join("\n");
  const notes = [endOf(result, timeoutMs)];
  if (options.sandbox && result.code !== 0) notes.unshift(...sandboxHint(text, options.network ?? false));
  notes.unshift(...movedNotes(result.movedAside), ...shellHint(aside || text.slice(-HINTED_CHARS)));
  if (options.sandbox && Deno.build.os === "linux" && leavesBackground(command)) notes.push(ENDED_WITH_IT);
  const end = notes.join("\n");
  const body = text === "" ? "(no output)" : await truncate(text, {
    maxChars: MAX_OUTPUT_CHARS - end.length - 1,
    signal,
    keep: async (whole) => await context.keepOutput?.(whole),
  });
  return { content: `${body}\n${end}`, ...((result.timedOut || result.code !== 0) && { isError: true }) };
}

function isSandboxFailure(text: string): boolean {
  return /^(?:bwrap|sandbox-exec): /.test(text);
}

function endOf(result: RunResult, timeoutMs: number): string {
  if (result.timedOut) return `timed out after ${timeoutMs / 1000} s: the command and all it started were ended`;
  return exitLine(result) + (result.leftBehind ? ", a process that it started runs on in the background" : "");
}
