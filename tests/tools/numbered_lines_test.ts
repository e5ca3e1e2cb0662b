import { assert, assertEquals } from "@std/assert";
import { cutText, excerpt, hasLineNumbers, lineNumberAt, numberLine } from "../../src/tools/numbered_lines.ts";

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");

function spanOf(text: string, piece: string) {
  const start = text.indexOf(piece);
  return { start, end: start + piece.length };
}

Deno.test("numberLine() shows control characters and leaves tabs", () => {
  assertEquals(numberLine(7, "\ta\x1b[2J\x9b\0"), "7→\ta⟨U+001B⟩[2J⟨U+009B⟩⟨U+0000⟩");
});

Deno.test("hasLineNumbers() knows pasted numbers from arrows of the file's own", () => {
  assert(hasLineNumbers("12→a\n13→b"));
  assert(hasLineNumbers("   12→a\r\n13→\r\n"));
  assert(!hasLineNumbers("12→a\nb"));
  assert(!hasLineNumbers("a → b"));
});

Deno.test("cutText() does not cut through a character", () => {
  assertEquals(cutText("a🙂b", 2), "a");
  assertEquals(cutText("a🙂b", 3), "a🙂");
});

Deno.test("lineNumberAt() counts a line end to its line", () => {
  assertEquals([0, 1, 2, 3].map((index) => lineNumberAt("a\nb\n", index)), [1, 1, 2, 2]);
});

Deno.test("excerpt() shows the lines around a piece", () => {
  assertEquals(excerpt(ten, spanOf(ten, "line 5\nline"), 1), "4→line 4\n5→line 5\n6→line 6\n7→line 7");
});

Deno.test("excerpt() ends with the text", () => {
  assertEquals(excerpt("a\nb", { start: 0, end: 1 }, 3), "1→a\n2→b");
  assertEquals(excerpt("a\nb\n", { start: 2, end: 3 }, 3), "1→a\n2→b");
  assertEquals(excerpt("\n", { start: 0, end: 0 }, 3), "1→");
});

Deno.test("excerpt() shows where lines were removed", () => {
  assertEquals(excerpt("a\nb\nc\n", { start: 2, end: 2 }, 1), "1→a\n2→b\n3→c");
});

Deno.test("excerpt() leaves out the middle of a long piece", () => {
  const text = "x\n".repeat(100);
  const lines = excerpt(text, { start: 0, end: text.length }, 0).split("\n");
  assertEquals(lines.length, 41);
  assertEquals(lines[20], "(60 lines left out)");
  assertEquals(lines.at(-1), "100→x");
});

Deno.test("excerpt() shows the part of an endless line that matters", () => {
  const text = `${"a".repeat(5000)}NEEDLE${"b".repeat(5000)}`;
  const shown = excerpt(text, spanOf(text, "NEEDLE"), 3);
  assertEquals(
    shown,
    `1→(4900 characters left out) …${"a".repeat(100)}NEEDLE${"b".repeat(394)}… (4606 characters left out)`,
  );
});
