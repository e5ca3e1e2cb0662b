/**
 * Our messages in the words of the chat-completions protocol. Pure: the same messages always give the same bytes, and
 * earlier ones never change when later ones are added, so that the services' caches hit.
 *
 * @module
 */

import type { Dialect, Fields } from "./dialect.ts";
import type { Block, ImageBlock, Message, ModelRequest, ToolDefinition, ToolResultBlock } from "./types.ts";

/** Which model is asked, and how its service speaks. */
export interface WireModel {
  /** The {@linkcode Model.id}. */
  id: string;
  /** The model's name on the wire. */
  model: string;
  dialect: Dialect;
  vision: boolean;
  stream: boolean;
}

type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | Part[] }
  | { role: "tool"; tool_call_id: string; content: string }
  | { role: "assistant"; content: string; tool_calls?: WireCall[]; reasoning_content?: string; reasoning?: string };

type Part = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/**
 * Translates a request into the body that is sent. `messages` is its last field: the bodies of a growing conversation
 * have all but their end in common.
 */
export function toWire(target: WireModel, request: ModelRequest): Fields {
  const { model, dialect, stream } = target;
  const { effort, maxTokens, stop, schema, tools } = request;
  return {
    model,
    stream,
    ...(stream && dialect.streamOptions && { stream_options: { include_usage: true } }),
    [dialect.maxTokens]: maxTokens,
    ...dialect.effort[effort ?? "default"],
    ...(stop && stop.length > 0 && { stop }),
    ...(schema && responseFormat(dialect, schema, tools.length > 0)),
    ...(tools.length > 0 && { tools: tools.map(toWireTool) }),
    messages: toWireMessages(target, request),
  };
}

function responseFormat(dialect: Dialect, schema: Fields, hasTools: boolean): Fields {
  switch (dialect.schema) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { name: "reply", schema } } };
    case "json_object":
      return hasTools ? {} : { response_format: { type: "json_object" } }; // else a call could not be made
    case "words":
      return {};
    default:
      return dialect.schema satisfies never;
  }
}

function toWireTool({ name, description, inputSchema }: ToolDefinition): Fields {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

function toWireMessages(target: WireModel, { system, messages, schema }: ModelRequest): WireMessage[] {
  const parts = [system, ...(schema ? [schemaInWords(target.dialect, schema)] : [])];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return [
    ...(text === "" ? [] : [{ role: "system" as const, content: text }]),
    ...messages.flatMap((message) =>
      message.role === "user" ? toUserMessages(target, message) : [toAssistantMessage(target, message)]
    ),
  ];
}

/** Services that promise JSON but not its shape want the word and an example in the prompt. */
function schemaInWords({ schema }: Dialect, jsonSchema: Fields): string {
  return schema === "json_schema"
    ? ""
    : `The final answer is nothing but JSON that fits this schema:\n${JSON.stringify(jsonSchema)}`;
}

/** The results of the calls first, each as a message of its own, then what the person says. */
function toUserMessages(target: WireModel, { content }: Message): WireMessage[] {
  const { dialect } = target;
  const sees = target.vision && dialect.images;
  const results = content.filter((block) => block.type === "tool_result");
  const wire = results.map((block) => ({ role: "tool" as const, ...toWireResult(block, dialect, sees) }));
  const texts = content.filter((block) => block.type === "text").map((block) => block.text);
  const images = content.flatMap((block) => imagesOf(block));
  if (images.length > 0 && sees) {
    const parts: Part[] = texts.map((text) => ({ type: "text", text }));
    return [...wire, { role: "user", content: [...images.map(toImagePart), ...parts] }];
  }
  const unseen = content.some((block) => block.type === "image") ? [NOT_SEEN] : [];
  const text = [...unseen, ...texts].join("\n\n");
  const last = wire.at(-1);
  if (text === "") return wire;
  if (!last || !dialect.strictRoles) return [...wire, { role: "user", content: text }];
  return [...wire.slice(0, -1), { ...last, content: `${last.content}\n\nThe user adds:\n${text}` }];
}

const NOT_SEEN = "(a picture was given that this model cannot see)";

function imagesOf(block: Block): ImageBlock[] {
  if (block.type === "image") return [block];
  return block.type === "tool_result" ? block.images ?? [] : [];
}

function toImagePart({ mediaType, data }: ImageBlock): Part {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
}

/** There is no field for failure: the text has to say it. */
function toWireResult(block: ToolResultBlock, dialect: Dialect, sees: boolean) {
  const { toolUseId, content, isError, images = [] } = block;
  const text = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content;
  const note = images.length === 0 ? "" : sees ? "\n\n(its picture follows)" : `\n\n${NOT_SEEN}`;
  return { tool_call_id: callId(toolUseId, dialect), content: text + note };
}

function toAssistantMessage(target: WireModel, { content }: Message): WireMessage {
  const { dialect } = target;
  const { reasoning, reasoningAlways } = dialect;
  const texts = content.filter((block) => block.type === "text").map((block) => block.text);
  const calls = content.filter((block) => block.type === "tool_use").map(({ id, name, input }): WireCall => ({
    id: callId(id, dialect),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const thought = ownReasoning(target, content);
  return {
    role: "assistant",
    content: texts.join(""), // never null: some services refuse that
    ...(reasoning && (thought !== "" || reasoningAlways) && { [reasoning]: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** What a model of this provider thought; another one's thinking means nothing here, signed thinking still less. */
function ownReasoning({ id }: WireModel, content: readonly Block[]): string {
  const provider = id.split("/", 1)[0];
  return content
    .filter((block) => block.type === "thinking")
    .filter(({ signature, redacted, model = id }) => !signature && !redacted && model.split("/", 1)[0] === provider)
    .map(({ text }) => text).join("");
}

/** A call's id as the service takes it; the same one for the call and its result, in every request. */
function callId(id: string, { shortIds }: Dialect): string {
  if (!shortIds || /^[A-Za-z0-9]{9}$/.test(id)) return id;
  let hash = 0xcbf29ce484222325n; // FNV-1a
  for (const byte of new TextEncoder().encode(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return (hash % 36n ** 9n).toString(36).padStart(9, "0");
}
