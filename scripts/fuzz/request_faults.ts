/**
 * What a strict service would refuse in a request, for both protocols. Written from the protocols' rules alone: it
 * shares no code with what it judges.
 *
 * @module
 */

import type { Wire } from "./wire_replies.ts";

// deno-lint-ignore no-explicit-any -- a request from the wire
type Json = any;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Says what is wrong with the body of a request; empty if nothing is. */
export function requestFaults(wire: Wire, body: Json): string[] {
  if (!Array.isArray(body?.messages) || body.messages.length === 0) return ["there are no messages"];
  const faults = wire === "chat" ? chatFaults(body) : messagesFaults(body);
  JSON.stringify(body, (key, value) => {
    if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) faults.push("half a character");
    return value;
  });
  return faults;
}

function chatFaults({ messages }: Json): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  let last = "";
  for (const [i, { role, content, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    const fault = (text: string) => void faults.push(`message ${i} (${role}): ${text}`);
    if (typeof content !== "string") fault("its content is no text");
    if (role === "tool") {
      if (open.shift() !== id) fault("a result out of place");
      if (String(content).trim() === "") fault("an empty result");
      last = role;
      continue;
    }
    if (open.length > 0) fault(`the calls ${open} have no result`);
    open = (calls ?? []).map((call: Json) => call.id);
    if (new Set(open).size < open.length) fault("two calls with one id");
    for (const call of calls ?? []) {
      if (!NAME.test(call.id) || !NAME.test(call.function.name)) fault(`the names ${call.id}, ${call.function.name}`);
      if (!isObject(parse(call.function.arguments))) fault(`the arguments ${call.function.arguments}`);
    }
    if (role === "system" ? i > 0 : !["user", "assistant"].includes(role)) fault("an unexpected role");
    if (role === last && role !== "system") fault("the same role twice");
    if (role === "assistant" && ["", "system"].includes(last)) fault("it comes before any user");
    if (String(content).trim() === "" && open.length === 0) fault("it is empty");
    last = role;
  }
  if (open.length > 0) faults.push(`the calls ${open} have no result`);
  return faults;
}

function messagesFaults({ messages, max_tokens, ...rest }: Json): string[] {
  const faults: string[] = [];
  if (!Number.isInteger(max_tokens)) faults.push("there is no max_tokens");
  if (JSON.stringify([messages, rest]).split('"cache_control"').length > 5) {
    faults.push("more than four marks for the cache");
  }
  const used = new Set<string>();
  let open: string[] = [];
  for (const [i, { role, content }] of messages.entries()) {
    const fault = (text: string) => void faults.push(`message ${i} (${role}): ${text}`);
    if (role !== ["user", "assistant"][i % 2]) fault("the wrong role");
    if (content.length === 0) fault("it is empty");
    if (role === "assistant" && /thinking/.test(content.at(-1)?.type)) fault("it ends in thinking");
    const results = content.filter((block: Json) => block.type === "tool_result").map((block: Json) =>
      block.tool_use_id
    );
    if (results.toSorted().join() !== open.toSorted().join()) fault(`the calls are ${open}, the results ${results}`);
    if (content.slice(0, results.length).some((block: Json) => block.type !== "tool_result")) {
      fault("a result is not in front");
    }
    open = [];
    for (const block of content) {
      if (block.type === "text" && block.text.trim() === "") fault("an empty text");
      if (block.type === "tool_result" && block.content.length === 0) fault("an empty result");
      if (block.type === "thinking" && !block.signature) fault("thinking without signature");
      if (block.type !== "tool_use") continue;
      if (!NAME.test(block.id) || !NAME.test(block.name)) fault(`the names ${block.id}, ${block.name}`);
      if (!isObject(block.input)) fault("arguments that are no object");
      if (used.has(block.id)) fault(`the id ${block.id} a second time`);
      used.add(block.id);
      open.push(block.id);
    }
  }
  if (open.length > 0) faults.push(`the calls ${open} have no result`);
  return faults;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
