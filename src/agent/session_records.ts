/**
 * The lines of a session file: a header, then one record for each thing that happened. A record that a later version
 * wrote is passed over, so old and new programs can read each other's files.
 *
 * @module
 */

import type { ToolDefinition, Usage } from "../llm/types.ts";
import type { Charge } from "./ledger.ts";
import type { AgentRecord } from "./records.ts";

/** The form of the files that this program writes. */
export const SESSION_VERSION = 1;

/** What every request of a session begins with. Frozen, so that the service's cache stays warm. */
export interface Prefix {
  /** `provider/name`. */
  model: string;
  /** Tokens that the model can take: by this it was decided when to make the conversation shorter. */
  contextWindow: number;
  /** The permission mode, which the system prompt names. */
  mode: string;
  /** The working folder and each added one. */
  roots: readonly string[];
  system: string;
  tools: readonly ToolDefinition[];
}

/** The first line of a session file. The prefix is a record of its own behind it, so that this line stays short. */
export interface SessionHeader {
  type: "session";
  /** Of the file's form; `SESSION_VERSION` is the one that this program writes. */
  version: number;
  id: string;
  /** The folder that the session belongs to, canonical. */
  cwd: string;
  /** ISO 8601. */
  createdAt: string;
  /** `provider/name`. */
  model: string;
  /** The permission mode. */
  mode: string;
  /** The session that this one is a copy of. */
  forkedFrom?: string;
}

/** What a file was before one of our tools changed it; `null` if it did not exist. */
export type FileBefore = { hash: string; mode: number | null } | null;

/** What a session keeps beside the conversation. */
export type SessionEvent =
  /** Requests begin like this from here on. The first one stands behind the header; others follow a change of mode, say. */
  | { type: "prefix"; prefix: Prefix }
  | { type: "title"; title: string }
  /** A reply to somebody else than this conversation's agent: to a sub-agent, say. */
  | { type: "charge"; usage: Usage; charge?: Charge }
  /** A tool is about to change a file. */
  | { type: "change"; path: string; before: FileBefore }
  /** A tool of a sub-agent has changed a file: the SHA-256 of what it wrote. */
  | { type: "written"; path: string; hash: string }
  /** A command has changed files, whose earlier content nobody kept. `more` were not listed. */
  | { type: "touched"; paths: string[]; more: number }
  /** Changes to these files, made in these turns and later, were taken back. */
  | { type: "undo"; fromTurn: number; paths: string[] }
  /** The conversation goes on from before this turn. */
  | { type: "rewind"; turn: number };

/** Anything behind the header. */
export type SessionRecord = AgentRecord | SessionEvent;

/** A record with the time at which it was written, ISO 8601. */
export type Stamped<R = SessionRecord> = { at: string } & R;
