/**
 * An offline model of fixed rules. It shows what the program does before there is a key, and plays the model in tests.
 *
 * @module
 */

import { demoSummary, fileToRead } from "./demo_text.ts";
import { schemaInstance } from "./schema_instance.ts";
import type { Block, Message, Model, ModelRequest, ModelResponse, StopReason, StreamEvent } from "./types.ts";

/** A call of this turn and what came back. */
export interface DemoCall {
  name: string;
  /** The file or folder it was about, if any. */
  path?: string;
  output: string;
  isError: boolean;
}

/** What ends a reply in the ReAct format, where tools are called in plain text. */
const OBSERVATION = "Observation:";

/**
 * A {@linkcode Model} that looks only at the shape of a request: a schema gets an instance of it, tools get a look at
 * the folder and at one file of it, everything else a line about the request. It never calls a tool that changes
 * something, none twice in a turn, and answers the same request the same way.
 */
export class DemoModel implements Model {
  readonly id = "demo/demo";
  readonly contextWindow = 128_000;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const response = respond(request);
    for (const block of response.content) {
      for (const event of eventsOf(block)) {
        await Promise.resolve();
        signal.throwIfAborted();
        yield event;
      }
    }
    signal.throwIfAborted();
    yield { type: "done", response };
  }
}

function respond(request: ModelRequest): ModelResponse {
  const { content, stopReason } = answer(request);
  const outputTokens = estimate(JSON.stringify(content));
  const inputTokens = estimate(request.system + JSON.stringify([request.messages, request.tools]));
  return {
    content,
    stopReason,
    usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
    model: "demo",
  };
}

type Answer = { content: Block[]; stopReason: StopReason };

function answer({ schema, stop, system, tools, messages }: ModelRequest): Answer {
  if (schema) return says(JSON.stringify(schemaInstance(schema)));
  const inText = stop?.includes(OBSERVATION) ?? false;
  const calls = callsOfTurn(messages);
  const next = nextCall(calls, (name) => inText ? system.includes(name) : tools.some((tool) => tool.name === name));
  const closing = calls.length > 0 ? demoSummary(calls) : aboutRequest(messages);
  if (!inText) return next ? asksFor(next, `demo_${messages.length}`) : says(closing);
  if (!next) return says(`Thought: I have seen what there is to see.\nFinal Answer: ${closing}`);
  const action = `Action: ${next.name}\nAction Input: ${JSON.stringify(next.input)}\n`;
  return { content: [{ type: "text", text: `Thought: ${next.reason}\n${action}` }], stopReason: "stop_sequence" };
}

/** A call that comes next. */
interface NextCall {
  name: string;
  input: Record<string, string>;
  reason: string;
}

function nextCall(calls: readonly DemoCall[], isOffered: (name: string) => boolean): NextCall | undefined {
  const isOpen = (name: string) => isOffered(name) && !calls.some((call) => call.name === name);
  if (isOpen("list_files")) return { name: "list_files", input: {}, reason: "Let me see what is in this folder." };
  const listing = calls.find((call) => call.name === "list_files" && !call.isError)?.output ?? "";
  const path = fileToRead(listing);
  if (path === undefined || !isOpen("read_file")) return undefined;
  return { name: "read_file", input: { path }, reason: `Now a look into ${path}.` };
}

function asksFor({ name, input, reason }: NextCall, id: string): Answer {
  const content: Block[] = [{ type: "text", text: reason }, { type: "tool_use", id, name, input }];
  return { content, stopReason: "tool_use" };
}

function says(text: string): Answer {
  return { content: [{ type: "text", text }], stopReason: "end_turn" };
}

function aboutRequest(messages: readonly Message[]): string {
  const last = messages.at(-1)?.content.map((block) => block.type === "text" ? block.text : `(${block.type})`).join(
    " ",
  );
  const shown = [...(last ?? "").slice(0, 1000)].slice(0, 200).join("");
  const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  return `this request holds ${count}, the last one is ${JSON.stringify(shown)}`;
}

/** The calls since the person last said something, in either form. */
function callsOfTurn(messages: readonly Message[]): DemoCall[] {
  const calls: DemoCall[] = [];
  const open = new Map<string, { name: string; path?: string }>();
  for (const { role, content } of messages.slice(messages.findLastIndex(beginsTurn) + 1)) {
    for (const block of content) {
      if (block.type === "tool_use") open.set(block.id, { name: block.name, ...pathIn(block.input) });
      if (block.type === "tool_result") {
        const { content: output, isError, toolUseId } = block;
        calls.push({ ...(open.get(toolUseId) ?? { name: "" }), output, isError });
      }
      if (block.type !== "text") continue;
      const action = /^Action: *(\w+)\nAction Input: *(.*)$/m.exec(block.text);
      if (role === "assistant" && action) {
        open.set(OBSERVATION, { name: action[1] ?? "", ...pathIn(parsed(action[2])) });
      }
      if (role === "user" && block.text.startsWith(OBSERVATION)) {
        const output = block.text.slice(OBSERVATION.length).trimStart();
        calls.push({ ...(open.get(OBSERVATION) ?? { name: "" }), output, isError: output.startsWith("Error") });
      }
    }
  }
  return calls;
}

function beginsTurn({ role, content }: Message): boolean {
  const isAnswer = content.some((block) =>
    block.type === "tool_result" ? !block.isError : block.type === "text" && block.text.startsWith(OBSERVATION)
  );
  return role === "user" && !isAnswer && content.some((block) => block.type === "text");
}

function pathIn(input: unknown): { path?: string } {
  const path = (input as { path?: unknown } | null)?.path;
  return typeof path === "string" ? { path } : {};
}

function parsed(json = ""): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function* eventsOf(block: Block): Generator<StreamEvent> {
  if (block.type === "tool_use") yield { type: "tool_use_start", id: block.id, name: block.name };
  if (block.type !== "text") return;
  for (const [text] of block.text.matchAll(/(?:\S*\s*){1,12}/g)) if (text !== "") yield { type: "text_delta", text };
}

/** A rough count of tokens: nothing is counted on it. */
function estimate(text: string): number {
  return Math.ceil(text.length / 4);
}
