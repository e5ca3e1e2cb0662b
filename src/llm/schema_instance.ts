/**
 * The other way round from checking: a value made from its JSON Schema.
 *
 * @module
 */

import type { JsonSchema } from "./types.ts";

const MAX_DEPTH = 16;

/**
 * Makes a small value that fits a schema: what must be there is there and nothing else, or every property where the
 * schema does not say. `pattern`, `not`, `if` and `uniqueItems` are not looked at.
 */
export function schemaInstance(schema: JsonSchema): unknown {
  return instance(schema, schema, 0);
}

function instance(given: unknown, root: JsonSchema, depth: number): unknown {
  const schema = resolved(given, root);
  if (depth > MAX_DEPTH) return null;
  if ("const" in schema) return schema.const;
  for (const list of [schema.enum, schema.examples]) if (Array.isArray(list) && list.length > 0) return list[0];
  if ("default" in schema) return schema.default;
  switch (typeOf(schema)) {
    case "object":
      return objectInstance(schema, root, depth);
    case "array":
      return arrayInstance(schema, root, depth);
    case "string":
      return stringInstance(schema);
    case "integer":
    case "number":
      return numberInstance(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** A schema with its reference followed and the first of its alternatives taken. */
function resolved(given: unknown, root: JsonSchema): JsonSchema {
  let schema = asSchema(given);
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
    const parts = [
      ...(typeof $ref === "string" ? [target($ref, root)] : []),
      ...[anyOf, oneOf].flatMap((list) => Array.isArray(list) ? list.slice(0, 1) : []),
      ...(Array.isArray(allOf) ? allOf : []),
    ];
    if (parts.length === 0) return schema;
    schema = parts.map(asSchema).reduce(merged, rest);
  }
  return {};
}

function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...asSchema(a.properties), ...asSchema(b.properties) };
  return { ...a, ...b, properties, required: [...asList(a.required), ...asList(b.required)] };
}

function target(pointer: string, root: JsonSchema): unknown {
  const steps = pointer.replace(/^#\/?/, "").split("/").filter((step) => step !== "");
  return steps.reduce<unknown>(
    (at, step) => asSchema(at)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")],
    root,
  );
}

function typeOf({ type, properties, items, prefixItems, required }: JsonSchema): unknown {
  if (type !== undefined) return Array.isArray(type) ? type[0] : type;
  if (items ?? prefixItems) return "array";
  return Object.keys(asSchema(properties)).length > 0 || asList(required).length > 0 ? "object" : undefined;
}

function objectInstance(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const properties = asSchema(schema.properties);
  const required = asList(schema.required).filter((name) => typeof name === "string");
  const allowed = Object.keys(properties).filter((name) => properties[name] !== false);
  const names = new Set(required.length > 0 || depth > 0 ? required : allowed);
  return Object.fromEntries([...names].map((name) => [name, instance(properties[name], root, depth + 1)]));
}

function arrayInstance(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const first = asList(schema.prefixItems);
  const length = Math.min(Math.max(Number(schema.minItems ?? 0), first.length), 100);
  return Array.from({ length }, (_, i) => instance(first[i] ?? schema.items, root, depth + 1));
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  time: "00:00:00Z",
  "date-time": "2026-01-01T00:00:00Z",
  email: "demo@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function stringInstance({ format, minLength, maxLength }: JsonSchema): string {
  const text = FORMATS[String(format)] ?? "demo";
  return text.slice(0, Number(maxLength ?? Infinity)).padEnd(Math.min(Number(minLength ?? 0), 10_000), "o");
}

function numberInstance(schema: JsonSchema): number {
  const bound = (key: string, otherwise: number) => typeof schema[key] === "number" ? schema[key] : otherwise;
  const step = bound("multipleOf", schema.type === "integer" ? 1 : 0);
  const least = Math.max(bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity) + (step || Number.EPSILON));
  const most = Math.min(bound("maximum", Infinity), bound("exclusiveMaximum", Infinity) - (step || Number.EPSILON));
  const nearest = Math.max(least, Math.min(most, 0));
  if (step === 0) return nearest;
  return (nearest > 0 ? Math.ceil(nearest / step) : Math.floor(nearest / step)) * step || 0;
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as JsonSchema : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
