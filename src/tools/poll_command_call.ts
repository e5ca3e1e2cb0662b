import { exitLine } from "./exit_line.ts";
import type { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import { movedNotes } from "./moved_notes.ts";
import { type ToolContext, ToolError, type ToolOutput } from "./tool.ts";
import { MAX_OUTPUT_CHARS, truncate } from "./truncate.ts";

/** What `poll_command` is given. */
export interface PollCommandInput {
  id: string;
  stop?: boolean | undefined;
}

/** A model that polls again and again costs money: it gets its answer when there is something to say. */
const WAIT_MS = 5000;

/** Runs one call of `poll_command`. */
export async function call(
  { id, stop = false }: PollCommandInput,
  context: ToolContext,
  jobs: Jobs,
): Promise<ToolOutput> {
  const job = jobs.get(id);
  if (!job) throw new ToolError(`Cannot poll "${id}": ${knownIds(jobs)}`);
  const wasRunning = job.summary().status === undefined;
  if (stop) await job.stop();
  const text = (await job.read(WAIT_MS, context.signal)).trimEnd();
  const state = [...movedNotes(job.movedAside), stateOf(job, stop && wasRunning)].join("\n");
  const body = text === "" ? "(no new output)" : await truncate(text, {
    maxChars: MAX_OUTPUT_CHARS - state.length - 1,
    signal: context.signal,
    keep: async (whole) => await context.keepOutput?.(whole),
  });
  return { content: `${body}\n${state}` };
}

function stateOf(job: Job, wasStopped: boolean): string {
  const { status, durationMs } = job.summary();
  const seconds = (durationMs / 1000).toFixed(1);
  if (!status) return `running for ${seconds} s`;
  return `${wasStopped ? "stopped, " : ""}${exitLine(status)} after ${seconds} s`;
}

function knownIds(jobs: Jobs): string {
  const ids = jobs.list().map(({ id }) => id);
  return ids.length === 0
    ? "no command was started in the background"
    : `the background commands are ${ids.join(", ")}`;
}
