/**
 * Runs the calls of one reply. Whatever happens, each call gets exactly one result.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../llm/clock.ts";
import type { ToolResultBlock, ToolUseBlock } from "../llm/types.ts";
import type { SeenFile, Tool, ToolContext, ToolOutput } from "../tools/tool.ts";
import type { Gate } from "./gate.ts";
import type { Hooks } from "./hooks.ts";
import type { Recorder } from "./records.ts";
import type { UI } from "./ui.ts";

/** Read-only calls that run at the same time. */
const MAX_PARALLEL = 8;

/** What is needed to run calls. */
export interface CallRunner {
  tools: readonly Tool[];
  gate: Gate;
  ui: UI;
  /** The context of a call, without what the gate adds. */
  context(signal: AbortSignal): ToolContext;
  /** Cleans what goes to the model and the screen: secrets and control characters out. */
  clean(text: string): string;
  record: Recorder;
  /** Remembers the files that a call has seen. */
  remember(seen: readonly SeenFile[]): void;
  /** Commands of the person's own around each call. */
  hooks: Hooks | undefined;
}

/**
 * Runs all calls of one reply and returns their results in the order of the calls. Neighbouring calls that change nothing
 * run side by side, all others one after another. Never throws but for a record that cannot be kept.
 */
export async function runCalls(
  calls: readonly ToolUseBlock[],
  runner: CallRunner,
  signal: AbortSignal,
): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  for (let start = 0; start < calls.length;) {
    let end = start + 1;
    const context = runner.context(signal);
    const isReadOnly = (at: number) => {
      const tool = runner.tools.find(({ name }) => name === calls[at]?.name);
      return tool !== undefined && !mayChange(tool, calls[at]?.input, context);
    };
    const parallel = isReadOnly(start);
    while (parallel && end < calls.length && end - start < MAX_PARALLEL && isReadOnly(end)) end++;
    results.push(...await Promise.all(calls.slice(start, end).map((call) => runCall(call, runner, signal))));
    start = end;
  }
  return results;
}

/** Whether a call may change something when it runs. */
function mayChange(tool: Tool, input: unknown, context: ToolContext): boolean {
  return tool.mayChange?.(input, context) ?? (tool.access === "write" || tool.access === "execute");
}

async function runCall(given: ToolUseBlock, runner: CallRunner, signal: AbortSignal): Promise<ToolResultBlock> {
  const { ui, clean } = runner;
  const call = structuredClone(given); // what was asked about is what runs, whatever becomes of the block meanwhile
  const tool = runner.tools.find((t) => t.name === call.name);
  const subject = tool?.subject(call.input) ?? "";
  ui.show({ type: "tool_call", id: call.id, name: call.name, subject, input: given.input });
  const output = await answer(call, tool, runner, signal);
  const text = clean(output.content);
  const content = text.trim() === "" ? "(no output)" : text;
  const block: ToolResultBlock = {
    type: "tool_result",
    toolUseId: call.id,
    content,
    isError: output.isError ?? false,
    ...(output.images && output.images.length > 0 && { images: output.images }),
  };
  if (output.seen) runner.remember(output.seen);
  await runner.record({ type: "result", block, ...(output.seen && { seen: output.seen }) });
  const { id, name } = call;
  ui.show({
    type: "tool_result",
    id,
    name,
    content,
    isError: block.isError,
    ...(output.display && { display: output.display }),
  });
  return block;
}

/** The answer to one call; a failure of any kind is an answer too. */
async function answer(
  call: ToolUseBlock,
  tool: Tool | undefined,
  runner: CallRunner,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const failed = (content: string): ToolOutput => ({ content, isError: true });
  if (call.invalid !== undefined) return failed(call.invalid);
  if (signal.aborted) return failed(NOT_STARTED);
  if (tool === undefined) {
    const names = runner.tools.map((t) => t.name).join(", ");
    return failed(`Unknown tool "${call.name}": ${names === "" ? "there are no tools" : `the tools are ${names}`}`);
  }
  const problem = tool.problem(call.input);
  if (problem !== undefined) return failed(problem);
  const refused = (reason: string, rule?: string) => {
    const { id, name, input } = call;
    if (!signal.aborted) runner.ui.show({ type: "denial", id, name, input, reason, ...(rule && { rule }) });
    return failed(signal.aborted ? NOT_STARTED : reason);
  };
  try {
    const context = runner.context(signal);
    const admission = await runner.gate.admit(tool, call.input, context);
    if (!admission.admitted) return refused(admission.reason, admission.rule);
    const objection = signal.aborted ? undefined : await runner.hooks?.beforeTool(call, signal);
    if (objection !== undefined) return refused(objection);
    if (signal.aborted) return failed(NOT_STARTED);
    if (mayChange(tool, call.input, context)) {
      await runner.record({ type: "intent", id: call.id, name: call.name, input: call.input });
    }
    const onOutput = (text: string) => runner.ui.show({ type: "tool_output", id: call.id, text: runner.clean(text) });
    const given = { ...context, ...admission.context, callId: call.id, onOutput };
    const running = untilAborted(tool.execute(call.input, given), signal);
    return runner.hooks ? await withHooks(call, running, runner, signal) : await running;
  } catch (error) {
    if (signal.aborted) return failed(INTERRUPTED);
    return failed(describeError(error));
  }
}

/** The result of a call that has run, well or not, with what hooks have to say of it. */
async function withHooks(
  call: ToolUseBlock,
  running: Promise<ToolOutput>,
  { hooks, clean }: CallRunner,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const output = await running.catch((error): ToolOutput => {
    if (signal.aborted) throw error;
    return { content: describeError(error), isError: true };
  });
  if (signal.aborted) return output;
  const added = await hooks?.afterTool(call, { ...output, content: clean(output.content) }, signal);
  return added ? { ...output, content: `${output.content}\n\n${added}` } : output;
}

/** Waits for a call, but not for one that does not stop when it should. */
async function untilAborted(output: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  const { promise, reject } = Promise.withResolvers<never>();
  let cancel: (() => void) | undefined;
  const onAbort = () => {
    cancel = SYSTEM_CLOCK.after(GRACE_MS, () => reject(signal.reason));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([output, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    cancel?.();
  }
}

/** How long a call may take to stop after an interrupt before its result is given without it. */
const GRACE_MS = 100;

const NOT_STARTED = "Interrupted by the user: the call was not started";
const INTERRUPTED = "Interrupted by the user: the call may have done a part of its work";

/** An error as a sentence for the model, without the runtime's own codes. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const name = error instanceof Error && error.name !== "Error" ? error.name : "the tool failed";
  return text.replaceAll(/ \(os error \d+\)/g, "").trim() || name;
}
