/**
 * Globs: which paths a pattern means.
 *
 * `@std/path` turns a glob into a regular expression in which `?` and `[!a]` match a slash and several `*` take
 * exponential time, so paths are matched here by name.
 *
 * @module
 */

import { compileSegments, GLOBSTAR, type Segment } from "./wildcard.ts";

/** Decides about paths with `/` between the names, relative to the folder that the glob is about. */
export interface Glob {
  matches(path: string): boolean;
  /** Whether anything below this folder could match. */
  mayMatchIn(folder: string): boolean;
}

const MAX_LENGTH = 4096;
/** A pattern with more alternatives than this is a mistake. */
const MAX_ALTERNATIVES = 256;

/**
 * Compiles a glob: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of folders. A pattern without a slash is about
 * the base name at any depth, one that ends with a slash about all that the folder holds. Names that begin with a dot
 * are names like others, and both Unicode forms of a letter are the same. With a `!` before it, it means all others.
 *
 * @throws {SyntaxError} If the pattern is not a glob; the message says why.
 *
 * @example
 * ```ts
 * import { parseGlob } from "./glob.ts";
 *
 * parseGlob("src/**\/*.{ts,tsx}").matches("src/cli/main.ts"); // true
 * ```
 */
export function parseGlob(pattern: string): Glob {
  if (pattern.trim() === "") throw new SyntaxError("it is empty");
  if (pattern.length > MAX_LENGTH) throw new SyntaxError(`it is longer than ${MAX_LENGTH} characters`);
  if (/^!./.test(pattern)) return allBut(parseGlob(pattern.slice(1)), toNfc(pattern));
  const plain = toNfc(pattern).replace(/^(?:\.\/+)+/, "").replaceAll(/\/{2,}/g, "/").replace(/\/$/, "/**");
  if (/^\/|(?:^|\/)\.\.(?:\/|$)/.test(plain)) throw new SyntaxError("it leads elsewhere; give the folder as path");
  const alternatives = expandBraces(plain).map((text): Segment[] => {
    const segments = compileSegments(text);
    return segments.length === 1 ? [GLOBSTAR, ...segments] : segments;
  });
  return {
    matches(path) {
      const text = toNfc(path);
      if (text === plain) return true; // a file whose name has brackets, as it is written
      return alternatives.some((segments) => matchesPath(segments, text));
    },
    mayMatchIn(folder) {
      const text = toNfc(folder);
      const names = text.split("/");
      return plain.startsWith(`${text}/`) || alternatives.some((segments) => mayLead(segments, names));
    },
  };
}

/** What an excluded folder holds is excluded too. A file whose name begins with `!` is found by its whole name. */
function allBut(glob: Glob, own: string): Glob {
  const isOut = (path: string) => {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      if (glob.matches(path.slice(0, end))) return true;
    }
    return glob.matches(path);
  };
  return { matches: (path) => !isOut(path) || toNfc(path) === own, mayMatchIn: (folder) => !isOut(folder) };
}

/** How alternatives are written, for a glob that writes them in another way; else an empty string. */
export function globHint(pattern: string): string {
  const isOtherwise = /[@+?*]\(.*\)|\|/.test(pattern) || /,/.test(pattern.replace(/\{[^{}]*\}/g, ""));
  return isOtherwise ? "; alternatives are written {a,b}" : "";
}

function matchesPath(segments: readonly Segment[], path: string): boolean {
  const [first, second] = segments;
  const isName = segments.length === 2 && first === GLOBSTAR && typeof second === "function";
  return isName ? second(path.slice(path.lastIndexOf("/") + 1)) : matchSegments(segments, path.split("/"));
}

/** Whether the names of a path fit the segments of a pattern. A `**` at the end stands for at least one name. */
export function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let s = 0;
  let star = -1;
  let starEnd = 0;
  for (let n = 0; n < names.length;) {
    const segment = segments[s];
    if (segment === GLOBSTAR) {
      if (s === segments.length - 1) return true;
      star = s++;
      starEnd = n;
    } else if (segment?.(names[n]!)) {
      s++;
      n++;
    } else if (star >= 0) {
      s = star + 1;
      n = ++starEnd;
    } else {
      return false;
    }
  }
  return s === segments.length;
}

function mayLead(segments: readonly Segment[], names: readonly string[]): boolean {
  for (const [i, name] of names.entries()) {
    const segment = segments[i];
    if (segment === GLOBSTAR) return true;
    if (!segment?.(name)) return false;
  }
  return segments.length > names.length;
}

/** `{a,b}` written out, from the first brace that has its partner and a comma. */
function expandBraces(pattern: string): string[] {
  const finished: string[] = [];
  const open = [pattern];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = findBraces(text);
    if (group === undefined) {
      finished.push(text);
    } else {
      const { start, end, parts } = group;
      for (const part of parts.reverse()) open.push(text.slice(0, start) + part + text.slice(end));
    }
    if (finished.length + open.length > MAX_ALTERNATIVES) {
      throw new SyntaxError(`its braces stand for more than ${MAX_ALTERNATIVES} patterns`);
    }
  }
  return finished;
}

function findBraces(text: string): { start: number; end: number; parts: string[] } | undefined {
  const open: { start: number; commas: number[] }[] = [];
  let isSet = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (isSet) isSet = char !== "]";
    else if (char === "[") isSet = text.indexOf("]", i + 2) > 0;
    else if (char === "{") open.push({ start: i, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(i);
    else if (char === "}") {
      const group = open.pop();
      if (group && group.commas.length > 0) {
        const cuts = [group.start, ...group.commas, i];
        const parts = cuts.slice(1).map((cut, k) => text.slice(cuts[k]! + 1, cut));
        return { start: group.start, end: i + 1, parts };
      }
    }
  }
  return undefined;
}

/** Composed characters, whichever form the file system keeps. */
function toNfc(text: string): string {
  // deno-lint-ignore no-control-regex
  return /[^\x00-\x7f]/.test(text) ? text.normalize("NFC") : text;
}
