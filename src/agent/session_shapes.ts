/**
 * What must hold of a line of a session file before it is used: the rest of the program trusts what is in it.
 *
 * @module
 */

import type { SessionHeader, SessionRecord, Stamped } from "./session_records.ts";

type Fields = Record<string, unknown>;
type Shape = (fields: Fields) => boolean;

const SHAPES: Record<SessionRecord["type"], Shape> = {
  user: ({ content }) => areBlocks(content),
  note: ({ content }) => areBlocks(content),
  partial: ({ content }) => areBlocks(content),
  reply: ({ response, charge }) =>
    isObject(response) && isText(response.model ?? "") && areBlocks(response.content) && isUsage(response.usage) &&
    isCharge(charge),
  intent: ({ id }) => typeof id === "string",
  result: ({ block, seen }) => isResult(block) && (seen === undefined || isListOf(seen, isSeenFile)),
  compaction: ({ messages, usage, charge }) => isListOf(messages, isMessage) && isUsage(usage) && isCharge(charge),
  reset: () => true,
  prefix: ({ prefix }) => isPrefix(prefix),
  charge: ({ usage, charge }) => isUsage(usage) && isCharge(charge),
  title: ({ title }) => typeof title === "string",
  change: ({ path, before }) => typeof path === "string" && (before === null || isFileBefore(before)),
  written: ({ path, hash }) => isText(path) && isText(hash),
  touched: ({ paths, more }) => isListOf(paths, isText) && typeof more === "number",
  undo: ({ fromTurn, paths }) => typeof fromTurn === "number" && isListOf(paths, isText),
  rewind: ({ turn }) => typeof turn === "number",
};

/** Whether a parsed line can be used as a record. */
export function isRecord(value: unknown): value is Stamped {
  return isStamped(value) && Object.hasOwn(SHAPES, value.type) && SHAPES[value.type as SessionRecord["type"]](value);
}

/** Whether a parsed line is a record of a kind that only a later version knows. */
export function isLaterRecord(value: unknown): boolean {
  return isStamped(value) && !Object.hasOwn(SHAPES, value.type);
}

/** Whether a parsed line is a header. */
export function isHeader(value: unknown): value is SessionHeader {
  return isObject(value) && value.type === "session" && Number.isInteger(value.version) &&
    ["id", "cwd", "createdAt", "model", "mode"].every((name) => isText(value[name]));
}

function isStamped(value: unknown): value is Fields & { type: string } {
  return isObject(value) && isText(value.type) && isText(value.at) && !Number.isNaN(Date.parse(value.at));
}

function areBlocks(value: unknown): boolean {
  return isListOf(value, isBlock);
}

function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (value.type) {
    case "text":
    case "thinking":
      return isText(value.text);
    case "tool_use":
      return isText(value.id) && isText(value.name) && isObject(value.input);
    case "tool_result":
      return isResult(value);
    default:
      return isText(value.type);
  }
}

function isResult(value: unknown): boolean {
  return isObject(value) && isText(value.toolUseId) && isText(value.content);
}

function isMessage(value: unknown): boolean {
  return isObject(value) && isText(value.role) && areBlocks(value.content);
}

function isUsage(value: unknown): boolean {
  const counts = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];
  return isObject(value) && counts.every((name) => typeof value[name] === "number");
}

/** Absent where no money was counted. */
function isCharge(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || !isText(value.model) || !isText(value.day)) return false;
  const { cost } = value;
  const sums = ["total", "miss", "hit", "output"];
  return cost === undefined || (isObject(cost) && sums.every((name) => typeof cost[name] === "number"));
}

function isSeenFile(value: unknown): boolean {
  return isObject(value) && isText(value.path);
}

function isFileBefore(value: unknown): boolean {
  return isObject(value) && isText(value.hash);
}

function isPrefix(value: unknown): boolean {
  return isObject(value) && ["model", "mode", "system"].every((name) => isText(value[name])) &&
    isListOf(value.tools, (tool) => isObject(tool) && isText(tool.name)) && isListOf(value.roots, isText);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
