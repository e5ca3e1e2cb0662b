import { assert, assertEquals } from "@std/assert";
import { LinePage, type PageOptions } from "../../src/tools/line_page.ts";

function pageOf(pieces: string[], options: Partial<PageOptions> = {}): LinePage {
  const page = new LinePage({ offset: 1, maxLines: Infinity, maxChars: 1000, maxLineChars: 100, ...options });
  for (const piece of pieces) page.add(piece);
  page.end();
  return page;
}

Deno.test("LinePage gives the same page however the text is cut", () => {
  const text = "one\r\ntwo\n\nfour 🙂\r\nfive";
  const whole = pageOf([text]);
  assertEquals(whole.lines, ["1→one", "2→two", "3→", "4→four 🙂", "5→five"]);
  assertEquals([whole.totalLines, whole.returns, whole.endsWithNewline], [5, 2, false]);
  for (let cut = 0; cut <= text.length; cut++) {
    const page = pageOf([text.slice(0, cut), text.slice(cut)]);
    assertEquals([page.lines, page.totalLines, page.returns], [whole.lines, 5, 2], `cut at ${cut}`);
  }
});

Deno.test("LinePage counts lines that are not on the page", () => {
  const page = pageOf(["a\nb\nc\nd\n"], { offset: 2, maxLines: 2 });
  assertEquals(page.lines, ["2→b", "3→c"]);
  assertEquals(page.totalLines, 4);
  assert(page.endsWithNewline);
});

Deno.test("LinePage ends before a line that would not fit", () => {
  const page = pageOf(["aaaa\nbbbb\ncccc\n"], { maxChars: 14 });
  assertEquals(page.lines, ["1→aaaa", "2→bbbb"]);
  assertEquals(page.totalLines, 3);
});

Deno.test("LinePage cuts a long line and counts what is left", () => {
  const page = pageOf(["x".repeat(90), "x".repeat(90) + "\r\n", "y\n"]);
  assertEquals(page.lines, [`1→${"x".repeat(100)}… (80 more characters in this line)`, "2→y"]);
  assertEquals(page.cutLines, 1);
});

Deno.test("LinePage cuts a line on a character boundary", () => {
  assertEquals(pageOf(["a🙂b"], { maxLineChars: 2 }).lines, ["1→a… (3 more characters in this line)"]);
});

Deno.test("LinePage gets on though one line is larger than the page", () => {
  const page = pageOf(["x".repeat(500) + "\nnext\n"], { maxChars: 50 });
  assertEquals(page.lines, [`1→${"x".repeat(100)}… (400 more characters in this line)`]);
});

Deno.test("LinePage keeps a line of control characters within its size", () => {
  const [line = ""] = pageOf(["\x1b".repeat(500)]).lines;
  assertEquals(line, `1→${"⟨U+001B⟩".repeat(12)}… (488 more characters in this line)`);
});
