/**
 * Wildcards within one name of a path: `*`, `?`, `[…]` and `\`, as in wildmatch of git and glob(7).
 *
 * Names are matched in time proportional to name and pattern, whatever the pattern: a regular expression made of
 * `*a*a*a*b` would keep a hostile repository's ignore file busy for hours.
 *
 * @module
 */

/** Decides about one name. */
export type NameTest = (name: string) => boolean;

/** A `**` that stands alone between slashes: any number of names. */
export const GLOBSTAR = Symbol("**");

/** A pattern cut at its slashes. */
export type Segment = NameTest | typeof GLOBSTAR;

const ANY = Symbol("?");
const STAR = Symbol("*");
type CharTest = (char: string) => boolean;
type Token = string | typeof ANY | typeof STAR | CharTest;

/**
 * Cuts a pattern at its slashes and compiles each part.
 *
 * @throws {SyntaxError} If a `[` is never closed, a character class is unknown or the pattern ends with a lone `\`.
 */
export function compileSegments(pattern: string): Segment[] {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  const endSegment = () => {
    // two or more stars alone
    const isGlobstar = tokens.length > 1 && tokens.every((token) => token === STAR);
    segments.push(isGlobstar ? GLOBSTAR : compileName(tokens));
    tokens = [];
  };
  for (let i = 0; i < pattern.length;) {
    const char = charAt(pattern, i);
    i += char.length;
    switch (char) {
      case "/":
        endSegment();
        break;
      case "*":
        tokens.push(STAR);
        break;
      case "?":
        tokens.push(ANY);
        break;
      case "[": {
        const set = readSet(pattern, i);
        tokens.push(set.test);
        i = set.end;
        break;
      }
      case "\\": {
        const next = charAt(pattern, i);
        if (next === "") throw new SyntaxError(`it ends with a lone "\\"`);
        i += next.length;
        if (next === "/") endSegment();
        else tokens.push(next);
        break;
      }
      default:
        tokens.push(char);
    }
  }
  endSegment();
  return segments;
}

/** Most patterns are a name, `*.ext` or `name*`: these are worth their own tests. */
function compileName(tokens: readonly Token[]): NameTest {
  const isText = (part: readonly Token[]) => part.every((token) => typeof token === "string");
  if (isText(tokens)) {
    const text = tokens.join("");
    return (name) => name === text;
  }
  if (tokens[0] === STAR && isText(tokens.slice(1))) {
    const ending = tokens.slice(1).join("");
    return (name) => name.endsWith(ending);
  }
  if (tokens.at(-1) === STAR && isText(tokens.slice(0, -1))) {
    const start = tokens.slice(0, -1).join("");
    return (name) => name.startsWith(start);
  }
  return (name) => matchTokens(tokens, name);
}

/** If the text after a `*` does not fit, only the latest `*` can take one character more: the earlier ones are done. */
function matchTokens(tokens: readonly Token[], name: string): boolean {
  let t = 0;
  let star = -1;
  let starEnd = 0;
  for (let i = 0; i < name.length;) {
    const token = tokens[t];
    if (token === STAR) {
      star = t++;
      starEnd = i;
      continue;
    }
    const char = charAt(name, i);
    if (token !== undefined && accepts(token, char)) {
      t++;
      i += char.length;
    } else if (star >= 0) {
      t = star + 1;
      i = starEnd += charAt(name, starEnd).length;
    } else {
      return false;
    }
  }
  while (tokens[t] === STAR) t++;
  return t === tokens.length;
}

function accepts(token: Exclude<Token, typeof STAR>, char: string): boolean {
  if (typeof token === "string") return token === char;
  return token === ANY || token(char);
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // deno-lint-ignore no-control-regex
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Reads the set whose `[` comes before `start`: ranges, `[:class:]`, `!` or `^` for all others. */
function readSet(pattern: string, start: number): { test: CharTest; end: number } {
  const isNegated = pattern[start] === "!" || pattern[start] === "^";
  const first = isNegated ? start + 1 : start;
  const tests: CharTest[] = [];
  for (let i = first; i < pattern.length;) {
    // a "]" at the beginning stands for itself
    if (pattern[i] === "]" && i > first) {
      return { test: (char) => tests.some((test) => test(char)) !== isNegated, end: i + 1 };
    }
    if (pattern.startsWith("[:", i)) {
      const close = pattern.indexOf(":]", i + 2);
      const name = close < 0 ? "" : pattern.slice(i + 2, close);
      const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
      if (known === undefined) throw new SyntaxError(`"[:${name}:]" is not a character class`);
      tests.push((char) => known.test(char));
      i = close + 2;
      continue;
    }
    const low = readSetChar(pattern, i);
    i = low.end;
    if (pattern[i] === "-" && i + 1 < pattern.length && pattern[i + 1] !== "]") {
      const high = readSetChar(pattern, i + 1);
      i = high.end;
      tests.push((char) => low.code <= char.codePointAt(0)! && char.codePointAt(0)! <= high.code);
    } else {
      tests.push((char) => char.codePointAt(0) === low.code);
    }
  }
  throw new SyntaxError(`a "[" is never closed`);
}

function readSetChar(pattern: string, start: number): { code: number; end: number } {
  const at = pattern[start] === "\\" ? start + 1 : start;
  const char = charAt(pattern, at);
  if (char === "") throw new SyntaxError(`a "[" is never closed`);
  return { code: char.codePointAt(0)!, end: at + char.length };
}

/** The whole character at an index, or an empty string at the end. */
function charAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}
