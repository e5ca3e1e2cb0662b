/**
 * Makes a conversation shorter: the older part becomes a summary, which the model writes itself. The request for it
 * begins with the very bytes of the request before, so the service has all of that in its cache.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";
import type { Block, Message, TextBlock } from "../llm/types.ts";
import { TODO_MARK, todoText } from "./compaction_todos.ts";
import instruction from "./compaction.md" with { type: "text" };

/** The most recent steps that are kept word for word, as a share of the history. */
const KEPT_SHARE = 0.15;
/** The last step is kept up to this share: the model is in the middle of it. */
const LAST_STEP_SHARE = 0.4;
/** Where the history does not fit into the request for its summary, half of it is tried, then a quarter. */
const MAX_TRIES = 3;

const SUMMARY_MARK = "[Summary of the conversation so far, which was too long to be kept whole]";

/** How a history is made shorter. */
export interface CompactionOptions {
  /** What the summary must look at in particular. */
  focus?: string | undefined;
  /**
   * Asks the model with these messages and returns the text of its reply.
   *
   * @throws {ApiError} Of the kind `overflow` if they do not fit.
   */
  ask(messages: Message[]): Promise<string>;
}

/**
 * Makes a history shorter. Every user message, the most recent steps, the todo list and what was not answered yet are
 * kept; calls and their results stay together.
 *
 * @param history Sound.
 * @returns `undefined` if there is nothing that could be left out.
 * @throws {ApiError} If the model cannot be asked, for another reason than the length of the history.
 */
export async function compact(history: readonly Message[], options: CompactionOptions): Promise<Message[] | undefined> {
  const { done, pending } = splitPending(history);
  const cut = findCut(done);
  const older = done.slice(0, cut);
  if (!older.some(({ role }) => role === "assistant")) return undefined;
  const summary = await summarise(done, older, options);
  const todos = todoText(older);
  const first: Block[] = [...userBlocks(older), text(`${SUMMARY_MARK}\n\n${summary}`), ...(todos ? [text(todos)] : [])];
  const messages: Message[] = [{ role: "user", content: first }, ...done.slice(cut)];
  const last = messages.at(-1)!;
  if (pending.length === 0) return messages;
  if (last.role === "assistant") return [...messages, { role: "user", content: pending }];
  return [...messages.slice(0, -1), { role: "user", content: [...last.content, ...pending] }];
}

/** Whether a request asks for a summary. */
export function isSummaryRequest(messages: readonly Message[]): boolean {
  const last = messages.at(-1)?.content.at(-1);
  return last?.type === "text" && last.text.startsWith(instruction.trim());
}

/** Takes off what the person said last and the model has not answered: it may be what makes the history too long. */
function splitPending(history: readonly Message[]): { done: Message[]; pending: Block[] } {
  const last = history.at(-1);
  if (last?.role !== "user") return { done: [...history], pending: [] };
  const results = last.content.filter(({ type }) => type === "tool_result");
  const pending = last.content.filter(({ type }) => type !== "tool_result");
  const answers: Message[] = results.length > 0 ? [{ role: "user", content: results }] : [];
  return { done: [...history.slice(0, -1), ...answers], pending };
}

/** Where the part begins that is kept word for word: at a reply, so that each result keeps its call. */
function findCut(done: readonly Message[]): number {
  const sizes = done.map(sizeOf);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let cut = done.length;
  let kept = 0;
  for (let i = done.length - 1; i > 0; i--) {
    kept += sizes[i]!;
    if (kept > whole * (cut === done.length ? LAST_STEP_SHARE : KEPT_SHARE)) break;
    if (done[i]!.role === "assistant") cut = i;
  }
  // where there is but one step, it goes too: something must
  return done.slice(0, cut).some(({ role }) => role === "assistant") ? cut : done.length;
}

/** The summary of the older part; where the model cannot give one, what was called. */
async function summarise(
  done: readonly Message[],
  older: readonly Message[],
  { focus, ask }: CompactionOptions,
): Promise<string> {
  const wish = instruction.trim() + (focus ? `\n\nLook in particular at this: ${focus}` : "");
  let covered = done;
  for (let attempt = 0; attempt < MAX_TRIES && covered.length > 0; attempt++) {
    try {
      const summary = (await ask(withInstruction(covered, wish))).trim();
      const rest = older.slice(covered.length);
      if (summary !== "") return rest.length > 0 ? `${summary}\n\n${callList(rest)}` : summary;
      break;
    } catch (error) {
      if (error instanceof ApiError && error.kind === "empty_reply") break;
      if (!(error instanceof ApiError) || error.kind !== "overflow") throw error;
      covered = done.slice(0, replyBefore(done, Math.floor(covered.length / 2)));
    }
  }
  return callList(older);
}

/** The number of messages up to a reply at or before this place, the reply left out. */
function replyBefore(messages: readonly Message[], place: number): number {
  while (place > 0 && messages[place]?.role !== "assistant") place--;
  return place;
}

function withInstruction(messages: readonly Message[], wish: string): Message[] {
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: [text(wish)] }];
  return [...messages.slice(0, -1), { role: "user", content: [...last.content, text(wish)] }];
}

/** What the person said, in their own words. Earlier summaries go: the new one has read them. */
function userBlocks(messages: readonly Message[]): Block[] {
  const blocks = messages.flatMap(({ role, content }) => role === "user" ? content : []);
  return blocks.filter((block) =>
    block.type === "image" ||
    (block.type === "text" && !block.text.startsWith(SUMMARY_MARK) && !block.text.startsWith(TODO_MARK))
  );
}

/** What was called, for as long as there is nothing better. */
function callList(messages: readonly Message[]): string {
  const calls = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_use");
  const lines = calls.slice(-MAX_CALLS).map(({ name, input }) => `- ${name} ${JSON.stringify(input).slice(0, 200)}`);
  return ["There is no summary of these calls, and their results are lost:", ...lines].join("\n");
}

const MAX_CALLS = 100;

function sizeOf({ content }: Message): number {
  return JSON.stringify(content).length;
}

function text(content: string): TextBlock {
  return { type: "text", text: content };
}
