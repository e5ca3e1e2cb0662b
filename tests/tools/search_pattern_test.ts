import { assertEquals, assertThrows } from "@std/assert";
import { requiredTexts } from "../../src/tools/required_text.ts";
import { ripgrepSource } from "../../src/tools/ripgrep.ts";
import { parsePattern } from "../../src/tools/search_pattern.ts";

Deno.test("parsePattern() says what is wrong with a pattern, where, and how to write it", () => {
  const problems: Record<string, string> = {
    "f(a": `a "(" is never closed; write "\\(" for the character itself (at character 3)`,
    "f)": `a ")" has no "("; write "\\)" for the character itself (at character 1)`,
    "[a": `a "[" is never closed; write "\\[" for the character itself (at character 2)`,
    "[]": `an empty "[]" matches nothing`,
    "[z-a]": `the range "z-a" runs backwards`,
    "*.ts": `"*" has nothing to repeat; write "\\*" for the character itself (at character 1)`,
    "a**": `"*" has nothing to repeat`,
    "a{3,2}": `"{3,2}" runs backwards`,
    "a{1001}": `"{1001}" repeats more than 1000 times`,
    "a\\": `it ends with a lone "\\"`,
    "(?=a)": "look-around is not supported",
    "(?<!a)b": "look-around is not supported",
    "(a)\\1": "back-references are not supported",
    "(?x)a": `"(?x" is not supported`,
    "a\\nb": `"\\n" matches nothing: each line is searched by itself`,
    "\\A": `"\\A" has no meaning`,
    "\\p{Nope}": `"\\p{Nope}" is not a property of characters`,
    "\\u12": `"\\u" needs the number of a character`,
    "[[:nope:]]": `"[:nope:]" is not a character class`,
    [`${"(".repeat(60)}${")".repeat(60)}`]: "its groups are nested too deeply",
  };
  for (const [pattern, problem] of Object.entries(problems)) {
    assertThrows(() => parsePattern(pattern, false), SyntaxError, problem, pattern);
  }
});

Deno.test("parsePattern() takes flags at the start and a case that does not matter", () => {
  assertEquals(parsePattern("(?i)a", false), parsePattern("a", true));
  assertEquals(parsePattern("(?m)a", false).ignoreCase, false);
});

Deno.test("requiredTexts() finds what a match cannot do without", () => {
  const texts = (pattern: string) => requiredTexts(parsePattern(pattern, false).root);
  assertEquals(texts("needle"), { texts: ["needle"], isWhole: true });
  assertEquals(texts("-"), { texts: ["-"], isWhole: true });
  assertEquals(texts("TODO|FIXME"), { texts: ["TODO", "FIXME"], isWhole: true });
  assertEquals(texts("\\bfunction\\s+(\\w+)"), { texts: ["function"], isWhole: false });
  assertEquals(texts("ab.*longer(?:c|d)"), { texts: ["longer"], isWhole: false });
  assertEquals(texts("(?:get|set)[A-Z]"), { texts: ["get", "set"], isWhole: false });
  assertEquals(texts("(?:abc)+"), { texts: ["abc"], isWhole: false });
  assertEquals(texts("(?:abc)*x"), undefined, "one character is in too many lines");
  assertEquals(texts("abc|\\d"), undefined);
  assertEquals(texts(""), undefined);
});

Deno.test("ripgrepSource() writes a pattern so that rg understands the same", () => {
  const source = (pattern: string) => ripgrepSource(parsePattern(pattern, false).root);
  assertEquals(source("a\\/b"), "(?:\\x{61}\\x{2f}\\x{62})");
  assertEquals(source("^\\w+?$|x{2,}"), "(?:(?:^(?:\\w){1,}$)|(?:\\x{78}){2,})");
  assertEquals(source("[^a-c\\d]"), "[^\\x{61}-\\x{63}\\d]");
  assertEquals(source("a\\r"), undefined, "to rg it is a line end");
  assertEquals(source("[\\r]"), undefined);
});
