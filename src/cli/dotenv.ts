/**
 * `.env` files: which of their lines count, and how they are read without giving anything away.
 *
 * @module
 */

import { parse } from "@std/dotenv/parse";

/**
 * Reads the accepted names out of a `.env` file.
 *
 * The library's parser replaces `$NAME` by the environment's value, with which a file in a project could read a secret;
 * so the parser never gets to see a dollar sign.
 *
 * @param text The file.
 * @param accepted The names that count; all others are ignored.
 * @example
 * ```ts
 * import { readDotenv } from "./dotenv.ts";
 *
 * const values = readDotenv('AGENT_MODEL="a $HOME b"\nPATH=/tmp', new Set(["AGENT_MODEL"]));
 * if (values.AGENT_MODEL !== "a $HOME b" || "PATH" in values) throw new Error(JSON.stringify(values));
 * ```
 */
export function readDotenv(text: string, accepted: ReadonlySet<string>): Record<string, string> {
  const dollar = unusedCharacter(text);
  const safe = text.replace(/^\ufeff/, "").replaceAll(/[^\P{Cc}\n\t]/gu, ""); // the parser prints the keys it ignores
  const values = parse(safe.replaceAll("$", dollar));
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => accepted.has(name) && value !== "")
      .map(([name, value]) => [name, value.replaceAll(dollar, "$")]),
  );
}

/** A private-use character that the text does not hold. */
function unusedCharacter(text: string): string {
  for (let code = 0xe000; code < 0xf8ff; code++) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) return character;
  }
  throw new RangeError("Cannot read the file: it holds every private-use character");
}
