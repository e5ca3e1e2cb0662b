/**
 * Runs other programs for the scripts.
 *
 * @module
 */

/** Where and how long a command may run. */
export interface CommandOptions {
  /** The folder it runs in. */
  cwd: URL;
  /** Milliseconds until it is ended; without it there is no limit. */
  timeoutMs?: number;
  /** What messages call it; without it, the command itself. */
  name?: string;
}

/** A command that ended with another status than 0. */
export class CommandError extends Error {
  /** All that it wrote to its error output. */
  readonly stderr: string;

  constructor(name: string, code: number, stderr: string) {
    super(`${name} failed: ${reasonIn(stderr) ?? `it ended with status ${code}`}`);
    this.name = "CommandError";
    this.stderr = stderr;
  }
}

/**
 * Runs a command to its end, without input and without a word.
 *
 * @throws {CommandError} If it fails.
 * @throws {Error} If it is not installed or takes too long.
 */
export async function run(command: string, args: readonly string[], options: CommandOptions): Promise<void> {
  const { cwd, timeoutMs, name = command } = options;
  const signal = timeoutMs === undefined ? new AbortController().signal : AbortSignal.timeout(timeoutMs);
  const env = { NO_COLOR: "1" };
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env,
    signal,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  let output: Deno.CommandOutput;
  try {
    output = await child.output();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new Error(`${name} is not installed`);
    throw error;
  }
  if (output.success) return;
  if (signal.aborted) throw new Error(`${name} took longer than ${timeoutMs! / 1000} s`);
  throw new CommandError(name, output.code, new TextDecoder().decode(output.stderr));
}

/** Runs the Deno that runs this. */
export function runDeno(args: readonly string[], options: CommandOptions): Promise<void> {
  return run(Deno.execPath(), args, { name: "deno", ...options });
}

/** The line of an error output that says most, without colours. */
export function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return (lines.find((line) => /\berror\b/i.test(line)) ?? lines.at(-1))?.replace(/^(npm )?error:? /i, "");
}
