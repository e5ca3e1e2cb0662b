/**
 * The conversation and the loop. The history of messages is the only state: everything else here is either given or a
 * statistic.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";
import { mendHistory } from "../llm/history.ts";
import {
  addUsage,
  type Block,
  type Effort,
  type Message,
  type Model,
  type ModelRequest,
  type ModelResponse,
  NO_USAGE,
  type ToolResultBlock,
  type ToolUseBlock,
  type Usage,
  usageSince,
} from "../llm/types.ts";
import type { Workspace } from "../permissions/paths.ts";
import { rememberSeen } from "../tools/seen_files.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { type AgentOptions, TurnStop } from "./agent_options.ts";
import { askModel } from "./ask_model.ts";
import { COMPACT_AT, CompactionGuard, tooLong } from "./compaction_guard.ts";
import { contextTokens, ContextWindows, measure, type Measured, replyTokens } from "./context_size.ts";
import { READ_ONLY_GATE } from "./gate.ts";
import type { Charge } from "./ledger.ts";
import type { Recorder } from "./records.ts";
import type { Past } from "./session_state.ts";
import { STOP_AFTER, STUCK_WARNING, StuckDetector, WARN_AFTER } from "./stuck.ts";
import { runCalls } from "./tool_calls.ts";
import type { AgentEvent, TurnOutcome, TurnResult } from "./ui.ts";

/**
 * A conversation with a model that can use tools.
 *
 * @example
 * ```ts ignore
 * const agent = new Agent({ model, system: "You are helpful.", tools, ui, surroundings });
 * const { text } = await agent.send("What is in this folder?", AbortSignal.timeout(60_000));
 * ```
 */
export class Agent {
  /** The history. Grows at its end; what stands in it is never rewritten but by a compaction. */
  messages: Message[];
  /** Tokens of all replies so far, those of sub-agents included. */
  usage: Usage = { ...NO_USAGE };
  /** Model calls so far. */
  steps = 0;
  /** Another model goes on with the same history. */
  model: Model;
  /** Changing these two breaks the cached prefix of the requests. */
  system: string;
  tools: readonly Tool[];
  effort: Effort | undefined;
  /** What is inside, protected and secret for the calls to come. */
  workspace: Workspace;
  #measured: Measured | undefined;
  readonly #guard = new CompactionGuard();
  readonly #windows = new ContextWindows();
  readonly #options: AgentOptions;
  #seen = new Map<string, string>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.model = options.model;
    this.system = options.system;
    this.workspace = options.surroundings.workspace;
    this.tools = options.tools;
    this.effort = options.effort;
    this.messages = [];
    if (options.past) this.resume(options.past);
  }

  /** Goes on with another conversation. */
  resume({ messages, seen, usage, steps, measured }: Past): void {
    this.messages = messages;
    this.#seen = new Map(seen);
    this.usage = usage;
    this.steps = steps;
    this.#measured = measured;
  }

  /**
   * Runs one turn: from the person's input to the reply that calls no tool.
   *
   * @param input What the person says. After a failed or interrupted turn it is merged into the pending user message.
   * @param signal Ends the turn. That is no error: the outcome is `interrupted`, and the history stays sound.
   * @throws {ApiError} If the service gave no usable reply. The input stays in the history, pending.
   */
  async send(input: string | Block[], signal: AbortSignal): Promise<TurnResult> {
    const content: Block[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
    const before = { usage: this.usage, steps: this.steps };
    this.#append("user", content);
    await this.#record({ type: "user", content });
    const last: { reply?: ModelResponse } = {};
    const { hooks } = this.#options;
    if (hooks) await hooks.sessionStart(signal);
    let outcome = await this.#run(signal, last);
    const text = last.reply ? textOf(last.reply.content) : "";
    if (hooks && !signal.aborted) {
      await hooks.turnEnd({ outcome, text }, signal);
      if (signal.aborted) outcome = "interrupted";
    }
    const result: TurnResult = {
      outcome,
      text,
      ...(last.reply && { stopReason: last.reply.stopReason }),
      usage: usageSince(this.usage, before.usage),
      steps: this.steps - before.steps,
    };
    this.#options.ui.show({ type: "turn_end", result });
    return result;
  }

  /** Tokens that the next request will hold, about. */
  get contextTokens(): number {
    return contextTokens(this, this.#measured);
  }

  /** Tokens that the model can take, as far as is known by now. */
  get contextWindow(): number {
    return this.#windows.of(this.model);
  }

  /** Tells the model something with the next input. Between turns: in a turn it would stand before the results. */
  async note(text: string): Promise<void> {
    const content: Block[] = [{ type: "text", text }];
    this.#append("user", content);
    await this.#record({ type: "note", content });
  }

  /**
   * Makes the history shorter: its older part becomes a summary.
   *
   * @param focus What the summary must look at in particular.
   * @returns Whether there was anything to leave out.
   * @throws {ApiError} If the model cannot be asked. The history is as before.
   */
  async compact(signal: AbortSignal, focus?: string): Promise<boolean> {
    const { ledger, beforeRequest, ui } = this.#options;
    const [tokensBefore, askedAt] = [this.contextTokens, Date.now()];
    const spent: { summary: string; usage: Usage; charge?: Charge } = { summary: "", usage: NO_USAGE };
    const { compact } = await import("./compaction.ts");
    const messages = await compact(mendHistory(this.messages), {
      focus,
      ask: async (messages) => {
        const { schema: _answerOnly, ...request } = this.#requestWith(messages);
        const startedAt = new Date();
        using _held = await beforeRequest?.(request, "summary");
        const show = (event: AgentEvent) => event.type === "retry" && ui.show(event);
        const { content, usage, model } = await askModel(this.model, request, signal, { show, partial: [] });
        const charge = ledger?.add(usage, model, startedAt);
        this.usage = addUsage(this.usage, usage);
        Object.assign(spent, { summary: textOf(content), usage, ...(charge && { charge }) });
        return spent.summary;
      },
    });
    if (!messages) return false;
    const durationMs = Date.now() - askedAt;
    this.messages = messages;
    this.#measured = undefined;
    await this.#record({ type: "compaction", messages, ...spent });
    ui.show({ type: "compaction", tokensBefore, tokensAfter: this.contextTokens, durationMs });
    return true;
  }

  /** What a call is given, without what the gate adds: for tools that the program itself uses. */
  toolContext(signal: AbortSignal): ToolContext {
    return { ...this.#options.surroundings, workspace: this.workspace, signal, seen: this.#seen, granted: new Set() };
  }

  /** Forgets the conversation, the files seen included. */
  async reset(): Promise<void> {
    this.messages = [];
    this.#measured = undefined;
    this.#seen.clear();
    await this.#record({ type: "reset" });
  }

  /** The loop: ask, append the reply, run its calls, append their results, until a reply has no call. */
  async #run(signal: AbortSignal, last: { reply?: ModelResponse }): Promise<TurnOutcome> {
    const stuck = new StuckDetector();
    for (let step = 0; step < (this.#options.maxSteps ?? 50); step++) {
      const reply = await this.#ask(signal);
      if (typeof reply === "string") return reply;
      last.reply = reply;
      const calls = reply.content.filter((block) => block.type === "tool_use");
      if (calls.length === 0) return outcomeOf(reply);
      const results = await this.#call(calls, signal);
      const repeats = stuck.add(calls, results);
      if (repeats >= WARN_AFTER) await this.#warn(results);
      this.#append("user", results);
      this.#options.ui.show({ type: "results", message: { role: "user", content: results } });
      if (signal.aborted) return "interrupted";
      if (repeats >= STOP_AFTER) return "stuck";
    }
    return "max_steps";
  }

  /** The next reply, which then stands in the history; or why there is none. */
  async #ask(signal: AbortSignal): Promise<ModelResponse | TurnOutcome> {
    if (signal.aborted) return "interrupted";
    const partial: string[] = [];
    try {
      return await this.#askInWindow(signal, partial);
    } catch (error) {
      if (error instanceof TurnStop) {
        this.#options.ui.show({ type: "notice", text: error.message });
        return error.outcome;
      }
      if (!signal.aborted) throw error;
      await this.#keepPartial(partial.join(""));
      return "interrupted";
    }
  }

  /** A request that fits into the context window: the history is made shorter where it must be. */
  async #askInWindow(signal: AbortSignal, partial: string[]): Promise<ModelResponse> {
    this.messages = mendHistory(this.messages);
    if (this.contextTokens >= COMPACT_AT * this.contextWindow) await this.#makeRoom(signal);
    try {
      return await this.#request(signal, partial);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      const { maxTokens } = this.#requestWith(this.messages);
      await this.#windows.learn(this.model, error.detail ?? "");
      const isShorter = await this.#makeRoom(signal) || this.#requestWith(this.messages).maxTokens < maxTokens;
      if (!isShorter) throw tooLong(error);
    }
    try {
      return await this.#request(signal, partial);
    } catch (error) {
      throw isOverflow(error) ? tooLong(error) : error;
    }
  }

  #makeRoom(signal: AbortSignal): Promise<boolean> {
    this.#guard.begin(this.steps);
    return this.compact(signal);
  }

  /** One request. Pieces of text that have come are kept in `partial`, for the case of an interrupt. */
  async #request(signal: AbortSignal, partial: string[]): Promise<ModelResponse> {
    const { ui, beforeRequest } = this.#options;
    const startedAt = Date.now();
    const request = this.#requestWith(this.messages);
    using _held = await beforeRequest?.(request, "turn");
    this.steps++;
    const show = (event: AgentEvent) => ui.show(event);
    return await this.#take(await askModel(this.model, request, signal, { show, partial }), startedAt);
  }

  #requestWith(messages: Message[]): ModelRequest {
    const { maxTokens: wanted = 16_000, schema } = this.#options;
    const { system, tools, effort, contextWindow: window, contextTokens: context } = this;
    const maxTokens = replyTokens(wanted, { window, context, isMeasured: this.#measured !== undefined });
    return { system, messages, tools, maxTokens, ...(effort && { effort }), ...(schema && { schema }) };
  }

  async #take(response: ModelResponse, startedAt: number): Promise<ModelResponse> {
    const durationMs = Date.now() - startedAt;
    this.usage = addUsage(this.usage, response.usage);
    const charge = this.#options.ledger?.add(response.usage, response.model, new Date(startedAt));
    if (response.content.length > 0) this.#append("assistant", response.content);
    this.#measured = measure(response, this.messages.length);
    await this.#record({ type: "reply", response, durationMs, ...(charge && { charge }) });
    this.#options.ui.show({ type: "reply", response, durationMs });
    return response;
  }

  /** What the person could already read of an interrupted reply stays in the history. */
  async #keepPartial(text: string): Promise<void> {
    if (text.trim() === "") return;
    const content: Block[] = [{ type: "text", text }];
    this.#append("assistant", content);
    await this.#record({ type: "partial", content });
  }

  #call(calls: readonly ToolUseBlock[], signal: AbortSignal): Promise<ToolResultBlock[]> {
    const { ui, gate = READ_ONLY_GATE, clean = (text) => text, hooks } = this.#options;
    return runCalls(calls, {
      tools: this.tools,
      gate,
      ui,
      clean,
      hooks,
      context: (signal) => this.toolContext(signal),
      record: (record) => this.#record(record),
      remember: (seen) => seen.forEach((file) => rememberSeen(this.#seen, file)),
    }, signal);
  }

  async #warn(results: ToolResultBlock[]): Promise<void> {
    const last = results.at(-1);
    if (!last) return;
    last.content += `\n\n${STUCK_WARNING}`;
    await this.#record({ type: "result", block: last });
  }

  #append(role: Message["role"], content: Block[]): void {
    const last = this.messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else this.messages.push({ role, content: [...content] });
  }

  async #record(record: Parameters<Recorder>[0]): Promise<void> {
    await this.#options.record?.(record);
  }
}

/** The text of a message, its blocks joined. */
export function textOf(content: readonly Block[]): string {
  return content.filter((block) => block.type === "text").map((block) => block.text).join("");
}

function isOverflow(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === "overflow";
}

function outcomeOf({ stopReason }: ModelResponse): TurnOutcome {
  if (stopReason === "refusal") return "refusal";
  return stopReason === "max_tokens" ? "max_tokens" : "done";
}
