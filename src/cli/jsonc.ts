/**
 * JSON as people write it in configuration files: with comments, trailing commas and a byte order mark.
 *
 * @module
 */

/**
 * Reads JSON with `//` and block comments. Comments and trailing commas are blanked out in place, so that the position in
 * an error is the position in the file.
 *
 * @throws {SyntaxError} If the rest is not JSON; the message names line and column.
 * @example
 * ```ts
 * import { parseJsonc } from "./jsonc.ts";
 *
 * const value = parseJsonc('{"mode": "edit", // for this machine\n}') as { mode: string };
 * if (value.mode !== "edit") throw new Error(value.mode);
 * ```
 */
export function parseJsonc(text: string): unknown {
  const json = text.replace(/^\ufeff/, "").replaceAll(
    /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (token) => token.startsWith('"') ? token : token.replaceAll(/[^\n]/g, " "),
  ).replaceAll(
    /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g,
    (token) => token === "," ? " " : token,
  );
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SyntaxError(describe((error as SyntaxError).message, json), { cause: error });
  }
}

/** V8 gives the place in its own words, or not at all where the text just ends. */
function describe(message: string, json: string): string {
  const offset = Number(/ at position (\d+)/.exec(message)?.[1] ?? json.trimEnd().length);
  const lines = json.slice(0, offset).split("\n");
  const what = message.replace(/ in JSON at position.*| at position.*/s, "").replace(/, ?"[^]*is not valid JSON$/, "");
  return `${what || "Not JSON"} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`;
}
