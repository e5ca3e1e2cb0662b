/**
 * Commands of a person's own that run at fixed points of a session: what is configured, and what the loop asks of them.
 *
 * @module
 */

import type { ToolUseBlock } from "../llm/types.ts";
import type { ToolOutput } from "../tools/tool.ts";
import type { TurnOutcome } from "./ui.ts";

/** The points at which hooks run. */
export type HookEvent = "session_start" | "before_tool" | "after_tool" | "turn_end";

/** One hook. */
export interface Hook {
  /** Names of tools, as globs with `|` between them; all tools if absent. Means nothing where no tool is called. */
  match?: string;
  /** For the system's shell. */
  command: string;
  /** 10 seconds if absent, at most ten minutes. */
  timeoutMs?: number;
}

/** All hooks, each event's in their order. */
export type HookLists = { [E in HookEvent]?: Hook[] };

/** How a turn ended, for its hooks. */
export interface TurnEnding {
  outcome: TurnOutcome;
  /** The text of the last reply. */
  text: string;
}

/** What the loop calls. Nothing here throws; after an interrupt each returns at once, and what it returns is not used. */
export interface Hooks {
  /** Called before each turn: a session's first one starts it. */
  sessionStart(signal: AbortSignal): Promise<void>;
  /**
   * Called with a call that was allowed, before it runs.
   *
   * @returns Why it must not run, in words for the model.
   */
  beforeTool(call: ToolUseBlock, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Called when a call has run, with its result as the model will see it.
   *
   * @returns What is to be added to the result; empty for nothing.
   */
  afterTool(call: ToolUseBlock, output: ToolOutput, signal: AbortSignal): Promise<string>;
  /** Called when a turn has come to its end. */
  turnEnd(ending: TurnEnding, signal: AbortSignal): Promise<void>;
}
