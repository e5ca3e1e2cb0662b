/**
 * The commands that run in the background.
 *
 * @module
 */

import type { Job } from "./job.ts";
import type { ExitStatus } from "./process.ts";

/** A background command, for a list. */
export interface JobSummary {
  readonly id: string;
  readonly command: string;
  /** Milliseconds since it was started, or that it ran. */
  readonly durationMs: number;
  /** Absent while it runs. */
  readonly status?: ExitStatus;
}

const MAX_RUNNING = 20;

/** The background commands of a session. They end with the program, by `endAllProcesses`. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();

  /** Takes in a command, which is made under its id. */
  add(start: (id: string) => Job): Job {
    const job = start(`job_${this.#jobs.size + 1}`);
    this.#jobs.set(job.id, job);
    return job;
  }

  /** Whether no further command may be started. */
  get isFull(): boolean {
    return this.list().filter(({ status }) => !status).length >= MAX_RUNNING;
  }

  /** The command with this id. */
  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** All commands in the order in which they were started, those that have ended included. */
  list(): JobSummary[] {
    return Array.from(this.#jobs.values(), (job) => job.summary());
  }
}
