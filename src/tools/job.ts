/**
 * One command that runs in the background, with the output that nobody has read yet.
 *
 * @module
 */

import type { Aftermath } from "../permissions/sandbox_guard.ts";
import { CommandText } from "./command_output.ts";
import type { JobSummary } from "./jobs.ts";
import { OutputBuffer } from "./output_buffer.ts";
import { readPipe } from "./pipes.ts";
import type { ExitStatus, RunningProcess } from "./process.ts";

/** Unread output that is kept of each command: half from its beginning, half from its end. */
const UNREAD_BYTES = 262_144;
/** How long output may still come after the exit. */
const PIPE_GRACE_MS = 100;

/** One background command. */
export class Job {
  readonly id: string;
  readonly command: string;
  readonly #process: RunningProcess;
  readonly #unread = new OutputBuffer(UNREAD_BYTES);
  readonly #text = new CommandText();
  readonly #startedAt = performance.now();
  #endedAt: number | undefined;
  #status: ExitStatus | undefined;
  #movedAside: Aftermath | undefined;
  #hasNews = false;
  #news = Promise.withResolvers<void>();

  constructor(id: string, command: string, process: RunningProcess) {
    this.id = id;
    this.command = command;
    this.#process = process;
    const take = (bytes: Uint8Array) => {
      this.#unread.write(bytes);
      this.#tell();
    };
    const drained = Promise.all([readPipe(process.stdout, take), readPipe(process.stderr, take)]);
    process.holdUntil(drained);
    process.status.then((status) => this.#finish(status, drained));
  }

  summary(): JobSummary {
    return {
      id: this.id,
      command: this.command,
      durationMs: (this.#endedAt ?? performance.now()) - this.#startedAt,
      ...(this.#status && { status: this.#status }),
    };
  }

  /**
   * The output since the last call. Waits for some, or for the end, if there is none yet.
   *
   * @param waitMs Milliseconds to wait at most.
   * @throws The signal's reason when it aborts.
   */
  async read(waitMs: number, signal: AbortSignal): Promise<string> {
    if (!this.#hasNews && !this.#status) await waitFor(this.#news.promise, waitMs, signal);
    this.#hasNews = false;
    this.#news = Promise.withResolvers();
    return await this.#text.read(this.#unread.take(), signal);
  }

  /** What it did to protected paths in the sandbox: known when it has ended. */
  get movedAside(): Aftermath | undefined {
    return this.#movedAside;
  }

  /** Ends the command with everything that it started. */
  async stop(): Promise<void> {
    await this.#process.end();
    await this.#process.status;
    await this.#process.movedAside;
  }

  async #finish(status: ExitStatus, drained: Promise<unknown>): Promise<void> {
    this.#endedAt = performance.now();
    await waitFor(drained, PIPE_GRACE_MS);
    this.#movedAside = await this.#process.movedAside;
    this.#status = status;
    this.#tell();
  }

  #tell(): void {
    this.#hasNews = true;
    this.#news.resolve();
  }
}

/** Waits for a promise that never rejects, but not longer than this. */
async function waitFor(event: Promise<unknown>, maxMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const end = Promise.withResolvers<void>();
  const abort = () => end.reject(signal?.reason);
  const timer = setTimeout(() => end.resolve(), maxMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([event, end.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
