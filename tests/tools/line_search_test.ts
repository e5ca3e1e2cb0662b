import { assert, assertEquals, assertThrows } from "@std/assert";
import { lineEnd, LineSearch, lineStart } from "../../src/tools/line_search.ts";
import { parsePattern } from "../../src/tools/search_pattern.ts";
import { type Random, seeded } from "../testing/random.ts";

/** The lines that a pattern finds. */
function lines(pattern: string, text: string, { ignoreCase = false } = {}): string[] {
  const search = new LineSearch(parsePattern(pattern, ignoreCase));
  const found: string[] = [];
  search.open(text);
  while (!search.isDone) {
    const place = search.step();
    if (place !== undefined) found.push(text.slice(lineStart(text, place), lineEnd(text, place)));
  }
  return found;
}

Deno.test("LineSearch finds each line once, whatever its place", () => {
  assertEquals(lines("a", "a a\nb\n\nxa\na"), ["a a", "xa", "a"]);
  assertEquals(lines("a|b", "a b\nc\nb"), ["a b", "b"]);
  assertEquals(lines("[ab]c?", "a\nz\nbc\n"), ["a", "bc"]);
});

Deno.test("LineSearch knows the ends of lines, also CRLF, and no line behind the last end", () => {
  assertEquals(lines("^$", "a\n\nb\r\n\r\n"), ["", "\r"]);
  assertEquals(lines("a$", "a\r\nab\r\na\n"), ["a\r", "a"]);
  assertEquals(lines("^a", "ba\na"), ["a"]);
  assertEquals(lines("", "x\n\ny"), ["x", "", "y"]);
  assertEquals(lines("", ""), []);
});

Deno.test("LineSearch lets nothing but \\r itself match a carriage return", () => {
  assertEquals(lines("a.", "a\r\n"), []);
  assertEquals(lines("a[^b]", "a\r\n"), []);
  assertEquals(lines("a\\s", "a\r\na \r\n"), ["a \r"]);
  assertEquals(lines("a\\r$", "a\r\na\n"), ["a\r"]);
  assertEquals(lines("\\r", "a\r\nb\n"), ["a\r"]);
});

Deno.test("LineSearch lets bytes that are no text match nothing, as rg does", () => {
  assertEquals(lines("a.b|\\S\\s\\S|[^x]{4}", "a\uFFFDb\n\uFFFD x\n\uFFFDabc\n"), []);
});

Deno.test("LineSearch takes words, digits and case as Unicode does", () => {
  assertEquals(lines("\\bé", "é\naé\n"), ["é"]);
  assertEquals(lines("^\\w+$", "größe\na-b\nпривет\n"), ["größe", "привет"]);
  assertEquals(lines("^\\d$", "٣\nx"), ["٣"]);
  assertEquals(lines("ÄRGER", "ärger\n", { ignoreCase: true }), ["ärger"]);
  assertEquals(lines("^.$", "😀\n😀😀\n"), ["😀"]);
  assertEquals(lines("[😀-😂]", "😁\n😃\n"), ["😁"]);
});

Deno.test("LineSearch reads escapes, classes and repetitions", () => {
  assertEquals(lines("--ctx-size|->", "--ctx-size N\nuse -> here\nflag -e\n"), ["--ctx-size N", "use -> here"]);
  assertEquals(lines("interface\\{\\}|map[[]|\\x41\\u{42}", "interface{}\nmap[a]\nAB\n"), [
    "interface{}",
    "map[a]",
    "AB",
  ]);
  assertEquals(lines("a{2,3}b", "ab\naab\naaab\n"), ["aab", "aaab"]);
  assertEquals(lines("x{", "x{\n"), ["x{"]);
  assertEquals(lines("^(?:ab?)+?c", "aabac\nabbc\n"), ["aabac"]);
  assertEquals(lines("[\\]\\-x-]", "]\n-\ny\n"), ["]", "-"]);
  assertEquals(lines("(?P<name>a)(?<other>b)", "ab\n"), ["ab"]);
  assertEquals(lines("\\p{Lu}\\P{L}[[:digit:]]", "A-1\na-1\n"), ["A-1"]);
});

Deno.test("LineSearch takes time in proportion to the text where RegExp takes for ever", () => {
  const started = performance.now();
  const text = `${"a".repeat(50_000)}!\n`.repeat(4);
  for (const pattern of ["^(a+)+$", "(a|a)*b", "(a?){50}b", "a.*a.*a.*a.*b", "(x+x+)+y"]) {
    assertEquals(lines(pattern, text), [], pattern);
  }
  assert(performance.now() - started < 3000);
});

Deno.test("LineSearch does no more than a little in one step", () => {
  const search = new LineSearch(parsePattern("(a|ab)(c|bcd)x|[^y]z", false));
  search.open("ab".repeat(1_000_000));
  let longest = 0;
  while (!search.isDone) {
    const started = performance.now();
    search.step();
    longest = Math.max(longest, performance.now() - started);
  }
  assert(longest < 100, `${longest} ms`);
});

Deno.test("LineSearch refuses a pattern that grows too large", () => {
  assertThrows(() => lines("(a{100}){100}", ""), SyntaxError, "longer than 2000 characters");
});

Deno.test("LineSearch forgets states when there are too many, and finds the same", () => {
  const random = seeded(7);
  const text = Array.from({ length: 300 }, () => Array.from({ length: 80 }, () => random.pick(["a", "b"])).join(""))
    .join("\n");
  const pattern = "^(?:a|b)*a(?:a|b){14}$";
  assertEquals(lines(pattern, text), text.split("\n").filter((line) => line.at(-15) === "a"));
});

Deno.test("LineSearch tells more characters apart than it has classes for", () => {
  const chars = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const pattern = chars.map((char, i) => `${char}${i % 10}`).join("|");
  const text = chars.map((char, i) => `${char}${i % 7}`).join("\n");
  const expected = chars.flatMap((char, i) => i % 10 === i % 7 ? [`${char}${i % 7}`] : []);
  assertEquals(lines(`[0-9]?(?:${pattern})`, text), expected);
});

Deno.test("LineSearch finds what RegExp finds line by line, for generated patterns and texts", () => {
  const random = seeded(42);
  for (let i = 0; i < 1000; i++) {
    const pattern = randomPattern(random, 3);
    const ignoreCase = random.below(4) === 0;
    const all = Array.from({ length: 6 }, () => randomLine(random));
    const expression = new RegExp(inJavaScript(pattern), ignoreCase ? "iv" : "v");
    const expected = all.filter((line) => expression.test(line));
    assertEquals(lines(pattern, all.join("\n") + "\n", { ignoreCase }), expected, pattern);
  }
});

const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

/** The same with classes of Unicode. */
function inJavaScript(pattern: string): string {
  return pattern
    .replaceAll("\\W", `[^${WORD}]`)
    .replaceAll("\\w", WORD)
    .replaceAll("\\d", "\\p{Nd}")
    .replaceAll("\\b", `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`);
}

function randomPattern(random: Random, depth: number): string {
  const inner = () => randomPattern(random, depth - 1);
  switch (random.below(depth > 0 ? 9 : 4)) {
    case 0:
    case 1:
      return random.pick(["a", "B", "é", "_", " ", "😀", "x", "ab"]);
    case 2:
      return random.pick(["\\w", "\\d", ".", "[^a]", "[ab]", "\\s", "\\W", "\\S", "[é-ü]"]);
    case 3:
      return random.pick(["\\b", "^", "$", "xx"]);
    case 4:
      return `(?:${inner()}|${inner()})`;
    case 5:
    case 6:
      return `(?:${inner()})${random.pick(["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"])}`;
    default:
      return inner() + inner();
  }
}

function randomLine(random: Random): string {
  const chars = Array.from(
    { length: random.below(8) },
    () => random.pick(["a", "b", "A", "é", "_", " ", "😀", "x", "1", "\t"]),
  );
  return chars.join("");
}
