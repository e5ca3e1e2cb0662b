/**
 * What the loop tells whoever watches it, and what it asks. The terminal, the JSON output and the tests all read the
 * same events.
 *
 * @module
 */

import type { Message, ModelResponse, StopReason, Usage } from "../llm/types.ts";
import type { Display } from "../tools/tool.ts";

/** Something that happened in a turn, in order. */
export type AgentEvent =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  /** The model began to write a call; its arguments are not there yet. */
  | { type: "tool_use_start"; id: string; name: string }
  /** A whole reply has arrived and stands in the history. `durationMs` counts from the request, retries included. */
  | { type: "reply"; response: ModelResponse; durationMs: number }
  /** A call starts, or is about to be asked about. `subject` is its path, command or URL. */
  | { type: "tool_call"; id: string; name: string; subject: string; input: unknown }
  /** A running call has written something. */
  | { type: "tool_output"; id: string; text: string }
  | { type: "tool_result"; id: string; name: string; content: string; isError: boolean; display?: Display }
  /** All results of a reply stand in the history as one message. */
  | { type: "results"; message: Message }
  /** A call was refused. `rule` would have allowed it, where nobody was there to be asked. */
  | { type: "denial"; id: string; name: string; input: unknown; reason: string; rule?: string }
  /** What was shown of the reply is void: it is asked again. */
  | { type: "retry"; attempt: number; maxAttempts: number; delayMs: number; reason: string }
  /** The history was made shorter; the model took this long for its summary. */
  | { type: "compaction"; tokensBefore: number; tokensAfter: number; durationMs: number }
  /** Something a person should know and nothing failed. */
  | { type: "notice"; text: string }
  /** Something happened in a sub-agent; `id` is the call that runs it. The pieces of its replies are left out. */
  | { type: "sub_agent"; id: string; event: AgentEvent }
  | { type: "turn_end"; result: TurnResult };

/** How a turn ended. */
export type TurnOutcome =
  | "done"
  | "refusal"
  | "max_tokens" // the final answer was cut by the output limit
  | "max_steps"
  | "stuck" // the same call with the same result again and again
  | "budget"
  | "interrupted";

/** What a turn came to. */
export interface TurnResult {
  outcome: TurnOutcome;
  /** The text of the last reply. */
  text: string;
  /** Why the last reply ended; absent when there was none. */
  stopReason?: StopReason;
  /** Tokens of this turn, sub-agents included. */
  usage: Usage;
  /** Model calls of this turn. */
  steps: number;
}

/** A question about one call. */
export interface Question {
  tool: string;
  /** The path, command or URL, whole. */
  subject: string;
  /** Why it is asked, in a few words: the mode, a rule, a protected path. */
  reason: string;
  display?: Display;
  /** The rule that `always` would write; without one, `always` cannot be answered. */
  rule?: string;
}

/** The answer of a person. `always` writes a rule to the user's configuration. */
export type Decision = { answer: "once" | "session" | "always" } | { answer: "no"; reason?: string };

/** Whoever watches and answers. */
export interface UI {
  /** Called for each event. Must not throw and must not wait. */
  show(event: AgentEvent): void;
  /** Puts a question. An aborted signal means no. Absent where there is nobody to ask: the call is denied at once. */
  confirm?(question: Question, signal: AbortSignal): Promise<Decision>;
  /** Puts a question of the model itself, with its suggested answers. Absent where there is nobody to ask. */
  ask?(question: string, options: readonly string[], signal: AbortSignal): Promise<string>;
}
