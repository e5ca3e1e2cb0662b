/**
 * The history as a service accepts it. A crash, an interrupt, another model or an older version may leave calls without
 * results, empty messages or two messages of one role; every service answers such a request with an error, for ever.
 *
 * @module
 */

import { cleanBlock, numberedId, wireId } from "./clean_block.ts";
import { isRecord } from "./json.ts";
import type { Block, Message, ToolResultBlock } from "./types.ts";

/** The result of a call that got none. */
export const UNKNOWN_RESULT =
  "The call was interrupted and has no known result: it may have run whole, in part or not at all. Check before you repeat it";

/** Stands where the first user message is lost. */
const LOST_BEGINNING = "(the beginning of this conversation is lost)";

/** A message in the making: its blocks without the results, which wait at their calls. */
interface Draft {
  role: Message["role"];
  blocks: Block[];
  calls: Call[];
}

/** A call and the result that was found for it. */
interface Call {
  id: string;
  result?: ToolResultBlock;
}

/** Who may say what. */
const BLOCKS: Record<Message["role"], readonly Block["type"][]> = {
  user: ["text", "image"],
  assistant: ["text", "thinking", "tool_use"],
};

/**
 * Makes a history fit to be sent: it begins with the user, roles alternate, each call is answered exactly once in the
 * message directly after it and in the order of the calls, ids are unique, names and ids are valid, nothing is empty
 * and no text holds half a character.
 *
 * Messages that are sound stay as they are, and what is mended depends only on what stands before it and on the
 * results of its own calls: the requests of a conversation keep a common prefix. Mending twice changes nothing more.
 *
 * @param messages The history; may hold anything that JSON can hold.
 * @returns The very same array if nothing is wrong with it.
 * @example
 * ```ts
 * const call = { type: "tool_use" as const, id: "c1", name: "list_files", input: {} };
 * const mended = mendHistory([
 *   { role: "user", content: [{ type: "text", text: "What is here?" }] },
 *   { role: "assistant", content: [call] },
 * ]);
 * console.assert(mended[2]?.content[0]?.type === "tool_result");
 * ```
 */
export function mendHistory(messages: readonly Message[]): Message[] {
  const mended = withResults(withoutEmpty(readDrafts(messages)));
  return isSame(messages, mended) ? messages as Message[] : mended;
}

/** Sorts all usable blocks into messages, and the results to their calls. */
function readDrafts(messages: readonly Message[]): Draft[] {
  const drafts: Draft[] = [];
  const waiting = new Map<string, Iterator<Call, undefined>>();
  const ownId = idMaker();
  for (const message of arrayOf(messages)) {
    const { role, blocks } = readMessage(message);
    const draft: Draft = { role, blocks: [], calls: [] };
    const namesakes = new Map<string, Call[]>();
    for (const block of blocks) {
      if (!BLOCKS[role].includes(block.type)) continue;
      if (block.type !== "tool_use") {
        draft.blocks.push(block);
        continue;
      }
      const call: Call = { id: ownId(block.id) };
      draft.blocks.push(call.id === block.id ? block : { ...block, id: call.id });
      draft.calls.push(call);
      const calls = namesakes.get(block.id);
      if (calls) calls.push(call);
      else namesakes.set(block.id, [call]);
    }
    // Some services count their ids from the start in every reply: a result belongs to the latest call of its id.
    for (const [id, calls] of namesakes) waiting.set(id, calls.values());
    for (const block of blocks) {
      if (block.type !== "tool_result") continue;
      const call = waiting.get(block.toolUseId)?.next().value;
      if (call) call.result = block.toolUseId === call.id ? block : { ...block, toolUseId: call.id };
    }
    append(drafts, draft);
  }
  return drafts;
}

/** A message as far as it can be used; what is none becomes an empty one. */
function readMessage(message: unknown): { role: Message["role"]; blocks: Block[] } {
  const { role, content } = isRecord(message) ? message : {};
  if (role !== "user" && role !== "assistant") return { role: "user", blocks: [] };
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : arrayOf(content);
  return { role, blocks: blocks.flatMap((block) => usable(block) ?? []) };
}

/** Blocks that need no mending. Each request looks at the whole history again, and blocks do not change. */
const sound = new WeakSet<Block>();

function usable(block: unknown): Block | undefined {
  if (sound.has(block as Block)) return block as Block;
  const clean = cleanBlock(block);
  if (clean && clean === block) sound.add(clean);
  return clean;
}

/** Merges neighbours of one role; but calls end a message, since their results come next. */
function append(drafts: Draft[], draft: Draft): void {
  const last = drafts.at(-1);
  if (draft.blocks.length === 0) return;
  if (last?.role !== draft.role || last.calls.length > 0) return void drafts.push(draft);
  for (const block of draft.blocks) last.blocks.push(block);
  last.calls = draft.calls;
}

/** Gives each call an id of its own: its old one if that is valid and free. */
function idMaker(): (id: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    const base = wireId(id);
    let free = base;
    let count = counts.get(base) ?? 1;
    while (taken.has(free)) free = numberedId(base, ++count);
    counts.set(base, count);
    taken.add(free);
    return free;
  };
}

/** Leaves out thinking that led to nothing, which services refuse at the end of a message, and what is empty then. */
function withoutEmpty(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts) {
    while (draft.blocks.at(-1)?.type === "thinking") draft.blocks.pop();
    append(kept, draft);
  }
  return kept;
}

/** Puts the results in front of what follows their calls. */
function withResults(drafts: readonly Draft[]): Message[] {
  const messages: Message[] = [];
  if (drafts[0]?.role === "assistant") {
    messages.push({ role: "user", content: [{ type: "text", text: LOST_BEGINNING }] });
  }
  let results: Block[] = [];
  for (const { role, blocks, calls } of drafts) {
    if (role === "user") {
      messages.push({ role, content: [...results, ...blocks] });
    } else {
      if (results.length > 0) messages.push({ role: "user", content: results });
      messages.push({ role, content: blocks });
    }
    results = calls.map((call) => call.result ?? unknownResult(call.id));
  }
  if (results.length > 0) messages.push({ role: "user", content: results });
  return messages;
}

function unknownResult(toolUseId: string): ToolResultBlock {
  return { type: "tool_result", toolUseId, content: UNKNOWN_RESULT, isError: true };
}

function isSame(before: readonly Message[], after: readonly Message[]): boolean {
  return Array.isArray(before) && before.length === after.length && after.every(({ role, content }, i) => {
    const message = before[i];
    return message?.role === role && Array.isArray(message.content) && message.content.length === content.length &&
      content.every((block, j) => block === message.content[j]);
  });
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Says what a service would refuse in a history; empty if it is sound. Shares no code with {@linkcode mendHistory}, so
 * that tests can judge one by the other.
 */
export function historyFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  for (const [i, { role, content }] of messages.entries()) {
    const fault = (text: string) => void faults.push(`message ${i}: ${text}`);
    if (role !== (i % 2 === 0 ? "user" : "assistant")) fault(`the role is "${role}"`);
    if (content.length === 0) fault("it is empty");
    if (role === "assistant" && content.at(-1)?.type === "thinking") fault("it ends in thinking");
    const results = content.flatMap((block) => block.type === "tool_result" ? block.toolUseId : []);
    if (results.join() !== open.join()) fault(`the calls are [${open}], the results [${results}]`);
    if (content.slice(0, results.length).some((b) => b.type !== "tool_result")) fault("a result is not in front");
    open = [];
    for (const block of content) {
      const ofUser = block.type === "tool_result" || block.type === "image";
      const ofAssistant = block.type === "tool_use" || block.type === "thinking";
      if (role === "user" ? ofAssistant : ofUser) fault(`a ${block.type} from the ${role}`);
      if (block.type === "text" && block.text.trim() === "") fault("an empty text");
      if (block.type === "tool_result" && block.content.trim() === "") fault("an empty result");
      if (block.type !== "tool_use") continue;
      if (used.has(block.id)) fault(`the id "${block.id}" a second time`);
      if (!/^[\w-]{1,40}$/.test(block.id)) fault(`the id "${block.id}" as it is`);
      if (!/^[\w-]{1,64}$/.test(block.name)) fault(`the name "${block.name}"`);
      if (Object.prototype.toString.call(block.input) !== "[object Object]") fault("arguments that are no object");
      used.add(block.id);
      open.push(block.id);
    }
  }
  if (open.length > 0) faults.push(`the calls [${open}] have no result`);
  try {
    JSON.stringify(messages, (key, value) => {
      if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) faults.push("half a character");
      return value;
    });
  } catch (error) {
    faults.push(`it cannot be written as JSON: ${error}`);
  }
  return faults;
}
