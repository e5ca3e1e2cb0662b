/**
 * A reply of the chat-completions protocol, put together from its chunks as they come.
 *
 * @module
 */

import { firstChoice, readContent, readDetails } from "./chat_chunk.ts";
import { ApiError, type ApiErrorKind } from "./errors.ts";
import { isRecord } from "./json.ts";
import { errorIn } from "./error_body.ts";
import { excerpt, isHtml } from "./foreign_text.ts";
import { leakedCalls } from "./leaked_calls.ts";
import { type Service, serviceError } from "./service_error.ts";
import type { ServerSentEvent } from "./sse.ts";
import { TextPieces } from "./text_in_pieces.ts";
import { ThinkTags } from "./think_tags.ts";
import { type CallDraft, joinPieces, ToolCallPieces } from "./tool_call_pieces.ts";
import { readCall } from "./tool_input.ts";
import { type Block, NO_USAGE, type StopReason, type StreamEvent, type ToolUseBlock } from "./types.ts";
import { readUsage } from "./usage.ts";

/** What the services' words for the end of a reply mean; calls go before them. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  length: "max_tokens",
  max_tokens: "max_tokens",
  model_length: "max_tokens",
  content_filter: "refusal",
  refusal: "refusal",
  safety: "refusal",
  sensitive: "refusal",
};
/** Ends that are faults of the service: worth another try. */
const FAULTS = /^(error|network_error|insufficient_system_resource|abort(ed)?)$/;

/** Accumulates one reply. */
export class Reply {
  readonly #service: Service;
  readonly #thinking = new TextPieces();
  readonly #text = new TextPieces();
  readonly #tags = new ThinkTags();
  readonly #calls = new ToolCallPieces();
  readonly #callIds = new Set<string>();
  #finishReason: string | undefined;
  #refused = false;
  #done = false;
  #usage = NO_USAGE;
  #model: string;
  readonly #hasTools: boolean;

  /**
   * @param model The name that was asked for; the service may name another one.
   * @param hasTools Whether calls can be made: only then can one be written as text by mistake.
   */
  constructor(service: Service, model: string, { hasTools = true }: { hasTools?: boolean } = {}) {
    this.#service = service;
    this.#model = model;
    this.#hasTools = hasTools;
  }

  /** Whether the service has said that nothing follows. */
  get isDone(): boolean {
    return this.#done;
  }

  /** Whether the service has said how the reply ends: at most its accounts are still to come. */
  get isWhole(): boolean {
    return this.#done || this.#finishReason !== undefined;
  }

  /**
   * Takes in one event.
   *
   * @returns What is new in it.
   * @throws {ApiError} If the event is an error, or cannot be read.
   */
  add({ event, data }: ServerSentEvent): StreamEvent[] {
    if (this.#done || data === "") return [];
    if (data.length < 16 && data.trim() === "[DONE]") {
      this.#done = true;
      return [];
    }
    const chunk = this.#parse(data, event);
    const error = errorIn(chunk) ?? (event === "error" ? { message: data } : undefined);
    if (error && this.#isAnswer) return []; // what went wrong then is not the reply
    if (error) throw serviceError(this.#service, error);
    return isRecord(chunk) ? this.#addChunk(chunk) : [];
  }

  /** Whether it is whole, holds something, and did not end in a fault: to ask again would be to pay twice. */
  get #isAnswer(): boolean {
    return this.#finishReason !== undefined && !FAULTS.test(this.#finishReason) && !this.#isEmpty();
  }

  #parse(data: string, event: string | undefined): unknown {
    try {
      return JSON.parse(data);
    } catch {
      if (event === "error") return undefined; // in words
      if (this.#finishReason !== undefined) return undefined; // the reply is whole: only its accounts are lost
      if (isHtml(data)) throw this.#broken("a web page came in its place");
      throw this.#broken(`a piece is not JSON: ${excerpt(data, this.#service)}`);
    }
  }

  #addChunk(chunk: Record<string, unknown>): StreamEvent[] {
    if (typeof chunk.model === "string" && chunk.model !== "") this.#model = chunk.model;
    const choice = firstChoice(chunk.choices);
    this.#usage = readUsage(chunk.usage) ?? readUsage(choice?.usage) ?? this.#usage;
    if (!choice) return [];
    const error = choice.error ? errorIn({ error: choice.error }) : undefined;
    if (error) throw serviceError(this.#service, error);
    const { delta, message, finish_reason } = choice;
    if (typeof finish_reason === "string" && finish_reason !== "" && finish_reason !== "null") {
      this.#finishReason = finish_reason.toLowerCase();
    }
    if (isRecord(delta)) return this.#addDelta(delta);
    if (!isRecord(message) || !this.#isEmpty()) return []; // it says again what came in pieces
    this.#done = true; // a reply in one piece is whole
    return this.#addDelta(message);
  }

  #addDelta(delta: Record<string, unknown>): StreamEvent[] {
    const { reasoning_content, reasoning, reasoning_text, content, refusal, tool_calls, function_call } = delta;
    // Some services send the same reasoning in two fields.
    const details = readDetails(delta.reasoning_details);
    const thought = [reasoning_content, reasoning, reasoning_text, details].find((t) =>
      typeof t === "string" && t !== ""
    );
    const parts = readContent(content);
    const sorted = this.#tags.add(parts.text);
    const events = [
      ...this.#addThinking(typeof thought === "string" ? thought : parts.thinking),
      ...this.#addThinking(sorted.thinking),
      ...this.#addText(sorted.text),
    ];
    if (typeof refusal === "string" && refusal !== "") {
      this.#refused = true;
      events.push(...this.#addText(refusal));
    }
    for (const pieces of [tool_calls, isRecord(function_call) ? { index: 0, function: function_call } : undefined]) {
      for (const draft of this.#calls.add(pieces)) {
        if (draft.name !== "" && (draft.id !== "" || draft.pieces.length > 0)) events.push(...this.#announce(draft));
      }
    }
    return events;
  }

  #isEmpty(): boolean {
    return this.#thinking.isEmpty && this.#text.isEmpty && this.#calls.drafts.length === 0;
  }

  #addThinking(text: string): StreamEvent[] {
    const shown = this.#thinking.add(text);
    return shown === "" ? [] : [{ type: "thinking_delta", text: shown }];
  }

  #addText(text: string): StreamEvent[] {
    const shown = this.#text.add(text);
    return shown === "" ? [] : [{ type: "text_delta", text: shown }];
  }

  #announce(draft: CallDraft): StreamEvent[] {
    if (draft.callId !== "") return [];
    const isUsable = draft.id !== "" && !this.#callIds.has(draft.id);
    draft.callId = isUsable ? draft.id : newCallId();
    this.#callIds.add(draft.callId);
    return [{ type: "tool_use_start", id: draft.callId, name: draft.name }];
  }

  /**
   * Ends the reply.
   *
   * @returns What was held back, and last the whole of it.
   * @throws {ApiError} If the reply did not come to its end, or holds nothing.
   */
  end(): StreamEvent[] {
    const reason = this.#finishReason;
    if (reason !== undefined && FAULTS.test(reason)) {
      throw serviceError(this.#service, { message: `the reply ended with "${reason}"` });
    }
    const left = this.#tags.end();
    if (reason === undefined && !this.#done) throw this.#broken("it broke off before its end");
    const drafts = this.#calls.drafts.filter(({ name, pieces }) => name !== "" || pieces.length > 0);
    const events = [
      ...this.#addThinking(left.thinking),
      ...this.#addText(left.text),
      ...drafts.flatMap((draft) => this.#announce(draft)),
    ];
    const mayLeak = this.#hasTools && drafts.length === 0 && this.#stopsAs() === undefined;
    const leaked = mayLeak ? this.#leaked() : undefined;
    const calls = leaked?.calls ?? this.#readCalls(drafts);
    const stopReason = this.#stopReason(calls);
    if (reason === undefined && calls.some(({ invalid }) => invalid)) throw this.#broken("it broke off inside a call");
    if (leaked) {
      events.push(...calls.map(({ id, name }) => ({ type: "tool_use_start" as const, id, name })));
    } else if (stopReason === "end_turn" && this.#text.join().trim() === "") {
      if (this.#thinking.isEmpty || reason === undefined) throw this.#failure("empty_reply", "it is empty");
      events.push(...this.#addText(this.#thinking.join())); // the whole answer came in the reasoning channel
    }
    const response = {
      content: this.#content(calls, leaked?.text),
      stopReason,
      usage: this.#usage,
      model: this.#model,
    };
    return [...events, { type: "done", response }];
  }

  #readCalls(drafts: readonly CallDraft[]): ToolUseBlock[] {
    const wasCut = this.#stopsAs() !== undefined;
    return drafts.map(({ callId, name, pieces }, i) => {
      return readCall({ id: callId, name, json: joinPieces(pieces), isCut: wasCut && i === drafts.length - 1 });
    });
  }

  #stopsAs(): StopReason | undefined {
    return this.#refused ? "refusal" : STOP_REASONS[this.#finishReason ?? ""];
  }

  #stopReason(calls: readonly ToolUseBlock[]): StopReason {
    const said = this.#stopsAs() ?? "end_turn";
    return calls.length > 0 && said !== "max_tokens" ? "tool_use" : said;
  }

  /** Calls that stand at the end of the text, or of the thinking of a reply without text. */
  #leaked(): { text: string; calls: ToolUseBlock[] } | undefined {
    const said = this.#text.join();
    const found = leakedCalls(said.trim() === "" ? this.#thinking.join() : said);
    if (!found) return undefined;
    const calls = found.names.map((name): ToolUseBlock => {
      const invalid = `Cannot call ${name}: the call was written as text; nothing was done, make it as a tool call`;
      return { type: "tool_use", id: newCallId(), name, input: {}, invalid };
    });
    return { text: said.trim() === "" ? "" : found.text, calls };
  }

  #content(calls: readonly ToolUseBlock[], text = this.#text.join()): Block[] {
    const thinking = this.#thinking.join();
    return [
      ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking, model: this.#service.id }]),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls,
    ];
  }

  #broken(state: string): ApiError {
    return this.#failure("broken_reply", state);
  }

  #failure(kind: ApiErrorKind, state: string): ApiError {
    return new ApiError(`Cannot use the reply of "${this.#service.id}": ${state}`, { kind, retryable: true });
  }
}

function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}
