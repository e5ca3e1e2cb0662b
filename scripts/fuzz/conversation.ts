/**
 * One random conversation: the history grows, breaks and is mended; each request meets failures before its reply.
 *
 * @module
 */

import { ChatCompletionsModel } from "../../src/llm/chat_completions.ts";
import type { Clock } from "../../src/llm/clock.ts";
import { ApiError } from "../../src/llm/errors.ts";
import { historyFaults, mendHistory } from "../../src/llm/history.ts";
import { MessagesModel } from "../../src/llm/messages_api.ts";
import { withRetry } from "../../src/llm/retry.ts";
import type { Block, Message, Model, ModelResponse, StreamEvent, ToolResultBlock } from "../../src/llm/types.ts";
import { FakeService, refusal } from "../../tests/testing/fake_service.ts";
import { type Random, seeded } from "../../tests/testing/random.ts";
import { type Attempt, fatalFault, goodAttempt, passingFault } from "./faults.ts";
import { damage } from "./damage.ts";
import { planReply, type ReplyPlan, words } from "./reply_plan.ts";
import { requestFaults } from "./request_faults.ts";
import type { Wire } from "./wire_replies.ts";

/** What was done in all conversations. */
export interface Totals {
  conversations: number;
  steps: number;
  requests: number;
  retries: number;
  failures: number;
  interrupts: number;
  /** Histories that had to be mended. */
  mended: number;
  /** Replies that stood still. */
  stalls: number;
}

const MAX_RETRIES = 5;
/** Long enough for a busy machine, short enough for many of them. */
const SILENCE_MS = 4_000;
/** A step that takes longer hangs. */
const STEP_MS = 30_000;

/** Waits that are over at once. */
const HASTY_CLOCK: Clock = {
  now: () => Date.now(),
  after(_, callback) {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  },
};

const TOOLS = ["read_file", "list_files", "write_file"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));

/** A conversation that its seed decides. */
export class Conversation implements AsyncDisposable {
  readonly #random: Random;
  readonly #totals: Totals;
  readonly #service: FakeService;
  readonly #models: Record<Wire, Model>;
  #attempts: Attempt[] = [];
  #messages: Message[] = [];
  #calls = 0;
  /** The messages of the last request on each wire that must come again unchanged. */
  #settled: Partial<Record<Wire, string[]>> = {};

  constructor(seed: number, totals: Totals) {
    this.#random = seeded(seed);
    this.#totals = totals;
    this.#service = new FakeService(() =>
      this.#attempts.shift()?.reply ?? refusal(418, { message: "one request too many" })
    );
    const { url } = this.#service;
    const shared = {
      model: "m",
      contextWindow: 100_000,
      apiKey: "k",
      timeouts: { silenceMs: SILENCE_MS, connectMs: SILENCE_MS },
    };
    const retrying = (model: Model) => withRetry(model, { clock: HASTY_CLOCK, max: MAX_RETRIES });
    this.#models = {
      chat: retrying(new ChatCompletionsModel({ ...shared, id: "openai/m", url: `${url}/v1/chat/completions` })),
      messages: retrying(new MessagesModel({ ...shared, id: "anthropic/m", url: `${url}/v1/messages` })),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
  }

  /** @throws {Error} If anything is not as it should be. */
  async play(): Promise<void> {
    let wire = this.#random.pick<Wire>(["chat", "messages"]);
    for (let step = 1 + this.#random.below(6); step > 0; step--) {
      if (this.#random.below(6) === 0) wire = this.#random.pick<Wire>(["chat", "messages"]);
      this.#prepare();
      await this.#step(wire);
      this.#totals.steps++;
    }
  }

  /** What the person says, what tools gave back, and sometimes a crash that leaves the history in pieces. */
  #prepare(): void {
    const random = this.#random;
    const calls = this.#messages.at(-1)?.content.filter((block) => block.type === "tool_use") ?? [];
    const results = calls.map(({ id, invalid }): ToolResultBlock => ({
      type: "tool_result",
      toolUseId: id,
      content: invalid ?? random.pick(["", words(random)]),
      isError: invalid !== undefined,
    }));
    if (results.length > 0) this.#messages = [...this.#messages, { role: "user", content: results }];
    const isDamaged = random.below(5) === 0;
    if (isDamaged) {
      this.#messages = damage(this.#messages, random);
      this.#settled = {};
    }
    if (isDamaged || results.length === 0 || random.below(5) === 0) {
      this.#messages = [...this.#messages, { role: "user", content: [{ type: "text", text: `${words(random)}?` }] }];
    }
    const mended = mendHistory(this.#messages);
    if (mended !== this.#messages) this.#totals.mended++;
    check(historyFaults(mended), [], "the mended history");
    check(mendHistory(mended) === mended, true, "mending again changes nothing");
    this.#messages = mended;
  }

  async #step(wire: Wire): Promise<void> {
    const attempts = this.#planAttempts(wire);
    this.#attempts = [...attempts];
    const before = this.#service.requests.length;
    const stopAt = this.#random.below(15) === 0 ? this.#random.below(6) : Infinity;
    const outcome = await this.#ask(wire, { attempts, stopAt });
    const made = this.#service.requests.slice(before);
    this.#totals.requests += made.length;
    for (const { body } of made) this.#checkRequest(wire, body);
    const last = attempts.at(-1);
    if (!hasLasting(outcome)) this.#settled[wire]?.pop(); // what is said next joins the pending message
    if (outcome === "interrupted") {
      this.#totals.interrupts++;
      check(made.length <= attempts.length, true, "no request after an interrupt");
    } else if (outcome instanceof ApiError) {
      this.#totals.failures++;
      check(
        [made.length, outcome.retryable],
        [attempts.length, last?.outcome === "retried"],
        `requests, retryable (${outcome.message})`,
      );
    } else {
      check(made.length, attempts.length, "requests");
      check(last?.outcome, "good", "the last attempt");
      if (last?.plan) this.#take(outcome, { plan: last.plan, wire });
    }
  }

  /** Failures first, then the reply; or failures to the end. */
  #planAttempts(wire: Wire): Attempt[] {
    const random = this.#random;
    const faults = Array.from(
      { length: random.pick([0, 0, 0, 1, 1, 2, MAX_RETRIES]) },
      () => passingFault(wire, random),
    );
    this.#totals.stalls += faults.filter(({ reply }) => reply.end === "stall" || reply.end === "silent").length;
    switch (random.below(12)) {
      case 0:
        return [...faults, fatalFault(random)];
      case 1:
        return [
          ...faults,
          ...Array.from({ length: MAX_RETRIES + 1 - faults.length }, () => passingFault(wire, random)),
        ];
      default:
        return [...faults, goodAttempt(planReply(random, () => `c${++this.#calls}`), wire, random)];
    }
  }

  /** Sends the request and follows the events: each attempt may show only what it said, and the last one all of it. */
  async #ask(wire: Wire, { attempts, stopAt }: { attempts: readonly Attempt[]; stopAt: number }) {
    const controller = new AbortController();
    const reason = new Error("interrupted");
    const deadline = Promise.withResolvers<never>(); // an interrupt might hang as well
    const timer = setTimeout(() => deadline.reject(new Error("it hangs")), STEP_MS);
    const shown = { text: "", thinking: "" };
    let attempt = 0;
    let count = 0;
    const request = { system: "Be brief.", messages: this.#messages, tools: TOOLS, maxTokens: 1000 };
    try {
      const events = this.#models[wire].stream(request, controller.signal)[Symbol.asyncIterator]();
      while (true) {
        const { done, value: event } = await Promise.race([events.next(), deadline.promise]);
        if (done) throw new Error("The stream ended without its last event");
        if (event.type === "done") return withShown(event, shown);
        if (event.type === "restart") {
          attempt++;
          this.#totals.retries++;
          check([event.attempt, event.delayMs <= 60_000], [attempt, true], "the restart");
          shown.text = shown.thinking = "";
        }
        if (event.type === "text_delta") shown.text += event.text;
        if (event.type === "thinking_delta") shown.thinking += event.text;
        const plan = attempts[attempt]?.plan;
        // Where a service gives no answer but its thinking, that is shown as the answer.
        check(
          isBegin(shown.text, [plan?.text, plan?.thinking]),
          true,
          `the text so far, ${JSON.stringify(shown.text)}`,
        );
        check(
          isBegin(shown.thinking, [plan?.thinking]),
          true,
          `the thinking so far, ${JSON.stringify(shown.thinking)}`,
        );
        if (count++ >= stopAt) controller.abort(reason);
      }
    } catch (error) {
      if (error === reason) return "interrupted" as const;
      if (error instanceof ApiError && !controller.signal.aborted) return error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #take({ content, stopReason, usage }: ModelResponse, { plan, wire }: { plan: ReplyPlan; wire: Wire }): void {
    const invalid = content.flatMap((block) => block.type === "tool_use" ? block.invalid !== undefined : []);
    check(invalid, plan.calls.map(({ input }) => input === undefined), "which calls are invalid");
    const plain = content.map((block) => {
      const { invalid: _, ...rest } = block as Block & { invalid?: string };
      return rest;
    });
    check(plain, expectedContent(plan, { wire, id: this.#models[wire].id }), "the reply");
    check(stopReason, plan.isCut ? "max_tokens" : plan.calls.length > 0 ? "tool_use" : "end_turn", "the stop reason");
    const { inputTokens, cacheReadTokens, outputTokens } = usage;
    check({ input: inputTokens, cacheRead: cacheReadTokens, output: outputTokens }, plan.usage, "the usage");
    if (content.length > 0) this.#messages = [...this.#messages, { role: "assistant", content }];
  }

  #checkRequest(wire: Wire, body: unknown): void {
    check(requestFaults(wire, body), [], "the request");
    const messages = (body as { messages: unknown[] }).messages.map((message) =>
      JSON.stringify(message).replaceAll(',"cache_control":{"type":"ephemeral"}', "")
    );
    const settled = this.#settled[wire] ?? [];
    check(messages.slice(0, settled.length), settled, "the messages that were sent before");
    this.#settled[wire] = messages;
  }
}

/** Whether anything of a reply stays in the history: thinking alone does not, nor do blanks. */
function hasLasting(outcome: ModelResponse | ApiError | "interrupted"): boolean {
  if (outcome === "interrupted" || outcome instanceof ApiError) return false;
  return outcome.content.some((block) =>
    block.type === "tool_use" || (block.type === "text" && block.text.trim() !== "")
  );
}

function withShown({ response }: Extract<StreamEvent, { type: "done" }>, shown: { text: string; thinking: string }) {
  const of = (type: "text" | "thinking") =>
    response.content.map((block) => block.type === type ? (block as { text: string }).text : "").join("");
  check(shown, { text: of("text"), thinking: of("thinking") }, "what was shown against the reply");
  return response;
}

function expectedContent(plan: ReplyPlan, { wire, id: model }: { wire: Wire; id: string }): Block[] {
  const { thinking, text, calls } = plan;
  const signature = wire === "messages" ? { signature: "c2ln" } : {};
  return [
    ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking, ...signature, model }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, name, input = {} }): Block => ({ type: "tool_use", id, name, input })),
  ];
}

function isBegin(text: string, of: readonly (string | undefined)[]): boolean {
  return text === "" || of.some((whole) => whole?.startsWith(text));
}

/** Compares by what JSON can say of them. */
function check(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value, sorted));
  if (a !== b) throw new Error(`${what}: is ${a}, should be ${b}`);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
