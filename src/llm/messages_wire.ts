/**
 * A request as the Messages protocol wants it. Pure: the same request gives the same bytes.
 *
 * @module
 */

import { type ThinkingFields, thinkingFields } from "./messages_thinking.ts";
import { enforceableSchema } from "./structured_output.ts";
import type { Block, Message, ModelRequest, ThinkingBlock, ToolDefinition } from "./types.ts";

/** What {@linkcode toWire} must know of the model. */
export interface WireModel {
  /** The {@linkcode Model.id}: earlier thinking goes only to the model that wrote it, and to none without an id. */
  id?: string;
  /** The name that the service knows. */
  model: string;
  vision: boolean;
  /** Tokens of a reply at most. */
  maxOutput?: number;
  stream: boolean;
  /** Whether it may be told how much to think. */
  thinks: boolean;
}

/** Any part of a request. */
type Wire = Record<string, unknown>;

/** A whole request. */
export type WireRequest = Wire & Pick<ThinkingFields, "thinking">;

/** Everything up to a marked block is cached: four marks at most, and they may move from request to request. */
const CACHE_MARK = { cache_control: { type: "ephemeral" } };

/**
 * Translates a request. Marked for the cache are the tools, the system prompt and the last two messages of the user:
 * the last one for the next request, the one before to find what this request has cached however many blocks ago.
 *
 * @param request Its history is sound, see {@linkcode mendHistory}.
 */
export function toWire(request: ModelRequest, model: WireModel): WireRequest {
  const { system, tools, stop, schema, effort } = request;
  const maxTokens = Math.min(request.maxTokens, model.maxOutput ?? Infinity);
  const messages = request.messages.map((message) => toWireMessage(message, model));
  const marked = messages.flatMap(({ role }, i) => role === "user" ? i : []).slice(-2);
  const fields = thinkingFields(model.model, { effort, maxTokens, canBudget: canBudget(request.messages, model) });
  const { output_config, ...thinking } = model.thinks ? fields : {};
  const format = schema && /claude/.test(model.model) ? enforceableSchema(schema) : undefined;
  const config = { ...output_config, ...(format && { format: { type: "json_schema", schema: format } }) };
  return {
    model: model.model,
    max_tokens: maxTokens,
    ...(model.stream && { stream: true }),
    ...thinking,
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(stop && stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && { tools: withMark(tools.map(toWireTool)) }),
    ...(system !== "" && { system: withMark([{ type: "text", text: system }]) }),
    messages: messages.map((message, i) =>
      marked.includes(i) ? { ...message, content: withMark(message.content) } : message
    ),
  };
}

function toWireTool({ name, description, inputSchema }: ToolDefinition): Wire {
  return { name, description, input_schema: inputSchema };
}

function withMark(blocks: readonly Wire[]): Wire[] {
  return blocks.map((block, i) => i === blocks.length - 1 ? { ...block, ...CACHE_MARK } : block);
}

function toWireMessage({ role, content }: Message, model: WireModel): { role: string; content: Wire[] } {
  return { role, content: content.flatMap((block): Wire[] => toWireBlock(block, model)) };
}

/** None, where the service would refuse the block. */
function toWireBlock(block: Block, model: WireModel): Wire[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "thinking":
      return toWireThinking(block, model);
    case "tool_use":
      return [{ type: "tool_use", id: block.id, name: block.name, input: block.input }];
    case "tool_result": {
      const { toolUseId, content, isError, images = [] } = block;
      const pictures = images.flatMap((image) => toWireBlock(image, model));
      return [{
        type: "tool_result",
        tool_use_id: toolUseId,
        content: pictures.length > 0 ? [{ type: "text", text: content }, ...pictures] : content,
        ...(isError && { is_error: true }),
      }];
    }
    case "image": {
      if (!model.vision) return [{ type: "text", text: "(a picture, left out: this model cannot see)" }];
      return [{ type: "image", source: { type: "base64", media_type: block.mediaType, data: block.data } }];
    }
    default:
      return block satisfies never;
  }
}

/** A service takes back its own thinking only, and only with the proof that it is. */
function toWireThinking({ text, signature, redacted, model }: ThinkingBlock, { id }: WireModel): Wire[] {
  if (id === undefined || model !== id) return [];
  if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
  return signature === undefined ? [] : [{ type: "thinking", thinking: text, signature }];
}

/** With a budget a service wants each turn that called tools to begin with thinking: one of another model does not. */
function canBudget(messages: readonly Message[], model: WireModel): boolean {
  const last = messages.findLast(({ role }) => role === "assistant")?.content;
  const first = last?.[0];
  if (!last?.some((block) => block.type === "tool_use")) return true;
  return first?.type === "thinking" && toWireThinking(first, model).length > 0;
}
