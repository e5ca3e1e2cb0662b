/**
 * A model that plays a script, and on each request checks what no test should have to: that the history is one which a
 * strict service accepts.
 *
 * @module
 */

import { historyFaults } from "../../src/llm/history.ts";
import type {
  Block,
  Model,
  ModelRequest,
  ModelResponse,
  StopReason,
  StreamEvent,
  ToolDefinition,
} from "../../src/llm/types.ts";

/** One reply of the script. */
export type Reply =
  | Partial<ModelResponse>
  | Error
  | ((request: ModelRequest, signal: AbortSignal) => AsyncGenerator<StreamEvent>);

/** A reply of text alone. */
export function says(text: string, stopReason: StopReason = "end_turn"): Partial<ModelResponse> {
  return { content: [{ type: "text", text }], stopReason };
}

/** A reply with one call. */
export function calls(name: string, input: unknown, id: string): Partial<ModelResponse> {
  return { content: [{ type: "tool_use", id, name, input }], stopReason: "tool_use" };
}

/** A {@linkcode Model} that plays its script in order and keeps a copy of each request. */
export class FakeModel implements Model {
  readonly id = "fake/fake";
  readonly contextWindow = 100_000;
  /** Copies, since the history goes on changing. */
  readonly requests: ModelRequest[] = [];
  readonly #script: Reply[];

  constructor(...script: Reply[]) {
    this.#script = script;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    this.requests.push(structuredClone({ ...request, tools: request.tools.map(definition) }));
    const faults = historyFaults(request.messages);
    if (faults.length > 0) throw new Error(`The history is not sound: ${faults.join("; ")}`);
    const reply = this.#script.shift();
    if (reply === undefined) throw new Error("The script has no further reply");
    if (reply instanceof Error) throw reply;
    if (typeof reply === "function") {
      yield* reply(request, signal);
      return;
    }
    signal.throwIfAborted();
    const content: Block[] = reply.content ?? [];
    for (const block of content) {
      if (block.type === "text") yield { type: "text_delta", text: block.text };
      if (block.type === "tool_use") yield { type: "tool_use_start", id: block.id, name: block.name };
    }
    yield {
      type: "done",
      response: {
        content,
        stopReason: reply.stopReason ?? "end_turn",
        usage: reply.usage ?? { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
        model: reply.model ?? "fake",
      },
    };
  }
}

function definition({ name, description, inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description, inputSchema };
}
