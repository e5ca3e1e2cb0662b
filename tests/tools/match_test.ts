import { assert, assertEquals } from "@std/assert";
import { findPlaces, findRuns, withoutOverlaps } from "../../src/tools/match.ts";

/** What is found, as texts. */
function found(text: string, wanted: string): [string | undefined, string[]] {
  const result = findPlaces(text, wanted);
  return [result?.tolerance, (result?.places ?? []).map(({ start, end }) => text.slice(start, end))];
}

Deno.test("findPlaces() prefers an exact place to tolerant ones", () => {
  assertEquals(found("a  \nb\na\nb\n", "a\nb"), ["exact", ["a\nb"]]);
});

Deno.test("findPlaces() finds parts of lines exactly", () => {
  assertEquals(found("one two\nthree four\n", "two\nthree"), ["exact", ["two\nthree"]]);
});

Deno.test("findPlaces() counts places that overlap", () => {
  assertEquals(found("aaa", "aa"), ["exact", ["aa", "aa"]]);
});

Deno.test("findPlaces() finds every place where places touch, as a replacement of all of them needs it", () => {
  for (const [text, wanted] of [["aaaa", "aa"], ["----------", "--"], ["x\n\n\n\n\ny", "\n\n"]] as const) {
    const places = withoutOverlaps(findPlaces(text, wanted)?.places ?? []);
    assertEquals(places.length, text.split(wanted).length - 1, text);
  }
});

Deno.test("findPlaces() takes any line ends, in either direction and mixed", () => {
  assertEquals(found("a\r\nb\r\n", "a\nb"), ["line_ends", ["a\r\nb"]]);
  assertEquals(found("a\nb\n", "a\r\nb"), ["line_ends", ["a\nb"]]);
  assertEquals(found("x a\r\nb\nc y", "a\nb\r\nc"), ["line_ends", ["a\r\nb\nc"]]);
  assertEquals(found("a\r\nb\r\n", "a\nb\n"), ["line_ends", ["a\r\nb\r\n"]]);
});

Deno.test("findPlaces() takes blanks at the ends of lines, and the whole line with them", () => {
  assertEquals(found("a \t\nb  \nc\n", "a\nb"), ["trailing_blanks", ["a \t\nb  "]]);
  assertEquals(found("a\nb\n", "a  \nb  \n"), ["trailing_blanks", ["a\nb\n"]]);
  assertEquals(found("a  \r\nb\r\n", "a\nb\n"), ["trailing_blanks", ["a  \r\nb\r\n"]]);
});

Deno.test("findPlaces() takes the end of the file for a line end", () => {
  assertEquals(found("a\nb", "b\n"), ["trailing_blanks", ["b"]]);
});

Deno.test("findPlaces() takes lines that are all moved alike", () => {
  assertEquals(found("  if x\n    y\n", "if x\n  y"), ["indentation", ["  if x\n    y"]]);
  assertEquals(found("if x\n  y\n", "    if x\n      y\n"), ["indentation", ["if x\n  y\n"]]);
});

Deno.test("findPlaces() takes lines that are indented with another unit", () => {
  assertEquals(found("\tif x\n\t\ty\n", "    if x\n        y"), ["indentation", ["\tif x\n\t\ty"]]);
  assertEquals(found("if x\n  y\n    z\n", "if x\n\ty\n\t\tz"), ["indentation", ["if x\n  y\n    z"]]);
});

Deno.test("findPlaces() does not take lines that are not indented alike", () => {
  assertEquals(found("if x\n      y\n  z\n", "if x\n  y\nz"), [undefined, []]);
  assertEquals(found("if x\ny\n", "if x\n    y"), [undefined, []]);
});

Deno.test("findPlaces() never looks for blanks alone tolerantly", () => {
  assertEquals(found("a\n \nb\n", "\n  \n"), [undefined, []]);
});

Deno.test("findPlaces() does not take a line that only begins alike", () => {
  assertEquals(found("foo()  \nbar();\n", "foo()\nbar("), [undefined, []]);
});

Deno.test("findPlaces() gives all tolerant places", () => {
  assertEquals(found("a \nb\na \nb\n", "a\nb"), ["trailing_blanks", ["a \nb", "a \nb"]]);
});

Deno.test("findPlaces() finds a long text by its lines as it would a short one", () => {
  const wanted = `tail of one\n${"a line in the middle\n".repeat(100)}head`;
  const text = `a ${wanted} of another\n`;
  assertEquals(found(text + text, wanted), ["exact", [wanted, wanted]]);
  assertEquals(found(text, wanted.replace("tail", "tale")), [undefined, []]);
});

Deno.test("findPlaces() is linear where the text and what is looked for repeat themselves", () => {
  const line = "0,0,0,0,0,0,0,0,0\n";
  const text = line.repeat(60_000);
  const started = performance.now();
  assertEquals(findPlaces(text, line.repeat(3000) + "1\n"), undefined);
  assertEquals(findPlaces(text, "1\n" + line.repeat(3000)), undefined);
  const spent = performance.now() - started;
  assert(spent < 2000, `took ${spent} ms; quadratic it would be a minute`);
});

Deno.test("findRuns() finds runs that overlap", () => {
  assertEquals(findRuns(["a", "a", "a", "b"], ["a", "a"]), [0, 1]);
  assertEquals(findRuns(["a", "b", "a", "b", "c"], ["a", "b", "c"]), [2]);
});

Deno.test("withoutOverlaps() keeps the first of two places that overlap", () => {
  const places = [{ start: 0, end: 2 }, { start: 1, end: 3 }, { start: 2, end: 4 }];
  assertEquals(withoutOverlaps(places), [{ start: 0, end: 2 }, { start: 2, end: 4 }]);
});
