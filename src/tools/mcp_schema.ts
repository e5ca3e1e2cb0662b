/**
 * What a server says of its tools, made such that every model service takes it: one bad tool must not spoil the
 * requests of all.
 *
 * @module
 */

import type { JsonSchema } from "../llm/types.ts";
import { isObject } from "./mcp_message.ts";

/** A tool as its server describes it. */
export interface ServerToolInfo {
  /** The server's own name of it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

const MAX_NAME_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 2000;
const MAX_SCHEMA_CHARS = 32_000;
/** The services refuse these at the top of a schema. */
const REFUSED_ON_TOP = ["oneOf", "anyOf", "allOf", "not", "enum"];

/**
 * Reads a list of tools, in a fixed order: a server may give another one each time. What is no tool is left out.
 *
 * @param clean Takes secrets and control characters out of a text.
 */
export function readTools(list: readonly unknown[], clean: (text: string) => string): ServerToolInfo[] {
  const tools = new Map<string, ServerToolInfo>();
  for (const item of list) {
    if (!isObject(item)) continue;
    const { name, description, inputSchema } = item;
    if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS || tools.has(name)) continue;
    tools.set(name, {
      name,
      description: shorten(clean(typeof description === "string" ? description : "").trim()),
      inputSchema: readSchema(inputSchema, clean),
    });
  }
  return [...tools.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** What is wrong with the arguments of a call, as far as can be said without the server. */
export function inputProblem(schema: JsonSchema, input: unknown): string | undefined {
  if (!isObject(input)) return "the arguments must be a JSON object";
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = required.filter((name) => typeof name === "string" && !Object.hasOwn(input, name));
  return missing.length === 0 ? undefined : missing.map((name) => `"${name}" is missing`).join("; ");
}

function shorten(text: string): string {
  return text.length <= MAX_DESCRIPTION_CHARS ? text : `${text.slice(0, MAX_DESCRIPTION_CHARS - 1).toWellFormed()}…`;
}

function readSchema(schema: unknown, clean: (text: string) => string): JsonSchema {
  const empty = { type: "object", properties: {} };
  if (!isObject(schema) || (schema["type"] !== undefined && schema["type"] !== "object")) return empty;
  const isProse = (key: string, value: unknown) =>
    (key === "description" || key === "title") && typeof value === "string";
  let copy: Record<string, unknown>;
  try {
    const text = JSON.stringify(schema, (key, value) => isProse(key, value) ? clean(value) : value);
    if (text.length > MAX_SCHEMA_CHARS) return empty;
    copy = JSON.parse(text);
  } catch {
    return empty; // nested deeper than can be written
  }
  for (const key of REFUSED_ON_TOP) delete copy[key];
  return { type: "object", ...copy, ...(!isObject(copy["properties"]) && { properties: {} }) };
}
