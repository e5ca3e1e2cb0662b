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
  /** The joined text of the arguments; an empty one is a call without arguments. */
  json: string;
  /** Whether the output limit ended the reply before this call was known to be whole. */
  isCut?: boolean;
}

const MAX_EXCERPT = 80;

/**
 * Reads a call. One that cannot run gets a sentence for the model in `invalid`, and empty arguments: those can be sent
 * back to every service.
 */
export function readCall({ id, name, json, isCut = false }: RawCall): ToolUseBlock {
  const whole = parseObject(json.trim() === "" && !isCut ? "{}" : json);
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
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const shown = json.length > MAX_EXCERPT ? `${json.slice(0, MAX_EXCERPT).toWellFormed()}…` : json;
  return `its arguments must be a JSON object, not ${shown}`;
}
