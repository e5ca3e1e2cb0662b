/**
 * The shapes of headless output. They are the ones that the ecosystem's tools already read: Claude Code's
 * `--output-format json` and `stream-json`.
 *
 * @module
 */

import type { AgentEvent } from "../agent/ui.ts";
import type { Block, Message, ModelResponse, Usage } from "../llm/types.ts";
import type { Mode } from "./args.ts";

/** How a run ended, in the words of the result object. */
export type ResultSubtype =
  | "success"
  | "error_max_turns"
  | "error_stuck"
  | "error_max_budget_usd"
  | "error_during_execution";

/** A call that was needed and denied. */
export interface PermissionDenial {
  tool_name: string;
  tool_use_id: string;
  tool_input: unknown;
}

/** The closing object of a run. */
export interface ResultObject {
  type: "result";
  subtype: ResultSubtype;
  is_error: boolean;
  /** The final answer, or what went wrong. */
  result: string;
  session_id: string;
  /** Model calls of the run. */
  num_turns: number;
  duration_ms: number;
  /** The part of it that was spent waiting for the model. */
  duration_api_ms: number;
  total_cost_usd: number;
  usage: WireUsage;
  permission_denials: PermissionDenial[];
  stop_reason: string | null;
}

/** Tokens as the Messages API counts them: `input_tokens` leaves cached input out. */
export interface WireUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** The closing object of a run that could not begin. */
export function unbegunResult(why: string): ResultObject {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    result: why,
    session_id: "",
    num_turns: 0,
    duration_ms: Math.round(performance.now()),
    duration_api_ms: 0,
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    permission_denials: [],
    stop_reason: null,
  };
}

/** Tokens in the names of the Messages API. */
export function wireUsage(usage: Usage): WireUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
  };
}

/** The first line of `stream-json`. */
export function initEvent(run: {
  sessionId: string;
  cwd: string;
  model: string;
  tools: readonly string[];
  servers: readonly { name: string; state: string }[];
  mode: Mode;
  apiKeySource: string;
  version: string;
}): Record<string, unknown> {
  return {
    type: "system",
    subtype: "init",
    session_id: run.sessionId,
    cwd: run.cwd,
    model: run.model,
    tools: run.tools,
    mcp_servers: run.servers.map(({ name, state }) => ({ name, status: state === "ready" ? "connected" : state })),
    permissionMode: run.mode,
    slash_commands: [],
    apiKeySource: run.apiKeySource,
    version: run.version,
  };
}

/** Whose event it is: the session's, and in it the sub-agent's that a call runs. */
export interface Origin {
  sessionId: string;
  /** The id of the call of `run_agent`. */
  parent?: string;
}

function originFields({ sessionId, parent = null }: { sessionId: string; parent?: string | null }) {
  return { parent_tool_use_id: parent, session_id: sessionId, uuid: crypto.randomUUID() };
}

/** A whole reply. */
export function assistantEvent(response: ModelResponse, origin: Origin): Record<string, unknown> {
  const { model, content, stopReason, usage } = response;
  const message = {
    id: `msg_${crypto.randomUUID()}`,
    type: "message",
    role: "assistant",
    model,
    content: content.map(wireBlock),
    stop_reason: stopReason,
    stop_sequence: null,
    usage: wireUsage(usage),
  };
  return { type: "assistant", message, ...originFields(origin) };
}

/** The results of a reply's calls. */
export function userEvent({ role, content }: Message, origin: Origin): Record<string, unknown> {
  const message = { role, content: content.map(wireBlock) };
  return { type: "user", message, ...originFields(origin) };
}

/** A piece of a reply. */
export function deltaEvent(
  delta: { type: "text_delta"; text: string } | { type: "thinking_delta"; thinking: string },
  sessionId: string,
): Record<string, unknown> {
  const event = { type: "content_block_delta", index: 0, delta };
  return { type: "stream_event", event, ...originFields({ sessionId }) };
}

/** A reply is asked for again: its pieces so far are void. */
export function retryEvent(
  { attempt, maxAttempts, delayMs, reason }: Extract<AgentEvent, { type: "retry" }>,
  sessionId: string,
): Record<string, unknown> {
  return {
    type: "system",
    subtype: "api_retry",
    attempt,
    max_retries: maxAttempts,
    retry_delay_ms: delayMs,
    error: reason,
    session_id: sessionId,
    uuid: crypto.randomUUID(),
  };
}

/** The older part of the conversation became a summary. */
export function compactionEvent(
  { tokensBefore, tokensAfter }: Extract<AgentEvent, { type: "compaction" }>,
  sessionId: string,
): Record<string, unknown> {
  const compact_metadata = { trigger: "auto", pre_tokens: tokensBefore, post_tokens: tokensAfter };
  return {
    type: "system",
    subtype: "compact_boundary",
    compact_metadata,
    session_id: sessionId,
    uuid: crypto.randomUUID(),
  };
}

function wireBlock(block: Block): Record<string, unknown> {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: block.signature ?? "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input };
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: block.toolUseId,
        content: block.content,
        is_error: block.isError,
      };
    case "image":
      return { type: "image", source: { type: "base64", media_type: block.mediaType, data: block.data } };
    default:
      return block satisfies never;
  }
}
