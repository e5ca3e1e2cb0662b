/**
 * Finds what is wrong with a JSON Schema before an answer is asked for: no answer would ever fit.
 *
 * @module
 */

import type { JsonSchema } from "../llm/types.ts";
import { isObject, pathStep, target } from "./json_value.ts";

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Keywords that hold one schema, a list of them, or named ones. */
const ONE = ["items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"];
const LISTS = ["prefixItems", "allOf", "anyOf", "oneOf"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];
const MAX_DEPTH = 100;

/**
 * Says what no value can fit: a type that there is not, a reference to nothing.
 *
 * @returns A sentence that begins with the place in the schema, or `undefined` if nothing is wrong.
 * @example
 * ```ts
 * console.assert(schemaProblem({ type: "strin" }) === '$: "strin" is no type, the types are object, array, string, ' +
 *   "number, integer, boolean, null");
 * ```
 */
export function schemaProblem(schema: JsonSchema): string | undefined {
  return problemOf(schema, { root: schema, path: "$", depth: 0 });
}

interface Place {
  root: JsonSchema;
  path: string;
  depth: number;
}

function problemOf(schema: unknown, { root, path, depth }: Place): string | undefined {
  if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
  const { type, $ref } = schema;
  const unknown = [type].flat().find((name) => name !== undefined && !TYPES.includes(name as string));
  if (unknown !== undefined) return `${path}: ${JSON.stringify(unknown)} is no type, the types are ${TYPES.join(", ")}`;
  if (typeof $ref === "string" && target($ref, root) === false) {
    return `${path}: "${$ref}" points to nothing in the schema`;
  }
  const inner = (part: unknown, ...steps: (string | number)[]) =>
    problemOf(part, { root, path: path + steps.map(pathStep).join(""), depth: depth + 1 });
  for (const keyword of ONE) {
    const problem = inner(schema[keyword], keyword);
    if (problem) return problem;
  }
  for (const keyword of [...LISTS, ...NAMED]) {
    const parts = schema[keyword];
    const isList = LISTS.includes(keyword);
    if (isList ? !Array.isArray(parts) : !isObject(parts)) continue;
    for (const [name, part] of Object.entries(parts as object)) {
      const problem = inner(part, keyword, isList ? Number(name) : name);
      if (problem) return problem;
    }
  }
  return undefined;
}
