/**
 * Checks a value against a JSON Schema, as far as answers of a model need it: the vocabulary of draft 2020-12 below.
 *
 * - any value: `type` (also a list), `enum`, `const`, `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`, `$ref` to a
 *   place in the same schema, `true` and `false` as schemas
 * - objects: `properties`, `patternProperties`, `additionalProperties`, `propertyNames`, `required`,
 *   `dependentRequired`, `minProperties`, `maxProperties`
 * - arrays: `prefixItems`, `items`, `contains`, `minItems`, `maxItems`, `uniqueItems`
 * - strings: `minLength`, `maxLength` (in characters), `pattern`
 * - numbers: `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`
 *
 * Other keywords say nothing, as the standard has it.
 *
 * @module
 */

import type { JsonSchema } from "../llm/types.ts";
import {
  asNames,
  canonical,
  isMultiple,
  isObject,
  isOfType,
  type Json,
  matches,
  pathStep,
  shown,
  target,
  withArticle,
} from "./json_value.ts";

/** Where a check stands: what `$ref` starts from, the path for messages, and what may still be spent. */
interface Place {
  root: unknown;
  path: string;
  depth: number;
  budget: { checks: number };
}

const MAX_PROBLEMS = 20;
const MAX_DEPTH = 200;
/** References may multiply: beyond this a schema is refused, lest a check never ends. */
const MAX_CHECKS = 100_000;

/**
 * Says what is wrong with a value.
 *
 * @returns One sentence a problem, each beginning with the place in the value (`$` is the whole of it), 20 at most;
 * empty if the value fits.
 * @example
 * ```ts
 * const schema = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
 * console.assert(validateJson(schema, { age: "3" })[0] === '$.age: must be an integer, not "3"');
 * ```
 */
export function validateJson(schema: JsonSchema, value: unknown): string[] {
  return check(schema, value, { root: schema, path: "$", depth: 0, budget: { checks: MAX_CHECKS } })
    .slice(0, MAX_PROBLEMS);
}

function check(schema: unknown, value: unknown, place: Place): string[] {
  if (schema === false) return [`${place.path}: must not be there`];
  if (!isObject(schema)) return [];
  if (place.depth > MAX_DEPTH || place.budget.checks-- <= 0) {
    return [`${place.path}: the schema is too deep to be checked`];
  }
  const problems = [
    ...checkType(schema, value, place),
    ...checkCombined(schema, value, place),
  ];
  if (isObject(value)) problems.push(...checkObject(schema, value, place));
  if (Array.isArray(value)) problems.push(...checkArray(schema, value, place));
  if (typeof value === "string") problems.push(...checkString(schema, value, place));
  if (typeof value === "number") problems.push(...checkNumber(schema, value, place));
  return problems;
}

function checkType({ type, enum: options, const: only, ...rest }: Json, value: unknown, { path }: Place): string[] {
  const types = [type].flat().filter((name) => typeof name === "string");
  if (types.length > 0 && !types.some((name) => isOfType(name, value))) {
    return [`${path}: must be ${types.map(withArticle).join(" or ")}, not ${shown(value)}`];
  }
  if (Array.isArray(options) && !options.some((option) => canonical(option) === canonical(value))) {
    return [`${path}: must be one of ${options.map(shown).join(", ")}, not ${shown(value)}`];
  }
  const hasConst = only !== undefined || "const" in rest;
  return hasConst && canonical(only) !== canonical(value)
    ? [`${path}: must be ${shown(only)}, not ${shown(value)}`]
    : [];
}

function checkCombined(schema: Json, value: unknown, place: Place): string[] {
  const here = { ...place, depth: place.depth + 1 };
  const problemsOf = (part: unknown) => check(part, value, here);
  const fits = (part: unknown) => problemsOf(part).length === 0;
  const { $ref, allOf, anyOf, oneOf, not, if: condition } = schema;
  const problems: string[] = [];
  if (typeof $ref === "string") problems.push(...problemsOf(target($ref, place.root)));
  if (Array.isArray(allOf)) problems.push(...allOf.flatMap(problemsOf));
  if (Array.isArray(anyOf)) problems.push(...checkChoice(anyOf.map(problemsOf), place, Infinity));
  if (Array.isArray(oneOf)) problems.push(...checkChoice(oneOf.map(problemsOf), place, 1));
  if (not !== undefined && fits(not)) problems.push(`${place.path}: must not be as the schema excludes it`);
  if (condition !== undefined) problems.push(...problemsOf(fits(condition) ? schema.then : schema.else));
  return problems;
}

/** @param most How many alternatives a value may fit. */
function checkChoice(alternatives: readonly string[][], { path }: Place, most: number): string[] {
  const count = alternatives.filter((problems) => problems.length === 0).length;
  if (count > most) return [`${path}: must fit only one of ${alternatives.length} alternatives, it fits ${count}`];
  if (count > 0) return [];
  // What fails at this very place was hardly meant: another type is wanted there.
  const distance = (problems: readonly string[]) =>
    problems.length + (problems.some((problem) => problem.startsWith(`${path}: must be`)) ? MAX_PROBLEMS : 0);
  const closest = alternatives.toSorted((a, b) => distance(a) - distance(b))[0] ?? [];
  return [
    `${path}: fits none of ${alternatives.length} alternatives, the closest says: ${closest.slice(0, 3).join("; ")}`,
  ];
}

function checkObject(schema: Json, value: Json, place: Place): string[] {
  const { properties, patternProperties, additionalProperties, propertyNames, required, dependentRequired } = schema;
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const names = Object.keys(value);
  const missing = asNames(required).filter((name) => !Object.hasOwn(value, name));
  const problems = missing.map((name) => `${at(place, name).path}: is missing`);
  for (const name of names) {
    const inside = at(place, name);
    const known = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, part]) => part);
    const parts = known.length + matching.length > 0 ? [...known, ...matching] : [additionalProperties];
    for (const part of parts) problems.push(...check(part, value[name], inside));
    if (propertyNames !== undefined) problems.push(...check(propertyNames, name, inside));
    if (!isObject(dependentRequired) || !Object.hasOwn(dependentRequired, name)) continue;
    for (const other of asNames(dependentRequired[name])) {
      if (!Object.hasOwn(value, other)) problems.push(`${at(place, other).path}: is missing, "${name}" needs it`);
    }
  }
  return [...problems, ...checkCount(names.length, "properties", [schema.minProperties, schema.maxProperties], place)];
}

function checkArray(schema: Json, value: readonly unknown[], place: Place): string[] {
  const { prefixItems, items, contains, uniqueItems } = schema;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const problems = value.flatMap((item, i) => check(i < first.length ? first[i] : items, item, at(place, i)));
  if (contains !== undefined && !value.some((item, i) => check(contains, item, at(place, i)).length === 0)) {
    problems.push(`${place.path}: no item is as the schema wants one`);
  }
  if (uniqueItems === true && new Set(value.map(canonical)).size < value.length) {
    problems.push(`${place.path}: two items are equal`);
  }
  return [...problems, ...checkCount(value.length, "items", [schema.minItems, schema.maxItems], place)];
}

function checkString(schema: Json, value: string, place: Place): string[] {
  const problems = checkCount([...value].length, "characters", [schema.minLength, schema.maxLength], place);
  if (typeof schema.pattern === "string" && !matches(schema.pattern, value)) {
    problems.push(`${place.path}: must match the pattern ${schema.pattern}`);
  }
  return problems;
}

function checkNumber(schema: Json, value: number, { path }: Place): string[] {
  const bounds: [string, string, (bound: number) => boolean][] = [
    ["minimum", "at least", (bound) => value >= bound],
    ["maximum", "at most", (bound) => value <= bound],
    ["exclusiveMinimum", "more than", (bound) => value > bound],
    ["exclusiveMaximum", "less than", (bound) => value < bound],
    ["multipleOf", "a multiple of", (step) => isMultiple(value, step)],
  ];
  return bounds.flatMap(([keyword, words, holds]) => {
    const bound = schema[keyword];
    return typeof bound !== "number" || holds(bound) ? [] : [`${path}: must be ${words} ${bound}, not ${value}`];
  });
}

function checkCount(count: number, what: string, [least, most]: readonly unknown[], { path }: Place): string[] {
  if (typeof least === "number" && count < least) {
    return [`${path}: must have at least ${least} ${what}, it has ${count}`];
  }
  if (typeof most === "number" && count > most) return [`${path}: must have at most ${most} ${what}, it has ${count}`];
  return [];
}

/** Steps into a property or an item. */
function at(place: Place, step: string | number): Place {
  return { ...place, path: place.path + pathStep(step), depth: place.depth + 1 };
}

/**
 * Takes the JSON out of an answer: all of it, or what stands in its only code block that is JSON.
 *
 * @throws {SyntaxError} If there is no JSON, or more than one.
 */
export function extractJson(text: string): unknown {
  const whole = parsed(text);
  if (whole) return whole.value;
  const found = codeBlocks(text).flatMap((block) => parsed(block) ?? []);
  if (found.length === 1) return found[0]?.value;
  throw new SyntaxError(
    found.length === 0
      ? "Cannot read the answer: it is not JSON, and has no code block that is"
      : `Cannot read the answer: it has ${found.length} code blocks of JSON, not one`,
  );
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function codeBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: { fence: string; lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (open && fence?.startsWith(open.fence)) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) open = { fence, lines: [] };
  }
  return blocks;
}
