import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseGlob } from "../../src/tools/glob.ts";

const matching = (pattern: string, paths: readonly string[]) =>
  paths.filter((path) => parseGlob(pattern).matches(path));

Deno.test("parseGlob() takes a pattern without a slash as a name at any depth", () => {
  assertEquals(matching("*.ts", ["a.ts", "src/b.ts", "a.tsx", "ts"]), ["a.ts", "src/b.ts"]);
  assertEquals(matching("./*.ts", ["a.ts", "src/b.ts"]), ["a.ts", "src/b.ts"]);
});

Deno.test("parseGlob() takes a pattern with a slash from the start", () => {
  assertEquals(matching("src/*.ts", ["src/a.ts", "src/b/c.ts", "x/src/a.ts"]), ["src/a.ts"]);
  assertEquals(matching("./src//a.ts", ["src/a.ts"]), ["src/a.ts"]);
  assertEquals(matching("src/", ["src/a.ts", "src/x/b.ts", "a.ts"]), ["src/a.ts", "src/x/b.ts"]);
});

Deno.test("parseGlob() lets ** stand for any number of folders, none included", () => {
  const paths = ["a.ts", "src/a.ts", "src/x/a.ts", "src/x/y/a.ts", "lib/src/a.ts"];
  assertEquals(matching("**/*.ts", paths), paths);
  assertEquals(matching("src/**/*.ts", paths), ["src/a.ts", "src/x/a.ts", "src/x/y/a.ts"]);
  assertEquals(matching("src/**", ["src", ...paths]), ["src/a.ts", "src/x/a.ts", "src/x/y/a.ts"]);
  assertEquals(matching("**/x/**/a.ts", paths), ["src/x/a.ts", "src/x/y/a.ts"]);
});

Deno.test("parseGlob() keeps *, ? and [!…] within one name, and takes hidden names like others", () => {
  assertEquals(matching("a?c/d", ["abc/d", "a/c/d", "a😀c/d"]), ["abc/d", "a😀c/d"]);
  assertEquals(matching("x[!a]y/z", ["xby/z", "x/y/z", "xay/z"]), ["xby/z"]);
  assertEquals(matching("**/*.yml", [".github/workflows/ci.yml"]), [".github/workflows/ci.yml"]);
});

Deno.test("parseGlob() writes braces out, nested and empty ones too", () => {
  assertEquals(matching("*.{ts,tsx}", ["a.ts", "a.tsx", "a.js"]), ["a.ts", "a.tsx"]);
  assertEquals(matching("{src,tests/{a,b}}/*.ts", ["src/x.ts", "tests/a/x.ts", "tests/b/x.ts", "tests/x.ts"]), [
    "src/x.ts",
    "tests/a/x.ts",
    "tests/b/x.ts",
  ]);
  assertEquals(matching("a{,.min}.js", ["a.js", "a.min.js"]), ["a.js", "a.min.js"]);
  assertEquals(matching("{a}/{b", ["{a}/{b", "a/b"]), ["{a}/{b"]);
  assertEquals(matching("a\\{b,c}", ["a{b,c}", "ab"]), ["a{b,c}"]);
});

Deno.test("parseGlob() finds a file by its own name though it holds brackets", () => {
  assertEquals(matching("app/[id]/page.tsx", ["app/[id]/page.tsx", "app/i/page.tsx"]), [
    "app/[id]/page.tsx",
    "app/i/page.tsx",
  ]);
  assert(parseGlob("app/[id]/page.tsx").mayMatchIn("app/[id]"));
});

Deno.test("parseGlob() takes both Unicode forms of a letter as the same", () => {
  const [nfc, nfd] = ["café".normalize("NFC"), "café".normalize("NFD")];
  assertEquals(matching(`my dir/${nfc}*`, [`my dir/${nfd}.txt`]), [`my dir/${nfd}.txt`]);
  assertEquals(matching(`my dir/${nfd}*`, [`my dir/${nfc}.txt`]), [`my dir/${nfc}.txt`]);
  assert(parseGlob(`${nfc}/a/*`).mayMatchIn(`${nfd}/a`));
});

Deno.test("parseGlob() knows in which folders nothing can match", () => {
  const entered = (pattern: string) =>
    ["src", "src/a", "src/a/b", "tests"].filter((folder) => parseGlob(pattern).mayMatchIn(folder));
  assertEquals(entered("*.ts"), ["src", "src/a", "src/a/b", "tests"]);
  assertEquals(entered("src/*/x.ts"), ["src", "src/a"]);
  assertEquals(entered("src/**/x.ts"), ["src", "src/a", "src/a/b"]);
  assertEquals(entered("src"), ["src", "src/a", "src/a/b", "tests"]);
});

Deno.test("parseGlob() says what is wrong with a pattern", () => {
  assertThrows(() => parseGlob("src/[ab"), SyntaxError, `a "[" is never closed`);
  assertThrows(() => parseGlob("a\\"), SyntaxError, "ends with a lone");
  assertThrows(() => parseGlob("{a,b}".repeat(9)), SyntaxError, "more than 256 patterns");
  assertThrows(() => parseGlob("[[:nope:]]"), SyntaxError, "[:nope:]");
  assertThrows(() => parseGlob("../*.ts"), SyntaxError, "give the folder as path");
  assertThrows(() => parseGlob("/etc/*"), SyntaxError, "give the folder as path");
  assertThrows(() => parseGlob("a".repeat(5000)), SyntaxError, "longer than");
});

Deno.test("parseGlob() is fast with patterns that take a regular expression for ever", () => {
  const started = performance.now();
  assertEquals(matching("*a*a*a*a*a*a*a*a*a*a*b", ["a".repeat(250)]), []);
  assertEquals(matching(`${"**/a/".repeat(40)}b`, ["a/".repeat(400) + "c"]), []);
  assert(performance.now() - started < 500);
});

Deno.test("parseGlob() means all others behind a !, folders included", () => {
  const paths = ["a.ts", "src/b.ts", "src/c.js", "dist/x/y.js", "!bang"];
  assertEquals(matching("!*.ts", paths), ["src/c.js", "dist/x/y.js", "!bang"]);
  assertEquals(matching("!dist", paths), ["a.ts", "src/b.ts", "src/c.js", "!bang"]);
  assertEquals(matching("!src/**", paths), ["a.ts", "dist/x/y.js", "!bang"]);
  assertEquals(matching("\\!bang", paths), ["!bang"]);
  assertEquals(parseGlob("!dist").mayMatchIn("dist"), false);
  assertEquals(parseGlob("!*.ts").mayMatchIn("src"), true);
});
