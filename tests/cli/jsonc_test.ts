import { assertEquals, assertThrows } from "@std/assert";
import { parseJsonc } from "../../src/cli/jsonc.ts";

Deno.test("parseJsonc() reads comments, trailing commas and a byte order mark", () => {
  const text = '\ufeff{\n// where\n"url": "http://x", /* a\nb */ "list": [1, 2,], "text": "a // b /* c */ ,]",\n}';
  assertEquals(parseJsonc(text), { url: "http://x", list: [1, 2], text: "a // b /* c */ ,]" });
});

const BROKEN: [string, string][] = [
  ['{\n  "a": 1\n  "b": 2\n}', 'A comma or "}" is missing (line 3, column 3)'],
  ['{\n  "model": "m"\n', 'A comma or "}" is missing (line 3, column 1)'],
  ["", "The text ends where a value should stand (line 1, column 1)"],
  ['{"a": tru}', "A value is missing or misspelt (line 1, column 7)"],
  ['{"a" 1}', "A colon is missing (line 1, column 6)"],
  ["{a: 1}", "A name in double quotes should stand here (line 1, column 2)"],
  ['{ // "x\n"a": "unended', "A text is not closed, or holds something that must be escaped (line 2, column 6)"],
  ['"\\x"', "A text is not closed, or holds something that must be escaped (line 1, column 1)"],
  ["[1] 2", "Something follows the end (line 1, column 5)"],
  ["[".repeat(1000), "Too deeply nested (line 1, column 102)"],
];

for (const [text, place] of BROKEN) {
  Deno.test(`parseJsonc() names the place in ${JSON.stringify(text.slice(0, 40))}`, () => {
    assertThrows(() => parseJsonc(text), SyntaxError, place);
  });
}

Deno.test("parseJsonc() agrees with JSON.parse() on plain JSON", () => {
  for (
    const text of [
      '{"a": [1, -2.5e3, true, false, null, "\\u00e9\\n\\"", {}], "": []}',
      "0",
      ' "x" ',
      "[]",
      '{"__proto__": 1}',
    ]
  ) {
    assertEquals(JSON.stringify(parseJsonc(text)), JSON.stringify(JSON.parse(text)));
  }
});
