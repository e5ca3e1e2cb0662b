/**
 * What a session keeps: one record for each thing that happened, in order. The messages, the files seen and the todo
 * list can be rebuilt from them.
 *
 * @module
 */

import type { Block, Message, ModelResponse, ToolResultBlock } from "../llm/types.ts";
import type { SeenFile } from "../tools/tool.ts";

/** Something that must not be forgotten. Plain data. */
export type AgentRecord =
  /** The person said something, or the program in their name (a repair round, say). */
  | { type: "user"; content: Block[] }
  /** A whole reply. */
  | { type: "reply"; response: ModelResponse; durationMs: number }
  /** The text of a reply that the person interrupted. */
  | { type: "partial"; content: Block[] }
  /** A call that changes things is about to run. */
  | { type: "intent"; id: string; name: string; input: unknown }
  /** A call was answered. */
  | { type: "result"; block: ToolResultBlock; seen?: SeenFile[] }
  /** The history was replaced by a shorter one. */
  | { type: "compaction"; messages: Message[] }
  /** The history was cleared. */
  | { type: "reset" };

/** Keeps records. Resolves when the record is where it will be found again. */
export type Recorder = (record: AgentRecord) => Promise<void>;
