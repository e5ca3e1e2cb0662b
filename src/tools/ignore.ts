/**
 * The rules of `.gitignore` files as gitignore(5) states them.
 *
 * @module
 */

import { matchSegments } from "./glob.ts";
import { compileSegments, GLOBSTAR, type NameTest, type Segment } from "./wildcard.ts";

/** Something in a folder, as the rules see it. */
export interface IgnoreCandidate {
  /** Absolute, with `/` between the names. */
  readonly path: string;
  readonly name: string;
  /** A link to a folder is none. */
  readonly isFolder: boolean;
}

interface Rule {
  /** About a name at any depth, or about a path from the folder of the file. */
  readonly pattern: NameTest | readonly Segment[];
  readonly onlyFolders: boolean;
  readonly includes: boolean;
}

/**
 * The rules that hold in a folder: those of its own file and, where these say nothing, those of the folders above.
 *
 * @example
 * ```ts
 * import { IgnoreRules } from "./ignore.ts";
 *
 * const rules = new IgnoreRules("*.log\n!keep.log\n", "/repo");
 * rules.ignores({ path: "/repo/a/x.log", name: "x.log", isFolder: false }); // true
 * ```
 */
export class IgnoreRules {
  readonly #baseLength: number;
  readonly #outer: IgnoreRules | undefined;
  /** The last line first: it decides. */
  readonly #rules: readonly Rule[];

  /**
   * @param text The content of the file.
   * @param folder The folder that its patterns are relative to: absolute, with `/` between the names.
   * @param outer The rules that hold in the folder above.
   */
  constructor(text: string, folder: string, outer?: IgnoreRules) {
    this.#baseLength = folder.endsWith("/") ? folder.length : folder.length + 1;
    this.#outer = outer;
    this.#rules = readRules(text).reverse();
  }

  /**
   * Whether the entry is left out. What lies in an ignored folder is ignored whatever the rules say about it: never
   * ask about it.
   */
  ignores(entry: IgnoreCandidate): boolean {
    const rule = this.#decisiveRule(entry);
    return rule ? !rule.includes : this.#outer?.ignores(entry) ?? false;
  }

  #decisiveRule({ path, name, isFolder }: IgnoreCandidate): Rule | undefined {
    const lastName = toByteString(name);
    let names: string[] | undefined;
    for (const rule of this.#rules) {
      if (rule.onlyFolders && !isFolder) continue;
      if (typeof rule.pattern === "function") {
        if (rule.pattern(lastName)) return rule;
      } else {
        names ??= toByteString(path.slice(this.#baseLength)).split("/");
        if (matchSegments(rule.pattern, names)) return rule;
      }
    }
    return undefined;
  }
}

function readRules(text: string): Rule[] {
  const lines = `${text}\n`.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line) => readRule(line) ?? []);
}

function readRule(line: string): Rule | undefined {
  if (line.startsWith("#")) return undefined;
  const trimmed = trimBlanks(line);
  const includes = trimmed.startsWith("!");
  const written = includes ? trimmed.slice(1) : trimmed;
  const onlyFolders = written.endsWith("/");
  const pattern = onlyFolders ? written.slice(0, -1) : written;
  if (pattern === "") return undefined;
  try {
    const segments = compileSegments(toByteString(pattern.replace(/^\//, "")));
    return { pattern: pattern.includes("/") ? segments : nameTest(segments), onlyFolders, includes };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // git lets such a pattern match nothing
    throw error;
  }
}

function nameTest([segment]: readonly Segment[]): NameTest {
  return segment === undefined || segment === GLOBSTAR ? () => true : segment;
}

/** Blanks at the end do not count, but for one behind a `\`. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  const backslashes = /\\*$/.exec(line.slice(0, end))![0].length;
  return backslashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

/** One character for each byte of UTF-8: to git a `?` is one byte. */
function toByteString(text: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
