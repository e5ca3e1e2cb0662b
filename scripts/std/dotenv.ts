/**
 * Stands in for @std/dotenv where it cannot be had: `parse()` alone, to the same effect.
 *
 * @module
 */

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "'": "'", "\\": "\\" };
const MAX_ROUNDS = 100; // a value that names itself would never be done

/**
 * Reads the text of a `.env` file.
 *
 * Values in double quotes know `\n`, `\r`, `\t`, `\"`, `\'` and `\\`; those in single quotes are taken as they are;
 * those without quotes end at a `#` and have `$NAME` and `${NAME:-default}` replaced from the same text, then from
 * the environment.
 */
export function parse(text: string): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  const unquoted: string[] = [];
  const assignment = /^\s*(?:export\s+)?([^\s=#]+)\s*=[ \t]*/gm;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const key = match[1]!;
    const value = readValue(text, assignment.lastIndex);
    const lineEnd = text.indexOf("\n", value.end);
    assignment.lastIndex = lineEnd === -1 ? text.length : lineEnd;
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(key)) {
      console.warn(`Ignored the key "${key}": not letters, digits and underscores`);
      continue;
    }
    env[key] = value.text;
    if (!value.quoted && value.text !== "") unquoted.push(key);
  }
  const before = { ...env };
  for (const key of unquoted) env[key] = expand(env[key]!, before);
  return env;
}

interface Value {
  text: string;
  quoted: boolean;
  end: number;
}

/** Reads the value that begins at `at`; a quote that is never closed is an ordinary character. */
function readValue(text: string, at: number): Value {
  const rest = text.slice(at);
  const single = /^'([^']*)'/.exec(rest);
  if (single !== null) return { text: trimLineEnds(single[1]!), quoted: true, end: at + single[0].length };
  const double = /^"((?:[^"\\]|\\[^])*)"/.exec(rest);
  if (double !== null) {
    const value = trimLineEnds(double[1]!).replace(/\\([^])/g, (all, char) => ESCAPES[char] ?? all);
    return { text: value, quoted: true, end: at + double[0].length };
  }
  const plain = /^[^\r\n#]*/.exec(rest)![0];
  return { text: plain.trim(), quoted: false, end: at + plain.length };
}

/** The line ends right after the opening and right before the closing quote do not count. */
function trimLineEnds(text: string): string {
  return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

function expand(text: string, values: Record<string, string>): string {
  const names = /\$\{(.+?)(?::-(.+))?\}|(?<!\\)\$(\w+)(?::-(.+))?/g;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = text.replace(names, (_, braced, bracedElse, bare, bareElse) => {
      const name = braced ?? bare;
      return values[name] ?? Deno.env.get(name) ?? bracedElse ?? bareElse ?? "undefined";
    });
    if (next === text) break;
    text = next;
  }
  return text;
}
