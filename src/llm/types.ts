/**
 * The message model and the one interface that every model adapter implements. Everything here is plain data:
 * `JSON.stringify` saves it, `structuredClone` copies it.
 *
 * @module
 */

/** One entry of the history. Roles alternate strictly, beginning with `user`. */
export interface Message {
  role: "user" | "assistant";
  content: Block[];
}

/** A piece of a message. */
export type Block = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | ImageBlock;

/** Plain text. Never empty in a request. */
export interface TextBlock {
  type: "text";
  text: string;
}

/** What the model thought before it answered. Goes back exactly as it came, and only to a model that understands it. */
export interface ThinkingBlock {
  type: "thinking";
  text: string;
  /** The service's proof that the text is its own (Anthropic); a thinking block that came encrypted has no text. */
  signature?: string;
  /** The opaque content of a thinking block that came encrypted (Anthropic's `redacted_thinking`). */
  redacted?: string;
  /** The {@linkcode Model.id} that wrote it: a signature counts only there. */
  model?: string;
}

/** A call of a tool. */
export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  /** A JSON object, or `{}` when the call is {@linkcode ToolUseBlock.invalid}. */
  input: unknown;
  /**
   * Why this call must not run, as a sentence for the model: its arguments were not valid JSON, not an object, or were
   * cut off. The loop answers such a call with this text and nothing else.
   */
  invalid?: string;
}

/** The answer to one tool use, in the user message directly after it. */
export interface ToolResultBlock {
  type: "tool_result";
  toolUseId: string;
  /** Never empty. */
  content: string;
  isError: boolean;
  /** Pictures that belong to the result, for models that see. */
  images?: ImageBlock[];
}

/** A picture. */
export interface ImageBlock {
  type: "image";
  /** For example `image/png`. */
  mediaType: string;
  /** Base64. */
  data: string;
}

/** A JSON Schema object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What the model is told about a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** How long the model thinks before it answers. */
export type Effort = "off" | "low" | "high" | "max";

/** One request: everything that the model gets to know. */
export interface ModelRequest {
  system: string;
  messages: Message[];
  tools: readonly ToolDefinition[];
  /** Tokens of the reply at most, thinking included. */
  maxTokens: number;
  effort?: Effort;
  /** Texts that end the reply. */
  stop?: string[];
  /** The reply must be JSON that fits this schema. */
  schema?: JsonSchema;
}

/** Why a reply ended. */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal";

/** Tokens of one reply. The three kinds of input exclude each other: their sum is what the model read. */
export interface Usage {
  /** Input that was not cached. */
  inputTokens: number;
  /** Output, thinking included. */
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/** One whole reply. */
export interface ModelResponse {
  content: Block[];
  stopReason: StopReason;
  usage: Usage;
  /** The name of the model that answered, as the service gave it: prices go by it. */
  model: string;
}

/** What {@linkcode Model.stream} yields. */
export type StreamEvent =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  | { type: "tool_use_start"; id: string; name: string }
  /** What came before is void: the reply is asked again after `delayMs`. `attempt` counts retries from 1. */
  | { type: "restart"; attempt: number; maxAttempts: number; delayMs: number; reason: string }
  /** Always last, and complete by itself. */
  | { type: "done"; response: ModelResponse };

/** A model that answers one request at a time. Adapters hold no conversation. */
export interface Model {
  /** `provider/name`, for example `deepseek/deepseek-flash`. */
  readonly id: string;
  /** Tokens that request and reply may have together. */
  readonly contextWindow: number;
  /** Whether it can be sent images. */
  readonly vision?: boolean;
  /**
   * Sends one request and yields the reply as it arrives; the last event is `done`.
   *
   * @throws {ApiError} If the service refuses, fails or breaks off. `retryable` says whether trying again makes sense.
   * @throws {DOMException} `AbortError`, or the signal's reason, as soon as `signal` aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent>;
}

/** No tokens at all. */
export const NO_USAGE: Readonly<Usage> = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Adds up the tokens of two replies. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** What was used between two counts. */
export function usageSince(now: Usage, before: Usage): Usage {
  return {
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: now.outputTokens - before.outputTokens,
    cacheReadTokens: now.cacheReadTokens - before.cacheReadTokens,
    cacheWriteTokens: now.cacheWriteTokens - before.cacheWriteTokens,
  };
}

/**
 * Sends one request and waits for the whole reply.
 *
 * @throws {ApiError} As {@linkcode Model.stream} does.
 * @example
 * ```ts ignore
 * const reply = await create(model, { system: "", messages, tools: [], maxTokens: 1000 }, AbortSignal.timeout(60_000));
 * ```
 */
export async function create(model: Model, request: ModelRequest, signal: AbortSignal): Promise<ModelResponse> {
  for await (const event of model.stream(request, signal)) {
    if (event.type === "done") return event.response;
  }
  throw new Error(`Cannot read the reply of "${model.id}": the stream ended without its last event`);
}
