/**
 * What follows from the records of a session. The running conversation and one that was loaded go through the same
 * steps, so a restart changes nothing.
 *
 * @module
 */

import { mendHistory } from "../llm/history.ts";
import {
  addUsage,
  type Block,
  type Message,
  NO_USAGE,
  type ToolResultBlock,
  type ToolUseBlock,
  type Usage,
} from "../llm/types.ts";
import { rememberSeen } from "../tools/seen_files.ts";
import type { SeenFile } from "../tools/tool.ts";
import { measure, type Measured } from "./context_size.ts";
import type { Charge } from "./ledger.ts";
import { CallResults } from "./session_results.ts";
import type { FileBefore, Prefix, SessionRecord, Stamped } from "./session_records.ts";

/** What an agent goes on from. */
export interface Past {
  messages: Message[];
  /** Canonical path of each file that the model has seen to what it knows of it. */
  seen: ReadonlyMap<string, string>;
  /** Tokens of all replies, summaries included. */
  usage: Usage;
  /** Model calls. */
  steps: number;
  measured?: Measured;
}

/** One input of the person and what followed. */
export interface Turn {
  /** From 1 on. */
  number: number;
  text: string;
  /** ISO 8601. */
  at: string;
}

/** One change of a file by one of our tools. */
export interface Change {
  turn: number;
  path: string;
  before: FileBefore;
  /** SHA-256 of what the tool wrote; absent if it is not known whether it did. */
  after?: string;
  undone: boolean;
}

/** Where a message list ended at some moment: lists only grow, or are replaced as a whole. */
interface Mark {
  messages: Message[];
  length: number;
  /** Blocks of the last message. */
  blocks: number;
}

/** Adds up records. */
export class SessionState {
  /** The last prefix that was set after the header's. */
  prefix: Prefix | undefined;
  title: string | undefined;
  readonly turns: Turn[] = [];
  readonly changes: Change[] = [];
  /** Files that commands changed, by turn. */
  readonly touched: { turn: number; paths: readonly string[]; more: number }[] = [];
  readonly charges: { usage: Usage; charge: Charge }[] = [];
  /** When the last record was written, ISO 8601. */
  lastAt: string | undefined;
  #messages: Message[] = [];
  readonly #seen = new Map<string, string>();
  #usage: Usage = NO_USAGE;
  #steps = 0;
  #measured: Measured | undefined;
  #results = new CallResults();
  readonly #marks: Mark[] = [];
  /** Calls that may change something. */
  readonly #intents = new Set<string>();

  /** The state after these records. */
  static of(records: readonly Stamped[]): SessionState {
    const state = new SessionState();
    for (const record of records) state.apply(record, record.at);
    return state;
  }

  /** The history as far as it is known. Not yet fit to be sent: calls may lack their results. */
  get messages(): Message[] {
    this.#settle();
    return this.#messages;
  }

  /** What all replies cost, as far as prices were known. */
  get costUsd(): number {
    return this.charges.reduce((sum, { charge }) => sum + (charge.cost?.total ?? 0), 0);
  }

  /** What an agent goes on from: copies, since its own lists go on changing. */
  past(): Past {
    const messages = mendHistory(structuredClone(this.messages));
    return {
      messages,
      seen: new Map(this.#seen),
      usage: this.#usage,
      steps: this.#steps,
      ...(this.#measured && { measured: this.#measured }),
    };
  }

  /** Takes in one record. */
  apply(record: SessionRecord, at: string): void {
    this.lastAt = at;
    switch (record.type) {
      case "user":
        this.#settle();
        this.#begin(record.content, at);
        return this.#append("user", record.content);
      case "note":
        this.#settle();
        return this.#append("user", record.content);
      case "reply": {
        const { response, charge } = record;
        this.#settle();
        if (response.content.length > 0) this.#append("assistant", response.content);
        this.#results.expect(response.content.filter((block): block is ToolUseBlock => block.type === "tool_use"));
        this.#count(response.usage, charge);
        this.#steps++;
        this.#measured = measure(response, this.#messages.length);
        return;
      }
      case "partial":
        this.#settle();
        return this.#append("assistant", record.content);
      case "intent":
        return void this.#intents.add(record.id);
      case "result":
        return this.#answer(record.block, record.seen ?? []);
      case "compaction":
        this.#settle();
        this.#messages = structuredClone(record.messages);
        this.#measured = undefined;
        return this.#count(record.usage, record.charge);
      case "reset":
        this.#settle();
        this.#messages = [];
        this.#measured = undefined;
        return this.#seen.clear();
      case "prefix":
        this.prefix = record.prefix;
        return;
      case "charge":
        return this.#count(record.usage, record.charge);
      case "title":
        this.title = record.title;
        return;
      case "change": {
        const { path, before } = record;
        return void this.changes.push({ turn: this.turns.length, path, before, undone: false });
      }
      case "written":
        return this.#written(record);
      case "touched": {
        const { paths, more } = record;
        return void this.touched.push({ turn: this.turns.length, paths, more });
      }
      case "undo":
        for (const change of this.changes) {
          if (change.turn >= record.fromTurn && record.paths.includes(change.path)) change.undone = true;
        }
        return;
      case "rewind":
        return this.#rewind(record.turn);
      default:
        record satisfies never;
    }
  }

  #begin(content: readonly Block[], at: string): void {
    const text = content.map((block) => block.type === "text" ? block.text : "").join("");
    this.turns.push({ number: this.turns.length + 1, text, at });
    const blocks = this.#messages.at(-1)?.content.length ?? 0;
    this.#marks.push({ messages: this.#messages, length: this.#messages.length, blocks });
  }

  #append(role: Message["role"], content: readonly Block[]): void {
    const last = this.#messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else this.#messages.push({ role, content: [...content] });
  }

  #count(usage: Usage, charge: Charge | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
    if (charge) this.charges.push({ usage, charge });
  }

  #answer(block: ToolResultBlock, seen: readonly SeenFile[]): void {
    this.#results.add(block);
    for (const file of seen) {
      rememberSeen(this.#seen, file);
      if (this.#intents.has(block.toolUseId)) this.#written(file);
    }
  }

  /** The last change of a file was made. */
  #written({ path, hash }: { path: string; hash: string }): void {
    const change = this.changes.findLast((c) => c.path === path);
    if (change && change.after === undefined) change.after = hash;
  }

  /** Puts the results of the last reply's calls into the history. */
  #settle(): void {
    const results = this.#results.take();
    if (results.length > 0) this.#append("user", results);
  }

  #rewind(turn: number): void {
    this.#settle();
    const mark = this.#marks[turn - 1];
    if (!mark) return;
    const { messages, length, blocks } = mark;
    this.#messages = messages.slice(0, length).map(({ role, content }) => ({ role, content: [...content] }));
    const last = this.#messages.at(-1);
    if (last) last.content = last.content.slice(0, blocks);
    this.#measured = undefined;
  }
}
