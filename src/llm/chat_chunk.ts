/**
 * The parts of one chunk of the chat-completions protocol, in the forms that services give them.
 *
 * @module
 */

import { isRecord } from "./json.ts";

/** One reply is asked for: what a service says of another choice belongs to none of it. */
export function firstChoice(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined || index === null);
}

/** Content is a text, or a list of parts of several kinds. */
export function readContent(content: unknown): { text: string; thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  let text = "";
  let thinking = "";
  for (const part of Array.isArray(content) ? content : []) {
    if (typeof part === "string") text += part;
    if (!isRecord(part)) continue;
    if (typeof part.text === "string" && part.type !== "reasoning") text += part.text;
    const thought = part.type === "reasoning" ? part.text : part.thinking;
    if (thought !== undefined) thinking += readContent(thought).text;
  }
  return { text, thinking };
}

/** The words of a list of reasoning parts, as one gateway sends them beside or in place of a text. */
export function readDetails(details: unknown): string {
  const parts = Array.isArray(details) ? details.filter(isRecord) : [];
  return parts.map(({ text, summary }) => [text, summary].find((words) => typeof words === "string") ?? "").join("");
}
