/**
 * The arguments of a call as a model wrote them. Nothing is repaired: a call that was meant otherwise must not run.
 *
 * @module
 */

import type { ToolUseBlock } from "./types.ts";

/** Arguments of a call as they came from a service. */
export interface RawCall {
  id: string;
  name: string;
  /** The joined text of the arguments; an empty one, or `null`, is a call without arguments. */
  json: string;
  /** Whether the output limit ended the reply before this call was known to be whole. */
  isCut?: boolean;
}

const MAX_EXCERPT = 80;
const MAX_NAME = 200;
/** Deeper arguments are refused: to write them down again would need a recursion as deep. */
const MAX_DEPTH = 100;

/**
 * Reads a call. One that cannot run gets a sentence for the model in `invalid`, and empty arguments: those can be sent
 * back to every service.
 */
export function readCall({ id, name: written, json, isCut = false }: RawCall): ToolUseBlock {
  const name = written.trim().slice(0, MAX_NAME).toWellFormed();
  const isEmpty = /^\s*(null\s*)?$/.test(json);
  const whole = parseObject(isEmpty && !isCut ? "{}" : json);
  if (typeof whole === "object") return { type: "tool_use", id, name, input: whole };
  const reason = isCut
    ? "its arguments were cut off by the output limit; nothing was done, send it again in smaller pieces"
    : `${whole}; nothing was done, send the arguments as one JSON object`;
  return { type: "tool_use", id, name, input: {}, invalid: `Cannot call ${name}: ${reason}` };
}

/** The object in a text, or what is wrong with it. */
function parseObject(json: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return `its arguments are not valid JSON (${error instanceof Error ? error.message.slice(0, 200) : error})`;
  }
  if (isDeeper(value, MAX_DEPTH)) return `its arguments are nested more than ${MAX_DEPTH} levels deep`;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const shown = json.length > MAX_EXCERPT ? `${json.slice(0, MAX_EXCERPT).toWellFormed()}…` : json;
  return `its arguments must be a JSON object, not ${shown}`;
}

/** Whether a value is nested more deeply than this. Goes level by level: a recursion could be as deep as the value. */
function isDeeper(value: unknown, levels: number): boolean {
  const isNest = (item: unknown): item is object => typeof item === "object" && item !== null;
  let nests = [value].filter(isNest);
  for (let depth = 0; depth < levels && nests.length > 0; depth++) {
    nests = nests.flatMap((nest) => Object.values(nest).filter(isNest));
  }
  return nests.length > 0;
}
