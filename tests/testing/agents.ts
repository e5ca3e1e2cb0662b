/**
 * Agents for tests: a recording {@linkcode UI}, tools that only tell what they were given, and defaults for the rest.
 *
 * @module
 */

import { Agent } from "../../src/agent/agent.ts";
import type { AgentOptions } from "../../src/agent/agent_options.ts";
import { OPEN_GATE } from "../../src/agent/gate.ts";
import type { AgentRecord } from "../../src/agent/records.ts";
import type { AgentEvent, Decision, Question, UI } from "../../src/agent/ui.ts";
import type { Model } from "../../src/llm/types.ts";
import { type Access, defineTool, type Tool, type ToolContext } from "../../src/tools/tool.ts";
import { newToolContext } from "./tool_context.ts";

/** A {@linkcode UI} that keeps all events and gives prepared answers. */
export class RecordingUI implements UI {
  readonly events: AgentEvent[] = [];
  readonly questions: Question[] = [];
  confirm?: (question: Question, signal: AbortSignal) => Promise<Decision>;

  constructor(...answers: Decision[]) {
    if (answers.length > 0) {
      this.confirm = (question) => {
        this.questions.push(question);
        return Promise.resolve(answers.shift() ?? { answer: "no" });
      };
    }
  }

  show(event: AgentEvent): void {
    this.events.push(structuredClone(event));
  }

  /** The events of one type, in order. */
  of<T extends AgentEvent["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  }
}

/** An agent over a fake model. Records go to `records`. */
export function newAgent(model: Model, options: Partial<AgentOptions> & { records?: AgentRecord[] } = {}): Agent {
  const { records, ...rest } = options;
  const { signal: _signal, seen: _seen, granted: _granted, ...surroundings } = newToolContext({ cwd: "/" });
  return new Agent({
    model,
    system: "You are a test.",
    tools: [],
    ui: new RecordingUI(),
    surroundings,
    gate: OPEN_GATE,
    ...(records && {
      record: (record) => {
        records.push(structuredClone(record));
        return Promise.resolve();
      },
    }),
    ...rest,
  });
}

/** A tool with one text argument whose work is a function. */
export function textTool(
  name: string,
  access: Exclude<Access, "server">,
  work: (text: string, context: ToolContext) => string | Promise<string>,
): Tool {
  return defineTool({
    name,
    description: `Tool ${name}.`,
    access,
    needs: [],
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    subject: ({ text }) => text,
    execute: async ({ text }, context) => ({ content: await work(text, context) }),
  });
}
