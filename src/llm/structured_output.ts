/**
 * A JSON Schema as services enforce it: a part of the language only, and every object closed. What is left out is
 * checked afterwards.
 *
 * @module
 */

import type { JsonSchema } from "./types.ts";

/** Keywords that are enforced as they stand. */
const PLAIN = ["type", "description", "title", "enum", "const", "required", "format"];

/** Formats that are enforced; others are an error. */
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/**
 * Makes of a schema one that a service can enforce. Whatever fits the result fits the schema, but for the limits on
 * numbers, lengths and patterns, which are left out.
 *
 * @returns `undefined` if the schema holds what cannot be enforced: references, open objects, `allOf`, `not`, `if`.
 */
export function enforceableSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    return strict(schema, 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function strict(schema: unknown, depth: number): JsonSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw cannot("a schema that is no object");
  }
  if (depth > 20) throw cannot("too many levels");
  const given = schema as JsonSchema;
  for (const keyword of ["$ref", "allOf", "not", "if", "patternProperties", "prefixItems", "dependentSchemas"]) {
    if (keyword in given) throw cannot(keyword);
  }
  const out: Record<string, unknown> = {};
  for (const keyword of PLAIN) if (keyword in given) out[keyword] = given[keyword];
  if (!FORMATS.includes(String(given.format))) delete out.format;
  const choices = given.anyOf ?? given.oneOf;
  if (choices !== undefined && given.properties !== undefined) throw cannot("choices beside properties");
  if (Array.isArray(choices)) out.anyOf = choices.map((part) => strict(part, depth + 1));
  if ("items" in given) out.items = strict(given.items, depth + 1);
  if (given.properties !== undefined || [given.type].flat().includes("object")) {
    if (given.properties === undefined || given.additionalProperties) throw cannot("an open object");
    const properties = Object.entries(given.properties as JsonSchema);
    out.properties = Object.fromEntries(properties.map(([name, part]) => [name, strict(part, depth + 1)]));
    out.additionalProperties = false;
  }
  return out;
}

function cannot(what: string): RangeError {
  return new RangeError(`Cannot enforce the schema: ${what}`);
}
