/**
 * One schema describes a tool to the model, checks what comes back, and types it.
 *
 * The subset of JSON Schema that a tool's input may use is deliberately flat: models lose deeply nested arguments.
 *
 * @module
 */

/** A property of a tool's input. */
export type PropertySchema =
  | { type: "string"; description?: string; enum?: readonly string[] }
  | { type: "integer" | "number"; description?: string; minimum?: number; maximum?: number }
  | { type: "boolean"; description?: string }
  | { type: "array"; description?: string; items: PropertySchema | ObjectSchema };

/** The input of a tool. */
export interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: "object";
  readonly properties: { readonly [name: string]: PropertySchema };
  readonly required: readonly string[];
}

type ValueOf<P> = P extends { type: "string"; enum: readonly (infer E)[] } ? E
  : P extends { type: "string" } ? string
  : P extends { type: "integer" | "number" } ? number
  : P extends { type: "boolean" } ? boolean
  : P extends { type: "array"; items: infer I } ? ValueOf<I>[]
  : P extends ObjectSchema ? InputOf<P>
  : never;

/** The type of an input that fits the schema. */
export type InputOf<S extends ObjectSchema> =
  & { [K in keyof S["properties"] & S["required"][number]]: ValueOf<S["properties"][K]> }
  & { [K in Exclude<keyof S["properties"], S["required"][number]>]?: ValueOf<S["properties"][K]> | undefined };

/** A checked input, or what is wrong with it in the model's own words. */
export type ReadResult<T> = { ok: true; input: T } | { ok: false; problems: string[] };

/**
 * Checks a call's arguments. `null` counts as absent, a number or boolean written as a string is taken as meant, names
 * that the schema does not have are left out.
 */
export function readInput<S extends ObjectSchema>(schema: S, input: unknown): ReadResult<InputOf<S>> {
  const problems: string[] = [];
  const value = readObject(schema, input, "", problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, input: value as InputOf<S> };
}

function readObject(schema: ObjectSchema, input: unknown, path: string, problems: string[]): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    problems.push(`${path === "" ? "the arguments" : `"${path}"`} must be a JSON object, not ${kindOf(input)}`);
    return undefined;
  }
  const out: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
    const where = path === "" ? name : `${path}.${name}`;
    if (value === undefined || value === null) {
      if (schema.required.includes(name)) problems.push(`"${where}" is missing`);
    } else {
      out[name] = readValue(property, value, where, problems);
    }
  }
  return out;
}

function readValue(schema: PropertySchema | ObjectSchema, value: unknown, path: string, problems: string[]): unknown {
  const wrong = (want: string) => void problems.push(`"${path}" must be ${want}, not ${kindOf(value)}`);
  switch (schema.type) {
    case "object":
      return readObject(schema as ObjectSchema, value, path, problems);
    case "string": {
      if (typeof value !== "string") return wrong("a string");
      const options = schema.enum as readonly string[] | undefined;
      if (options && !options.includes(value)) return wrong(`one of ${options.map((o) => `"${o}"`).join(", ")}`);
      return value;
    }
    case "boolean":
      if (value === true || value === "true") return true;
      if (value === false || value === "false") return false;
      return wrong("true or false");
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
      if (typeof number !== "number" || !Number.isFinite(number)) return wrong("a number");
      if (schema.type === "integer" && !Number.isInteger(number)) return wrong("a whole number");
      if (number < minimum) return wrong(`at least ${minimum}`);
      if (number > maximum) return wrong(`at most ${maximum}`);
      return number;
    }
    case "array":
      if (!Array.isArray(value)) return wrong("an array");
      return value.map((item, i) => readValue(schema.items as PropertySchema, item, `${path}[${i}]`, problems));
    default:
      return schema satisfies never;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return value.length <= 40 ? JSON.stringify(value) : "a long string";
  return `${typeof value === "number" ? "the number" : typeof value === "boolean" ? "the boolean" : "a"} ${value}`;
}
