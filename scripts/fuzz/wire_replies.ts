/**
 * Random replies in the words of both protocols, with the liberties that services take.
 *
 * @module
 */

import type { Random } from "../../tests/testing/random.ts";
import { pieces, type ReplyPlan } from "./reply_plan.ts";

/** The protocols. */
export type Wire = "chat" | "messages";

/** A reply as bytes. Cut before `lastEvent` it is not whole. */
export interface WireReply {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where the event begins that ends the reply. */
  lastEvent: number;
}

type Event = Record<string, unknown> | string;

/** Writes a reply as an event stream. */
export function writeReply(plan: ReplyPlan, wire: Wire, random: Random): WireReply {
  const { before, end } = wire === "chat" ? chatEvents(plan, random) : messagesEvents(plan, random);
  const style = new SseStyle(random);
  const body = before.map((event) => style.event(event)).join("");
  const start = style.begin() + body;
  const ending = end.map((event) => style.event(event)).join("");
  const whole = random.below(10) === 0 ? (start + ending).replace(/[\r\n]+$/, "") : start + ending;
  const encoder = new TextEncoder();
  return { bytes: encoder.encode(whole), lastEvent: encoder.encode(start).length };
}

/** Writes a reply as one document, as services do that cannot stream. */
export function writeDocument(plan: ReplyPlan, wire: Wire): string {
  return JSON.stringify(wire === "chat" ? chatDocument(plan) : messagesDocument(plan));
}

/** Writes an event that breaks the stream off, on either protocol. */
export function writeError(wire: Wire, random: Random): string {
  const type = random.pick(["overloaded_error", "api_error", "rate_limit_error"]);
  const error = wire === "chat"
    ? { error: { message: "upstream capacity", code: 502 } }
    : { type: "error", error: { type, message: "Overloaded" } };
  return new SseStyle(random).event(random.pick<Event>([error, '{"broken', "<html>gone</html>"]));
}

/** One service's habits of writing events. */
class SseStyle {
  readonly #random: Random;
  readonly #lineEnd: string;
  readonly #space: string;
  readonly #hasNames: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#lineEnd = random.pick(["\n", "\n", "\r\n", "\r"]);
    this.#space = random.pick([" ", " ", ""]);
    this.#hasNames = random.below(2) === 0;
  }

  begin(): string {
    return this.#random.pick(["", "", "\ufeff", `: keep-alive${this.#lineEnd.repeat(2)}`]);
  }

  event(event: Event): string {
    const lines = typeof event === "string" ? [event] : this.#json(event).split("\n");
    const type = typeof event === "object" && typeof event.type === "string" ? event.type : undefined;
    const fields = [
      ...(this.#hasNames && type ? [`event:${this.#space}${type}`] : []),
      ...lines.map((line) => `data:${this.#space}${line}`),
      ...(this.#random.below(20) === 0 ? ["id: 7", "retry: 10"] : []),
    ];
    const comment = this.#random.below(15) === 0 ? `: keep-alive${this.#lineEnd}${this.#lineEnd}` : "";
    return fields.map((field) => field + this.#lineEnd).join("") + this.#lineEnd + comment;
  }

  #json(event: unknown): string {
    return JSON.stringify(event, null, this.#random.below(12) === 0 ? 1 : 0);
  }
}

function chatDocument(plan: ReplyPlan) {
  const tool_calls = plan.calls.map(({ id, name, json }) => ({
    id,
    type: "function",
    function: { name, arguments: json },
  }));
  const reasoning = plan.thinking === "" ? {} : { reasoning_content: plan.thinking };
  const message = { role: "assistant", content: plan.text === "" ? null : plan.text, ...reasoning, tool_calls };
  const finish_reason = plan.isCut ? "length" : "stop";
  return { model: "m", choices: [{ index: 0, message, finish_reason }], usage: chatUsage(plan) };
}

function chatUsage({ usage: { input, cacheRead, output } }: ReplyPlan) {
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}

/** Arguments stand in it as JSON: a reply whose calls have none cannot be written so. */
function messagesDocument(plan: ReplyPlan) {
  const content = [
    ...(plan.thinking === "" ? [] : [{ type: "thinking", thinking: plan.thinking, signature: "c2ln" }]),
    ...(plan.text === "" ? [] : [{ type: "text", text: plan.text }]),
    ...plan.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ];
  const { input, cacheRead, output } = plan.usage;
  const usage = { input_tokens: input, cache_read_input_tokens: cacheRead, output_tokens: output };
  return { type: "message", role: "assistant", model: "m", content, stop_reason: stopReason(plan), usage };
}

function stopReason({ isCut, calls }: ReplyPlan): string {
  return isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
}

interface Events {
  before: Event[];
  end: Event[];
}

function chatEvents(plan: ReplyPlan, random: Random): Events {
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    id: "r1",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const reasoning = random.pick(["reasoning_content", "reasoning"]);
  const channels: unknown[][] = [
    pieces(plan.thinking, random).map((piece) => ({ [reasoning]: piece })),
    pieces(plan.text, random).map((content) => ({ content })),
    callDeltas(plan, random),
  ];
  const noise: Event[] = [
    { choices: [] },
    { choices: null },
    { id: "r1", usage: null },
    chunk(null),
    chunk({}),
    chunk({ content: "", role: "assistant" }),
    chunk({ content: null, tool_calls: [] }),
    chunk({ [reasoning]: "" }),
  ];
  const deltas = random.below(3) === 0 ? merged(channels, random) : channels.flat();
  const finish = plan.isCut ? "length" : random.pick(["stop", plan.calls.length > 0 ? "tool_calls" : "stop"]);
  const last = chunk({}, finish);
  const usage = chatUsage(plan);
  const accounts = { ...chunk(undefined), choices: [], usage };
  const end: Event[] = random.below(2) === 0 ? [{ ...last, usage }] : [last, accounts];
  return {
    before: withNoise(deltas.map((delta) => chunk(delta)), noise, random),
    end: random.below(6) === 0 ? end : [...end, "[DONE]"],
  };
}

/** The pieces of all calls: by number, in any order once all have begun, or without numbers one call after the other. */
function callDeltas({ calls }: ReplyPlan, random: Random): unknown[] {
  // Without numbers nobody can tell where a call ends whose arguments do not.
  const needsNumbers = calls.slice(0, -1).some(({ input }) => input === undefined);
  const isNumbered = random.below(4) > 0 || needsNumbers;
  const repeats = random.below(5) === 0;
  const deltas = calls.map(({ id, name, json }, i) => {
    const index = isNumbered ? { index: i } : {};
    const head = { ...index, id, type: "function", function: { name, arguments: "" } };
    const more = pieces(json, random).map((piece) =>
      repeats ? { ...head, function: { name, arguments: piece } } : { ...index, function: { arguments: piece } }
    );
    return [head, ...more].map((call) => ({ tool_calls: [call] }));
  });
  if (!isNumbered || random.below(2) === 0) return deltas.flat();
  return [...deltas.map(([head]) => head), ...merged(deltas.map(([, ...more]) => more), random)];
}

function messagesEvents(plan: ReplyPlan, random: Random): Events {
  const { input, cacheRead, output } = plan.usage;
  const told = { input_tokens: input, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: 0 };
  const tellsLate = random.below(4) === 0;
  const events: Event[] = [{
    type: "message_start",
    message: {
      type: "message",
      role: "assistant",
      content: [],
      model: "m",
      stop_reason: null,
      usage: tellsLate ? random.pick([null, { input_tokens: 0, output_tokens: 0 }]) : { ...told, output_tokens: 1 },
    },
  }];
  let index = 0;
  const block = (content_block: unknown, deltas: unknown[]) => {
    events.push({ type: "content_block_start", index, content_block });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
    index++;
  };
  if (plan.thinking !== "") {
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces(plan.thinking, random).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: "c2ln" },
    ]);
  }
  if (random.below(8) === 0) {
    block({ type: "server_tool_use", id: "s", name: "web_search", input: {} }, [{
      type: "input_json_delta",
      partial_json: "{}",
    }]);
  }
  if (plan.text !== "") {
    block({ type: "text", text: "" }, pieces(plan.text, random).map((text) => ({ type: "text_delta", text })));
  }
  for (const { id, name, json } of plan.calls) {
    block(
      { type: "tool_use", id, name, input: {} },
      pieces(json, random).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    );
  }
  const noise: Event[] = [{ type: "ping" }, { type: "brand_new", index: 0 }, {
    type: "message_delta",
    delta: {},
    usage: { output_tokens: 1 },
  }];
  const usage = { output_tokens: output, ...(tellsLate && told) };
  const [first, ...rest] = events;
  const last = { type: "message_delta", delta: { stop_reason: stopReason(plan), stop_sequence: null }, usage };
  return { before: [first!, ...withNoise(rest, noise, random)], end: [last, { type: "message_stop" }] };
}

/** Several sequences as one, each in its own order. */
function merged<T>(sequences: readonly (readonly T[])[], random: Random): T[] {
  const left = sequences.filter((sequence) => sequence.length > 0).map((sequence) => [...sequence].reverse());
  const out: T[] = [];
  while (left.length > 0) {
    const i = random.below(left.length);
    out.push(left[i]!.pop()!);
    if (left[i]!.length === 0) left.splice(i, 1);
  }
  return out;
}

function withNoise(events: readonly Event[], noise: readonly Event[], random: Random): Event[] {
  return events.flatMap((event) => random.below(8) === 0 ? [random.pick(noise), event] : [event]);
}
