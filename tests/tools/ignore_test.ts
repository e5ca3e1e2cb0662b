import { assertEquals } from "@std/assert";
import { IgnoreRules } from "../../src/tools/ignore.ts";

/** Which of these paths below `/w` the rules leave out; a folder ends with `/`. */
function ignored(text: string, paths: readonly string[], outer?: string): string[] {
  const rules = new IgnoreRules(text, "/w", outer === undefined ? undefined : new IgnoreRules(outer, "/"));
  return paths.filter((given) => {
    const path = `/w/${given.replace(/\/$/, "")}`;
    return rules.ignores({ path, name: path.slice(path.lastIndexOf("/") + 1), isFolder: given.endsWith("/") });
  });
}

Deno.test("IgnoreRules matches a name at any depth, and a path only from its own folder", () => {
  assertEquals(ignored("a", ["a", "b/a", "ab"]), ["a", "b/a"]);
  assertEquals(ignored("/a", ["a", "b/a"]), ["a"]);
  assertEquals(ignored("b/a", ["a", "b/a", "c/b/a"]), ["b/a"]);
});

Deno.test("IgnoreRules lets a slash at the end mean folders only", () => {
  assertEquals(ignored("a/", ["a", "a/", "b/a/"]), ["a/", "b/a/"]);
});

Deno.test("IgnoreRules lets the last line decide, and a folder's own file before those above", () => {
  assertEquals(ignored("*.log\n!keep.log", ["x.log", "keep.log"]), ["x.log"]);
  assertEquals(ignored("!keep.log\n*.log", ["keep.log"]), ["keep.log"]);
  assertEquals(ignored("!keep.log", ["x.log", "keep.log"], "*.log"), ["x.log"]);
});

Deno.test("IgnoreRules knows ** before, between and behind names", () => {
  assertEquals(ignored("**/a", ["a", "b/a", "b/c/a"]), ["a", "b/a", "b/c/a"]);
  assertEquals(ignored("a/**/b", ["a/b", "a/x/b", "a/x/y/b", "b"]), ["a/b", "a/x/b", "a/x/y/b"]);
  assertEquals(ignored("a/**", ["a/", "a/x", "a/x/y"]), ["a/x", "a/x/y"]);
  assertEquals(ignored("a**b/c", ["ab/c", "axb/c", "a/b/c"]), ["ab/c", "axb/c"]);
});

Deno.test("IgnoreRules keeps wildcards within one name", () => {
  assertEquals(ignored("/a*c", ["ac", "abbc", "a/c"]), ["ac", "abbc"]);
  assertEquals(ignored("x/?", ["x/a", "x/ab", "x/.b"]), ["x/a"]);
  assertEquals(ignored("*", [".hidden", "a/"]), [".hidden", "a/"]);
});

Deno.test("IgnoreRules reads sets with ranges, classes, negation and a bracket in front", () => {
  assertEquals(ignored("[a-c]1", ["a1", "c1", "d1"]), ["a1", "c1"]);
  assertEquals(ignored("[!a-c]1", ["a1", "d1"]), ["d1"]);
  assertEquals(ignored("[^a]1", ["a1", "d1"]), ["d1"]);
  assertEquals(ignored("[]x]", ["]", "x", "a"]), ["]", "x"]);
  assertEquals(ignored("[[:digit:]_]", ["1", "_", "a"]), ["1", "_"]);
  assertEquals(ignored("[a-]", ["a", "-", "b"]), ["a", "-"]);
});

Deno.test("IgnoreRules takes blanks, marks and escapes as git does", () => {
  assertEquals(ignored("a  ", ["a", "a  "]), ["a"]);
  assertEquals(ignored("a\\ ", ["a", "a "]), ["a "]);
  assertEquals(ignored("a\t", ["a", "a\t"]), ["a\t"]);
  assertEquals(ignored("#a\n\\#b", ["#a", "#b"]), ["#b"]);
  assertEquals(ignored("\\!a", ["!a", "a"]), ["!a"]);
  assertEquals(ignored("\\*", ["*", "a"]), ["*"]);
});

Deno.test("IgnoreRules reads files with a byte order mark and with CRLF", () => {
  assertEquals(ignored("\uFEFFa\r\nb/\r\n", ["a", "b/", "c"]), ["a", "b/"]);
});

Deno.test("IgnoreRules lets a broken pattern match nothing", () => {
  assertEquals(ignored("[a\nb\\\n[[:nonsense:]]\n/\n!\n\nc", ["[a", "b\\", "b", "n", "c"]), ["c"]);
});

Deno.test("IgnoreRules counts bytes as git does: one ? is half an é", () => {
  assertEquals(ignored("?", ["é", "e"]), ["e"]);
  assertEquals(ignored("??", ["é", "e"]), ["é"]);
  assertEquals(ignored("é*", ["é", "été"]), ["é", "été"]);
});

Deno.test("IgnoreRules is fast with patterns that take a backtracking matcher for ever", () => {
  const started = performance.now();
  assertEquals(ignored(`${"*a".repeat(60)}b\n${"**/".repeat(60)}x/y`, [`${"a/".repeat(60)}z`, "a".repeat(250)]), []);
  const elapsedMs = performance.now() - started;
  assertEquals(elapsedMs < 500, true, `${elapsedMs} ms`);
});
