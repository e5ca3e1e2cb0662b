/**
 * A reply of the Messages protocol, put together from its events.
 *
 * @module
 */

import { errorIn } from "./error_body.ts";
import { ApiError, type ApiErrorKind } from "./errors.ts";
import { excerpt } from "./foreign_text.ts";
import { type Service, serviceError } from "./service_error.ts";
import type { ServerSentEvent } from "./sse.ts";
import { isRecord } from "./json.ts";
import { BlockDraft } from "./reply_block.ts";
import { tokenCount } from "./usage.ts";
import type { Block, StopReason, StreamEvent, Usage } from "./types.ts";

type Json = Record<string, unknown>;

/** Folds the events of one reply. Unknown kinds of events and blocks are left out. */
export class MessagesReply {
  readonly #service: Service;
  readonly #drafts: BlockDraft[] = [];
  readonly #byIndex = new Map<unknown, BlockDraft>();
  readonly #usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  #model: string;
  #stopReason: unknown;
  #isDone = false;

  /** Whether the reply has come to its end: what follows it is not part of it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether all of its content is there: the service has said how the reply ends, and every block has ended. */
  get isWhole(): boolean {
    return this.#isDone || (typeof this.#stopReason === "string" && this.#drafts.every((draft) => !draft.isOpen));
  }

  /**
   * @param service Who answers, for the sentences of errors.
   * @param model The name that was asked for; the service may name another one.
   */
  constructor(service: Service, model: string) {
    this.#service = service;
    this.#model = model;
  }

  /**
   * Takes the next event, or a whole reply that came as one document.
   *
   * @returns What there is to show of it.
   * @throws {ApiError} If it is an error, or nothing that can be read.
   */
  add({ event: name, data }: ServerSentEvent): StreamEvent[] {
    if (data.trim() === "" || data.trim() === "[DONE]") return [];
    const event = this.#parse(data, name);
    switch (event.type ?? name) {
      case "message_start":
        this.#takeHead(record(event.message));
        return [];
      case "content_block_start":
        return this.#start(event.index, record(event.content_block));
      case "content_block_delta":
        return this.#grow(event.index, record(event.delta));
      case "content_block_stop": {
        const draft = this.#byIndex.get(event.index);
        if (draft) draft.isOpen = false;
        return [];
      }
      case "message_delta":
        this.#stopReason = record(event.delta).stop_reason ?? this.#stopReason;
        this.#takeUsage(record(event.usage));
        return [];
      case "message_stop":
        this.#isDone = true;
        return [];
      case "message":
        return this.#takeWhole(event);
      default: {
        const isError = (event.type ?? name ?? "error") === "error" || event.error;
        const error = isError ? errorIn(event) : undefined;
        if (error && !this.isWhole) throw serviceError(this.#service, error);
        return [];
      }
    }
  }

  /**
   * Ends the reply.
   *
   * @returns What was not shown yet, and last the whole of it.
   * @throws {ApiError} If it has not come to its end, holds nothing, or ended because the context window was full.
   */
  end(): StreamEvent[] {
    if (!this.isWhole) throw this.#error("broken_reply", "the stream ended before the reply did");
    if (this.#stopReason === "model_context_window_exceeded") {
      throw serviceError(this.#service, {
        message: "the reply filled the context window",
        code: String(this.#stopReason),
      });
    }
    const content = this.#stopReason === "refusal" ? [] : this.#content();
    const stopReason = this.#stopped(content);
    const response = { content, stopReason, usage: { ...this.#usage }, model: this.#model };
    if (stopReason !== "end_turn" || content.some(isSaid)) return [{ type: "done", response }];
    const thought = content.map((block) => block.type === "thinking" ? block.text : "").join("");
    if (thought.trim() === "") throw this.#error("empty_reply", "the reply is empty");
    content.push({ type: "text", text: thought }); // the whole answer came as thinking
    return [{ type: "text_delta", text: thought }, { type: "done", response }];
  }

  #parse(data: string, name: string | undefined): Json {
    try {
      return record(JSON.parse(data));
    } catch {
      if (this.isWhole) return {};
      if (name === "error") return { error: data }; // in words
      throw this.#error("broken_reply", `this is no event: ${excerpt(data, this.#service)}`);
    }
  }

  #takeHead(message: Json): void {
    this.#model = text(message.model) || this.#model;
    this.#takeUsage(record(message.usage));
  }

  /** Each event repeats the sums so far. Some services tell the input only once and say 0 in all other places. */
  #takeUsage(usage: Json): void {
    this.#usage.outputTokens = tokenCount(usage.output_tokens) || this.#usage.outputTokens;
    this.#usage.inputTokens = tokenCount(usage.input_tokens) || this.#usage.inputTokens;
    this.#usage.cacheReadTokens = tokenCount(usage.cache_read_input_tokens) || this.#usage.cacheReadTokens;
    this.#usage.cacheWriteTokens = tokenCount(usage.cache_creation_input_tokens) || this.#usage.cacheWriteTokens;
  }

  #takeWhole(message: Json): StreamEvent[] {
    this.#takeHead(message);
    this.#stopReason = message.stop_reason;
    this.#isDone = true;
    const blocks = Array.isArray(message.content) ? message.content : [];
    return blocks.flatMap((block, index) => this.#start(index, record(block)));
  }

  #start(index: unknown, block: Json): StreamEvent[] {
    const before = this.#byIndex.get(index);
    if (before?.isOpen && before.type === "tool_use" && before.id === block.id) return []; // the same start once more
    switch (block.type) {
      case "text":
        this.#open(index, "text");
        return this.#write(index, "text", block.text);
      case "thinking": {
        const draft = this.#open(index, "thinking");
        draft.signature = text(block.signature);
        return this.#write(index, "thinking", block.thinking);
      }
      case "redacted_thinking":
        this.#open(index, "thinking").redacted = text(block.data);
        return [];
      case "tool_use": {
        const draft = this.#open(index, "tool_use");
        draft.id = text(block.id) || `call_${this.#drafts.length}`;
        draft.name = text(block.name);
        draft.input = block.input;
        return [{ type: "tool_use_start", id: draft.id, name: draft.name }];
      }
      default:
        this.#open(index, "other");
        return [];
    }
  }

  #grow(index: unknown, delta: Json): StreamEvent[] {
    switch (delta.type) {
      case "text_delta":
        return this.#write(index, "text", delta.text);
      case "thinking_delta":
        return this.#write(index, "thinking", delta.thinking);
      case "signature_delta":
        this.#at(index, "thinking").signature += text(delta.signature);
        return [];
      case "input_json_delta": {
        const draft = this.#byIndex.get(index);
        if (draft?.type === "tool_use") draft.pieces.push(text(delta.partial_json));
        return [];
      }
      default:
        return [];
    }
  }

  #write(index: unknown, type: "text" | "thinking", piece: unknown): StreamEvent[] {
    const written = text(piece);
    if (written === "") return [];
    this.#at(index, type).pieces.push(written);
    return [{ type: `${type}_delta`, text: written }];
  }

  /** The block at an index, opened if the service forgot to. */
  #at(index: unknown, type: "text" | "thinking"): BlockDraft {
    const draft = this.#byIndex.get(index);
    return draft?.type === type ? draft : this.#open(index, type);
  }

  #open(index: unknown, type: BlockDraft["type"]): BlockDraft {
    const draft = new BlockDraft(type);
    this.#drafts.push(draft);
    this.#byIndex.set(index, draft);
    return draft;
  }

  #content(): Block[] {
    const last = this.#stopReason === "max_tokens" ? this.#drafts.at(-1) : undefined;
    return this.#drafts.flatMap((draft) => draft.finish(this.#service.id, draft === last) ?? []);
  }

  /** Calls decide, not the reason that the service gives. A pause of its own tools, which we never use, is an end. */
  #stopped(content: readonly Block[]): StopReason {
    const reason = this.#stopReason;
    if (reason === "refusal" || reason === "max_tokens") return reason;
    if (content.some((block) => block.type === "tool_use")) return "tool_use";
    return reason === "stop_sequence" ? reason : "end_turn";
  }

  #error(kind: ApiErrorKind, state: string): ApiError {
    return new ApiError(`Cannot read the reply of "${this.#service.id}": ${state}`, { kind, retryable: true });
  }
}

/** Whether a block is something that the person, or a tool, is told. */
function isSaid(block: Block): boolean {
  return block.type === "tool_use" || (block.type === "text" && block.text.trim() !== "");
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
