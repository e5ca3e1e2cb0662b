/**
 * Runs a child process to its end, in bounded memory and time.
 *
 * @module
 */

import type { Aftermath } from "../permissions/sandbox_guard.ts";
import { type CapturedOutput, OutputBuffer } from "./output_buffer.ts";
import { readPipe, writePipe } from "./pipes.ts";
import { type ExitStatus, type RunningProcess, type StartOptions, startProcess } from "./process.ts";

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
  /** The standard output, or both if they were merged. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** The time limit ended it; the exit status means nothing then. */
  readonly timedOut: boolean;
  /** Something that it started still holds its output: it runs on in the background. */
  readonly leftBehind: boolean;
  /** What it did to protected paths in the sandbox. */
  readonly movedAside?: Aftermath | undefined;
  readonly durationMs: number;
}

/** After the exit: silence that means that the pipe is empty, and how long a background process may still be heard. */
const PIPE_SILENCE_MS = 30;
const PIPE_GRACE_MS = 300;
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
  const { input, signal, timeoutMs } = options;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = startProcess(command, { ...options, stdin: input === undefined ? "null" : "piped" });
  const outputs = new Outputs(child, options);
  const writer = child.stdin?.getWriter();
  if (writer) void writePipe(writer, input ?? "");

  const interruption = Promise.withResolvers<never>();
  const interrupt = () => {
    void child.end();
    interruption.reject(signal.reason);
  };
  signal.addEventListener("abort", interrupt, { once: true });
  const limit = Promise.withResolvers<undefined>();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.resolve(undefined), timeoutMs);
  try {
    const status = await Promise.race([child.status, limit.promise, interruption.promise]);
    if (!status) await Promise.race([child.end(), interruption.promise]);
    await Promise.race([outputs.settle(), interruption.promise]);
    return {
      ...status ?? KILLED,
      ...outputs.take(),
      movedAside: await Promise.race([child.movedAside, interruption.promise]),
      timedOut: !status,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    signal.removeEventListener("abort", interrupt);
    clearTimeout(timer);
    outputs.close();
    writer?.abort().catch(() => {});
  }
}

/** Both outputs of a child while it runs and shortly after. */
class Outputs {
  readonly #stdout: OutputBuffer;
  readonly #stderr: OutputBuffer;
  readonly #ended: Promise<void>;
  #isEnded = false;
  #isClosed = false;
  #lastReadAt = 0;
  #poll: ReturnType<typeof setInterval> | undefined;

  constructor(child: RunningProcess, { maxBytes, mergeOutput = false, onOutput }: RunOptions) {
    this.#stdout = new OutputBuffer(maxBytes);
    this.#stderr = mergeOutput ? this.#stdout : new OutputBuffer(maxBytes);
    const takeInto = (buffer: OutputBuffer) => (bytes: Uint8Array) => {
      if (this.#isClosed) return; // it is read all the same: a closed pipe would end what runs on in the background
      this.#lastReadAt = performance.now();
      buffer.write(bytes);
      onOutput?.(bytes);
    };
    this.#ended = Promise.all([
      readPipe(child.stdout, takeInto(this.#stdout)),
      readPipe(child.stderr, takeInto(this.#stderr)),
    ]).then(() => void (this.#isEnded = true));
    child.holdUntil(this.#ended);
  }

  /** Waits, once the process has ended, for what is still in the pipes. */
  settle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const exitedAt = performance.now();
    this.#poll = setInterval(() => {
      const now = performance.now();
      const silenceMs = now - Math.max(this.#lastReadAt, exitedAt);
      if (silenceMs >= PIPE_SILENCE_MS || now - exitedAt >= PIPE_GRACE_MS) resolve();
    }, PIPE_SILENCE_MS / 2);
    return Promise.race([this.#ended, promise]);
  }

  take(): Pick<RunResult, "stdout" | "stderr" | "leftBehind"> {
    return { stdout: this.#stdout.take(), stderr: this.#stderr.take(), leftBehind: !this.#isEnded };
  }

  /** Nothing that still comes counts. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#poll);
  }
}
