/**
 * Runs a child process to its end, in bounded memory and time.
 *
 * @module
 */

import { type CapturedOutput, OutputBuffer } from "./output_buffer.ts";
import { type ExitStatus, type StartOptions, startProcess } from "./process.ts";

/** How a child is run to its end. */
export interface RunOptions extends Omit<StartOptions, "stdin"> {
  /** The whole input. Without it the input is at its end. */
  readonly input?: string;
  /** Ends the child with everything that it started. */
  readonly signal: AbortSignal;
  /** Ends it in the same way, but gives a result. In milliseconds; without it there is no limit. */
  readonly timeoutMs?: number;
  /** Bytes that are kept of each output: half from its beginning, half from its end. */
  readonly maxBytes: number;
  /** Keeps both outputs in one, in the order of arrival. */
  readonly mergeOutput?: boolean;
  /** Called with each piece of either output. The array is valid only during the call. */
  onOutput?(bytes: Uint8Array): void;
}

/** What came of a child. */
export interface RunResult extends ExitStatus {
  readonly stdout: CapturedOutput;
  /** The same as `stdout` if the outputs were merged. */
  readonly stderr: CapturedOutput;
  /** The time limit ended it; the exit status means nothing then. */
  readonly timedOut: boolean;
  /** Something that it started still holds its output: it runs on in the background. */
  readonly leftBehind: boolean;
  readonly durationMs: number;
}

/** After the exit: silence that means that the pipe is empty, and how long a background process may still be heard. */
const PIPE_SILENCE_MS = 30;
const PIPE_GRACE_MS = 300;
const READ_BYTES = 65_536;
const KILLED: ExitStatus = { code: 137, signal: "SIGKILL" };

/**
 * Runs a child to its end, and no longer: the result does not wait for a background process that holds its output.
 *
 * When the signal aborts, the call throws at once; what needs longer to die is ended behind it. After the time limit
 * it comes back when all is over.
 *
 * @throws {Deno.errors.NotFound} If there is no such program or folder.
 * @throws {Deno.errors.NotCapable} If the process must not run it.
 * @throws The signal's reason when it aborts.
 * @example
 * ```ts ignore
 * const { code, stdout } = await runProcess(["git", "status", "--porcelain"], {
 *   ...context.child, cwd, readOnly: true, signal, timeoutMs: 10_000, maxBytes: 1_000_000,
 * });
 * const text = decodeOutput(stdout);
 * ```
 */
export async function runProcess(command: readonly string[], options: RunOptions): Promise<RunResult> {
  const { input, signal, timeoutMs, maxBytes, mergeOutput = false } = options;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = startProcess(command, { ...options, stdin: input === undefined ? "null" : "piped" });

  const stdout = new OutputBuffer(maxBytes);
  const stderr = mergeOutput ? stdout : new OutputBuffer(maxBytes);
  let lastReadAt = startedAt;
  let finished = false;
  const keepIn = (buffer: OutputBuffer) => (bytes: Uint8Array) => {
    if (finished) return; // read on all the same: a closed pipe would end the background process
    lastReadAt = performance.now();
    buffer.write(bytes);
    options.onOutput?.(bytes);
  };
  let drained = false;
  const reading = Promise.all([readPipe(child.stdout, keepIn(stdout)), readPipe(child.stderr, keepIn(stderr))])
    .then(() => void (drained = true));
  const writer = child.stdin?.getWriter();
  if (writer) void writeAll(writer, input ?? "");

  const interruption = Promise.withResolvers<never>();
  const timeLimit = Promise.withResolvers<"timed out">();
  const quiet = Promise.withResolvers<void>();
  const interrupt = () => {
    void child.end();
    interruption.reject(signal.reason);
  };
  signal.addEventListener("abort", interrupt, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => timeLimit.resolve("timed out"), timeoutMs);
  let poll: ReturnType<typeof setInterval> | undefined;
  try {
    let status = await Promise.race([child.status, timeLimit.promise, interruption.promise]);
    const timedOut = status === "timed out";
    if (status === "timed out") {
      await Promise.race([child.end(), interruption.promise]);
      status = KILLED;
    }
    const exitedAt = performance.now();
    poll = setInterval(() => {
      const now = performance.now();
      if (now - Math.max(lastReadAt, exitedAt) >= PIPE_SILENCE_MS || now - exitedAt >= PIPE_GRACE_MS) quiet.resolve();
    }, PIPE_SILENCE_MS / 2);
    await Promise.race([reading, quiet.promise, interruption.promise]);
    const kept = stdout.take();
    return {
      code: status.code,
      signal: status.signal,
      stdout: kept,
      stderr: mergeOutput ? kept : stderr.take(),
      timedOut,
      leftBehind: !drained,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    finished = true;
    signal.removeEventListener("abort", interrupt);
    clearTimeout(timer);
    clearInterval(poll);
    child.holdUntil(reading);
    writer?.abort().catch(() => {});
  }
}

/** Reads to the end with one array for all pieces: a gigabyte leaves no garbage behind. */
async function readPipe(pipe: ReadableStream<Uint8Array<ArrayBuffer>>, take: (bytes: Uint8Array) => void) {
  const reader = pipe.getReader({ mode: "byob" });
  let buffer = new Uint8Array(READ_BYTES);
  try {
    for (;;) {
      const { value, done } = await reader.read(buffer);
      if (done) return;
      take(value);
      buffer = new Uint8Array(value.buffer);
    }
  } catch {
    // The pipe broke: what came before it counts.
  }
}

async function writeAll(writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>, text: string) {
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The child does not want its input: that is its own affair.
  }
}
