/**
 * Tools for models that know of none: calls and results travel as plain text in the ReAct form, and everything outside
 * sees an ordinary model.
 *
 * @module
 */

import { ApiError } from "./errors.ts";
import { ReactReader } from "./react_reader.ts";
import instructions from "./text_tools.md" with { type: "text" };
import type { Block, Message, Model, ModelRequest, ModelResponse, StreamEvent, ToolDefinition } from "./types.ts";

/** Where a reply ends: what follows would be an invented result. */
const OBSERVATION = "Observation:";

/**
 * Makes a model that can use tools of one that only writes text. Answers are streamed as they come; the text of a call
 * is not part of the answer.
 *
 * @example
 * ```ts
 * import { DemoModel } from "./demo.ts";
 *
 * const model = withTextTools(new DemoModel());
 * console.assert(model.id === "demo/demo");
 * ```
 */
export function withTextTools(model: Model): Model {
  const { id, contextWindow, vision } = model;
  return {
    id,
    contextWindow,
    ...(vision !== undefined && { vision }),
    stream: (request, signal) => streamWithTextTools(model, request, signal),
  };
}

async function* streamWithTextTools(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  if (request.tools.length === 0) {
    yield* model.stream(inWords(request), signal);
    return;
  }
  const newReader = () => new ReactReader(request.tools.map(({ name }) => name), countCalls(request.messages));
  let reader = newReader();
  for await (const event of model.stream(withInstructions(inWords(request)), signal)) {
    switch (event.type) {
      case "text_delta":
        yield* reader.add(event.text);
        break;
      case "restart":
        reader = newReader();
        yield event;
        break;
      case "done":
        yield* reader.end(event.response.stopReason === "max_tokens");
        yield { type: "done", response: withCalls(event.response, { reader, model }) };
        break;
      default:
        yield event;
    }
  }
}

/** The reply with its text replaced by what was read out of it. */
function withCalls(response: ModelResponse, { reader, model }: { reader: ReactReader; model: Model }): ModelResponse {
  const { thought, text, calls } = reader;
  const content: Block[] = [
    ...response.content.filter((block) => block.type !== "text"),
    ...(thought === "" ? [] : [{ type: "thinking" as const, text: thought, model: model.id }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls,
  ];
  if (response.stopReason === "refusal" || response.stopReason === "max_tokens") return { ...response, content };
  if (text === "" && calls.length === 0) {
    throw new ApiError(`Cannot read the reply of "${model.id}": it holds neither an answer nor a call`, {
      kind: "empty_reply",
      retryable: true,
    });
  }
  return { ...response, content, stopReason: calls.length > 0 ? "tool_use" : "end_turn" };
}

function withInstructions(request: ModelRequest): ModelRequest {
  const system = [request.system, instructions.trim(), ...request.tools.map(describe)].filter((part) => part !== "");
  return { ...request, system: system.join("\n\n"), tools: [], stop: [...(request.stop ?? []), OBSERVATION] };
}

function describe({ name, description, inputSchema }: ToolDefinition): string {
  return `## ${name}\n\n${description}\n\nArguments, as JSON Schema: ${JSON.stringify(inputSchema)}`;
}

/** The history without calls and results: they stand in it as text. */
function inWords(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(messageInWords) };
}

function messageInWords(message: Message): Message {
  const isPlain = message.content.every((block) => block.type !== "tool_use" && block.type !== "tool_result");
  return isPlain ? message : { ...message, content: joined(message.content.flatMap(blockInWords)) };
}

/** Neighbours of plain text become one: a label has to begin a line whatever a service does between blocks. */
function joined(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last?.type !== "text" || block.type !== "text") out.push(block);
    else out[out.length - 1] = { type: "text", text: `${last.text}\n\n${block.text}` };
  }
  return out;
}

function blockInWords(block: Block): Block[] {
  switch (block.type) {
    case "tool_use":
      return [{ type: "text", text: `Action: ${block.name}\nAction Input: ${JSON.stringify(block.input)}` }];
    case "tool_result": {
      const { content, isError, images = [] } = block;
      return [{ type: "text", text: `${OBSERVATION} ${isError ? "Error: " : ""}${content}` }, ...images];
    }
    default:
      return [block];
  }
}

function countCalls(messages: readonly Message[]): number {
  return messages.flatMap(({ content }) => content.filter((block) => block.type === "tool_use")).length;
}
