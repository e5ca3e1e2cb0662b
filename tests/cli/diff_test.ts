import { assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { diffLines } from "../../src/cli/diff.ts";
import { diffRows } from "../../src/cli/diff_view.ts";
import { newLook } from "../testing/look.ts";

const look = (styled = false, columns = 40) => newLook({ styled, columns });

Deno.test("a change is shown with the lines around it, and far changes apart", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  const after = "a\nB\nc\nd\ne\nf\nG\nh\nnew\n";
  assertEquals(shown(before, after, 1), [[" a", "-b", "+B", " c"], [" f", "-g", "+G", " h", "+new"]]);
  assertEquals(shown(before, after, 3), [[" a", "-b", "+B", " c", " d", " e", " f", "-g", "+G", " h", "+new"]]);
});

Deno.test("equal texts have no difference, and an empty text has no lines", () => {
  assertEquals(diffLines("same\n", "same\n"), []);
  assertEquals(diffLines("", ""), []);
  assertEquals(shown("", "a\n"), [["+a"]]);
  assertEquals(shown("a\n", ""), [["-a"]]);
});

Deno.test("gaining or losing the last line end is a change", () => {
  assertEquals(diffLines("a", "a\n", 0), [[{ kind: "removed", text: "a" }, { kind: "added", text: "a\n" }]]);
});

Deno.test("the kept and the added lines make the new text, the kept and the removed ones the old, whatever they are", () => {
  const random = numbers(7);
  const text = () => Array.from({ length: random(14) }, () => "abc"[random(3)] + "\n").join("");
  for (let i = 0; i < 2000; i++) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after, 99).flat();
    if (before === after) continue;
    assertEquals(lines.filter(({ kind }) => kind !== "added").map((line) => line.text).join(""), before);
    assertEquals(lines.filter(({ kind }) => kind !== "removed").map((line) => line.text).join(""), after);
    const changes = diffLines(before, after, 1).flat().filter(({ kind }) => kind !== "same").length;
    assertEquals(changes, lines.filter(({ kind }) => kind !== "same").length);
  }
});

Deno.test("the difference is the smallest where that is cheap", () => {
  assertEquals(shown("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", 0).flat().length, 5);
});

Deno.test("large texts with very many changes are compared in bounded time", () => {
  const random = numbers(3);
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
  const cases: [string, string][] = [
    [lines.join("\n"), lines.map((line) => line.toUpperCase()).join("\n")],
    [lines.join("\n"), lines.map((line, i) => i % 5 ? line : "other").join("\n")],
    [lines.map(() => random(3)).join("\n"), lines.map(() => random(3)).join("\n")],
    ["\n".repeat(20_000) + "a", "x" + "\n".repeat(25_000)],
  ];
  for (const [before, after] of cases) {
    const changed = diffLines(before, after, 0).flat();
    const added = changed.filter(({ kind }) => kind === "added").length;
    const removed = changed.filter(({ kind }) => kind === "removed").length;
    assertEquals(added - removed, countLines(after) - countLines(before));
  }
});

Deno.test("removed lines are red, added ones green, and the rest grey", () => {
  const { red, green, grey } = makeStyles(true);
  assertEquals(diffRows({ before: "a\nb\n", after: "a\nc\n" }, look(true), 10), [
    grey("  a"),
    red("- b"),
    green("+ c"),
  ]);
});

Deno.test("long lines are broken and long changes cut, with the number of lines left out", () => {
  assertEquals(diffRows({ before: "", after: `${"x".repeat(10)}\n` }, look(false, 8), 10), ["+ xxxxxx", "xxxx"]);
  const after = Array.from({ length: 9 }, (_, i) => `${i}\n`).join("");
  assertEquals(diffRows({ before: "", after }, look(), 3), ["+ 0", "+ 1", "+ 2", "… 6 more lines"]);
});

Deno.test("characters that cannot be seen are named, carriage returns only where they change", () => {
  assertEquals(diffRows({ before: "a\u202eb\n", after: "a\x1b[31mb\n" }, look(), 10), [
    "- a⟨U+202E⟩b",
    "+ a⟨U+001B⟩[31mb",
  ]);
  assertEquals(diffRows({ before: "a\r\nb\r\n", after: "a\r\nc\r\n" }, look(), 10), ["  a", "- b", "+ c"]);
  assertEquals(diffRows({ before: "a\r\n", after: "a\n" }, look(), 10), ["- a⟨U+000D⟩", "+ a"]);
  assertEquals(diffRows({ before: "a", after: "a\n" }, look(), 10), ["- a", "  (no line end)", "+ a"]);
  assertEquals(diffRows({ before: "a", after: "a" }, look(), 10), ["(no change)"]);
});

/** Hunks with a mark before each line. */
function shown(before: string, after: string, context = 3): string[][] {
  const marks = { same: " ", removed: "-", added: "+" };
  return diffLines(before, after, context).map((hunk) => hunk.map(({ kind, text }) => marks[kind] + text.trimEnd()));
}

function countLines(text: string): number {
  return text.split("\n").length - Number(text.endsWith("\n"));
}

/** Numbers below a limit that are the same in each run. */
function numbers(seed: number): (limit: number) => number {
  return (limit) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % limit;
  };
}
