/**
 * An agent that works for another one: on one task, with a history of its own. What comes of it is a text.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";
import type { AgentTask } from "../tools/run_agent.ts";
import type { ToolContext, ToolOutput } from "../tools/tool.ts";
import { MAX_OUTPUT_CHARS, truncate } from "../tools/truncate.ts";
import { Agent, textOf } from "./agent.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Hooks } from "./hooks.ts";
import type { AgentEvent, TurnResult, UI } from "./ui.ts";

/**
 * Runs a sub-agent to its end.
 *
 * @param options What it is made of; its UI and that of its gate come from {@linkcode subAgentUI}.
 * @param context Of the call that runs it.
 * @returns Its last message, or as an error why there is none. Never empty.
 * @throws The signal's reason when it aborts.
 */
export async function runSubAgent(
  { prompt }: AgentTask,
  options: AgentOptions,
  { signal, keepOutput }: ToolContext,
): Promise<ToolOutput> {
  const changed = new Set<string>();
  const { hooks, surroundings } = options;
  const agent = new Agent({
    ...options,
    ...(hooks && { hooks: aroundCalls(hooks) }),
    surroundings: {
      ...surroundings,
      beforeChange: async (path) => {
        await surroundings.beforeChange?.(path);
        changed.add(path);
      },
    },
  });
  const ending = await agent.send(prompt, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  });
  signal.throwIfAborted();
  const failure = ending instanceof Error ? failureOf(ending) : whyNoAnswer(ending);
  const text = failure === undefined ? answerOf(ending as TurnResult) : report(failure, agent, changed);
  const keep = async (whole: string) => await keepOutput?.(whole);
  const content = await truncate(text, { maxChars: MAX_OUTPUT_CHARS, keep, signal });
  return { content, ...(failure !== undefined && { isError: true }) };
}

/** How long a task may be in a question to the person. */
const MAX_NAME_CHARS = 80;
/** Pieces of replies are left out: nobody could tell whose they are. */
const NOT_SHOWN: ReadonlySet<AgentEvent["type"]> = new Set([
  "text_delta",
  "thinking_delta",
  "tool_use_start",
  "turn_end",
]);

/** What a sub-agent shows and asks, as its parent's person sees it. */
export function subAgentUI(ui: UI, { description }: AgentTask, callId = ""): UI {
  const name = description.replaceAll(/\s+/g, " ").trim();
  const asker = `asked by a sub-agent: ${name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name}`;
  return {
    show(event) {
      if (!NOT_SHOWN.has(event.type)) ui.show({ type: "sub_agent", id: callId, event });
    },
    ...(ui.confirm && {
      confirm: (question, signal) => ui.confirm!({ ...question, reason: `${question.reason}; ${asker}` }, signal),
    }),
    ...(ui.ask && { ask: (question, options, signal) => ui.ask!(`${question}\n(${asker})`, options, signal) }),
  };
}

/** The turn and the session belong to the parent: only the calls have hooks. */
function aroundCalls(hooks: Hooks): Hooks {
  return {
    sessionStart: () => Promise.resolve(),
    turnEnd: () => Promise.resolve(),
    beforeTool: (call, signal) => hooks.beforeTool(call, signal),
    afterTool: (call, output, signal) => hooks.afterTool(call, output, signal),
  };
}

function failureOf(error: Error): string {
  return `${error instanceof ApiError ? "its request failed" : "it broke off"}: ${error.message}`;
}

/** Undefined if there is an answer. */
function whyNoAnswer({ outcome, text, steps }: TurnResult): string | undefined {
  const isEmpty = text.trim() === "";
  switch (outcome) {
    case "done":
      return isEmpty ? "its last reply had no text" : undefined;
    case "max_tokens":
      return isEmpty ? "its last reply reached the output limit before it said anything" : undefined;
    case "refusal":
      return "the model refused the task";
    case "max_steps":
      return `it reached its limit of ${steps} ${steps === 1 ? "step" : "steps"}`;
    case "stuck":
      return "it was stopped, since it repeated the same calls with the same results";
    case "budget":
      return "it was stopped, since its next request could exceed the cost limit of the session";
    case "interrupted":
      return "it was interrupted";
    default:
      return outcome satisfies never;
  }
}

function answerOf({ text, outcome }: TurnResult): string {
  return outcome === "max_tokens" ? `${text}\n\n[cut: this answer of the sub-agent reached the output limit]` : text;
}

/** What the parent must know of work that came to nothing. */
function report(failure: string, { messages, steps }: Agent, changed: ReadonlySet<string>): string {
  const said = messages.flatMap(({ role, content }) => role === "assistant" ? textOf(content).trim() : []);
  const last = said.findLast((text) => text !== "");
  return [
    `The sub-agent gave no answer: ${failure}`,
    ...(changed.size > 0 ? [`Files that it has changed: ${[...changed].join(", ")}`] : []),
    ...(last === undefined
      ? []
      : [`What it said last, after ${steps} model ${steps === 1 ? "call" : "calls"}:\n${last}`]),
  ].join("\n\n");
}
