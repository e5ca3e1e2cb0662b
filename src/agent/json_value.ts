/**
 * JSON values as a schema looks at them: their types, equality, places and names.
 *
 * @module
 */

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Whether a value is of a type as schemas name it. */
export function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default: {
      const kind: string = typeof value;
      return kind === type;
    }
  }
}

/** What a local reference points to; `false`, which nothing fits, if there is nothing. */
export function target(reference: string, root: unknown): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return false;
  let here = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return false;
    here = (here as Json)[name];
  }
  return here;
}

/** A step of a reference; one that is encoded wrongly is taken as it is. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** How a path goes on into a property or an item. */
export function pathStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** A pattern that is no regular expression says nothing. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Steps such as 0.01 have no exact binary form. */
export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Equal values give equal texts, whatever the order of their properties. */
export function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, inner) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1)) : inner,
  ) ?? "";
}

/** A value in a message, cut if it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`;
}

/** A type's name in a sentence. */
export function withArticle(type: string): string {
  return type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

/** The texts of a list, if it is one. */
export function asNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
