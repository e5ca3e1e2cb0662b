/**
 * What the commands of a person may ask of the running conversation, and change in it.
 *
 * @module
 */

import type { LedgerEntry } from "../agent/ledger.ts";
import type { Effort, Message, Usage } from "../llm/types.ts";
import type { JobSummary } from "../tools/jobs.ts";

/** A tool as a person is told about it. */
export interface ToolStatus {
  name: string;
  summary: string;
  /** Why the model is not offered it. */
  missing?: string;
}

/** The conversation, as commands see it. */
export interface SessionControls {
  /** `provider/name`. */
  model(): string;
  /** The models that can be asked: known ones for whose provider there is a key, and configured ones. */
  models(): readonly string[];
  /**
   * Goes on with another model.
   *
   * @throws {ConfigError} If there is no such model, or no key for it.
   */
  setModel(name: string): Promise<void> | void;
  mode(): string;
  /**
   * Goes on in another permission mode.
   *
   * @throws {ConfigError} If there is no such mode, or the process lacks the permissions for it.
   */
  setMode(mode: string): Promise<void> | void;
  /** How much the model thinks; undefined where its service decides. */
  effort(): Effort | undefined;
  /**
   * Lets the model think more or less.
   *
   * @throws {ConfigError} If there is no such effort.
   */
  setEffort(effort: string): void;
  tools(): readonly ToolStatus[];
  /** What the process may do in this mode, what it lacks, and how it would be started with it, in lines. */
  permissions(): Promise<readonly string[]> | readonly string[];
  /** The MCP servers, their state and tools, in lines. */
  servers(): Promise<readonly string[]> | readonly string[];
  /** Commands that were started in the background. */
  jobs(): readonly JobSummary[];
  messages(): readonly Message[];
  /** Tokens of the whole session. */
  usage(): Usage;
  /** What it cost, by model and day. */
  cost(): readonly LedgerEntry[];
  /** Tokens that the next request will hold, about. */
  contextTokens(): number;
  /** Tokens that the model can take. */
  contextWindow(): number;
  reset(): Promise<void> | void;
}
