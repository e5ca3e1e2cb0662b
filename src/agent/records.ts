/**
 * What a session keeps: one record for each thing that happened, in order. The messages, the files seen and the todo
 * list can be rebuilt from them.
 *
 * @module
 */

import type { Block, Message, ModelResponse, ToolResultBlock, Usage } from "../llm/types.ts";
import type { SeenFile } from "../tools/tool.ts";
import type { Charge } from "./ledger.ts";

/** Something that must not be forgotten. Plain data. */
export type AgentRecord =
  /** The person said something, or the program in their name (a repair round, say). */
  | { type: "user"; content: Block[] }
  /** The program told the model something on the way, for its next request. */
  | { type: "note"; content: Block[] }
  /** A whole reply. */
  | { type: "reply"; response: ModelResponse; durationMs: number; charge?: Charge }
  /** The text of a reply that the person interrupted. */
  | { type: "partial"; content: Block[] }
  /** A call that changes things is about to run. */
  | { type: "intent"; id: string; name: string; input: unknown }
  /** A call was answered. A second one for the same call takes the place of the first. */
  | { type: "result"; block: ToolResultBlock; seen?: SeenFile[] }
  /** The history was replaced by a shorter one. `summary` is what the model wrote for it, and `usage` what that took. */
  | { type: "compaction"; messages: Message[]; summary: string; usage: Usage; charge?: Charge }
  /** The history was cleared. */
  | { type: "reset" };

/** Keeps records. Resolves when the record is where it will be found again. */
export type Recorder = (record: AgentRecord) => Promise<void>;
