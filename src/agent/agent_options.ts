/**
 * What an agent is made of.
 *
 * @module
 */

import type { Effort, JsonSchema, Model, ModelRequest } from "../llm/types.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import type { Gate } from "./gate.ts";
import type { Hooks } from "./hooks.ts";
import type { Ledger } from "./ledger.ts";
import type { Recorder } from "./records.ts";
import type { Past } from "./session_state.ts";
import type { TurnOutcome, UI } from "./ui.ts";

/** What an agent is made of. */
export interface AgentOptions {
  model: Model;
  /** The system prompt, byte for byte the same in every request. */
  system: string;
  /** In the order in which the model sees them. */
  tools: readonly Tool[];
  ui: UI;
  /** What every call is given; the agent adds the signal and the files seen. */
  surroundings: Omit<ToolContext, "signal" | "seen" | "granted">;
  /** Decides about calls; without one only those that read are allowed. */
  gate?: Gate;
  /** Tokens per reply at most, thinking included. */
  maxTokens?: number;
  /** Model calls per turn at most. */
  maxSteps?: number;
  effort?: Effort;
  /** The final answer must be JSON that fits. */
  schema?: JsonSchema;
  /** Keeps what happens. */
  record?: Recorder;
  /** Takes secrets and control characters out of what tools return. */
  clean?: (text: string) => string;
  /** Adds up what the replies cost. */
  ledger?: Ledger;
  /**
   * Called before each request; throws a {@linkcode TurnStop} to stop before money is spent. What it gives is disposed of
   * when the reply is in the ledger, or there is none.
   */
  beforeRequest?: (
    request: ModelRequest,
    purpose: "turn" | "summary",
  ) => Promise<Disposable | undefined> | Disposable | undefined;
  /** Commands of the person's own at fixed points of a turn. */
  hooks?: Hooks;
  /** An earlier conversation to go on with. */
  past?: Past;
}

/** The turn must not go on, and nothing has failed: thrown by {@linkcode AgentOptions.beforeRequest}. */
export class TurnStop extends Error {
  override readonly name = "TurnStop";
  readonly outcome: TurnOutcome;

  constructor(outcome: TurnOutcome, message: string) {
    super(message);
    this.outcome = outcome;
  }
}
