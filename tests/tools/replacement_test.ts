import { assert, assertEquals } from "@std/assert";
import { findPlaces } from "../../src/tools/match.ts";
import { replacementFitter } from "../../src/tools/replacement.ts";

/** The text after the one place is replaced. */
function replace(text: string, wanted: string, replacement: string): string | undefined {
  const { places: [place], tolerance } = findPlaces(text, wanted)!;
  const fitted = replacementFitter(text, { wanted, replacement, tolerance })(place!);
  return fitted === undefined ? undefined : text.slice(0, place!.start) + fitted + text.slice(place!.end);
}

Deno.test("replacementFitter() gives new lines the line end of their place", () => {
  assertEquals(replace("a\r\nb\r\n", "a", "x\ny"), "x\r\ny\r\nb\r\n");
  assertEquals(replace("a\r\nb", "b", "x\ny"), "a\r\nx\r\ny");
  assertEquals(replace("a\nb\r\nc\n", "b", "x\ny"), "a\nx\r\ny\r\nc\n");
  assertEquals(replace("a\nb\r\nc\n", "a", "x\ny"), "x\ny\nb\r\nc\n");
});

Deno.test("replacementFitter() leaves line ends alone that were asked for", () => {
  assertEquals(replace("a\nb\n", "a", "x\r\ny"), "x\r\ny\nb\n");
  assertEquals(replace("a\nb\r\n", "a\nb", "x\ny\nz"), "x\ny\nz\r\n");
});

Deno.test("replacementFitter() keeps each line's own end where they are mixed", () => {
  assertEquals(replace("a\r\nb\nc\r\nd\n", "a\r\nb\r\nc\r\nd\r\n", "a\nB\nc\nD\n"), "a\r\nB\nc\r\nD\n");
});

Deno.test("replacementFitter() keeps the bytes of lines that stay", () => {
  assertEquals(replace("a \t\nb  \nc \n", "a\nb\nc\n", "a\nB\nc\n"), "a \t\nB\nc \n");
  assertEquals(replace("a \nb \nc \nd \n", "a\nb\nc\nd", "a\nx\nb\nc\ny\nd"), "a \nx\nb \nc \ny\nd \n");
});

Deno.test("replacementFitter() removes lines", () => {
  assertEquals(replace("a\r\nb\r\nc\r\n", "a\nb\n", ""), "c\r\n");
  assertEquals(replace("a \nb \nc\n", "a\nb\n", "b\n"), "b \nc\n");
});

Deno.test("replacementFitter() gives no line end to a last line that has none", () => {
  assertEquals(replace("a\nb", "b\n", "c\n"), "a\nc");
  assertEquals(replace("a\nb", "b\n", "c"), "a\nc");
});

Deno.test("replacementFitter() indents new lines as the place is", () => {
  assertEquals(
    replace("\t\tif x {\n\t\t\ty\n\t\t}\n", "  if x {\n    y\n  }", "  if x {\n    if z {\n      y\n    }\n  }"),
    "\t\tif x {\n\t\t\tif z {\n\t\t\t\ty\n\t\t\t}\n\t\t}\n",
  );
  assertEquals(replace("    a\n      b\n", "a\n  b", "a\n\n  c\n    d"), "    a\n\n      c\n        d\n");
});

Deno.test("replacementFitter() gives up on an indentation that it cannot tell", () => {
  assertEquals(replace("\ta\n\tb\n", "a\nb", "a\n    c"), undefined);
});

Deno.test("replacementFitter() does not align very long texts line by line", () => {
  const lines = (name: string) => Array.from({ length: 2000 }, (_, i) => `${name}${i}`).join("\n");
  assertEquals(replace(`${lines("a")} \n`, `${lines("a")}\n`, `${lines("b")}\n`), `${lines("b")}\n`);
});

Deno.test("replacementFitter() is linear in a file that is one endless line", () => {
  const text = "1234567,".repeat(200_000);
  const { places, tolerance } = findPlaces(text, ",")!;
  const started = performance.now();
  const fit = replacementFitter(text, { wanted: ",", replacement: ",\n", tolerance });
  assert(places.every((place) => fit(place) === ",\n"));
  const spent = performance.now() - started;
  assert(spent < 2000, `took ${spent} ms; quadratic it would be half a minute`);
});
