import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { truncate } from "../../src/tools/truncate.ts";

const signal = new AbortController().signal;
const keep = () => Promise.resolve(undefined);

Deno.test("truncate() leaves a text alone that fits", async () => {
  const text = "x".repeat(2000);
  assertEquals(await truncate(text, { maxChars: 2000, signal, keep: () => Promise.reject(new Error("kept")) }), text);
});

Deno.test("truncate() cuts between lines and says what is missing", async () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}\n`);
  const cut = await truncate(lines.join(""), { maxChars: 2000, signal, keep });
  assert(cut.length <= 2000);
  const [head = "", note, tail = ""] = cut.split(/^(\[.*\])\n/m);
  const headLines = head.split("\n").length - 1;
  const tailLines = tail.split("\n").length - 1;
  assertEquals(head, lines.slice(0, headLines).join(""));
  assertEquals(tail, lines.slice(-tailLines).join(""));
  const missing = lines.slice(headLines, -tailLines);
  assertEquals(note, `[${missing.join("").length} characters in ${missing.length} lines left out]`);
});

Deno.test("truncate() names where all of the text is, and the line to read on at", async () => {
  const text = "0123456789\n".repeat(1000);
  let kept = "";
  const cut = await truncate(text, {
    maxChars: 2000,
    signal,
    keep: (whole) => {
      kept = whole;
      return Promise.resolve("/kept/output.txt");
    },
  });
  assertEquals(kept, text);
  const headLines = cut.slice(0, cut.indexOf("[")).split("\n").length - 1;
  assertMatch(
    cut,
    new RegExp(`all of it is in /kept/output.txt: read_file with offset ${headLines + 1} goes on here\\]`),
  );
});

Deno.test("truncate() cuts one endless line, and never through a character", async () => {
  for (const before of ["", "a"]) {
    const text = before + "😀".repeat(3000);
    const cut = await truncate(text, { maxChars: 2001, signal, keep });
    assert(cut.length <= 2001 && cut.length > 1000);
    assert(cut.isWellFormed());
    assertMatch(cut, /😀\n\[\d+ characters in 1 line left out\]\n😀/);
  }
});

Deno.test("truncate() counts the lines of a large text in slices and can be interrupted", async () => {
  const interrupt = new AbortController();
  const counting = truncate("\n".repeat(5_000_000), { maxChars: 2000, signal: interrupt.signal, keep });
  setTimeout(() => interrupt.abort(new Error("stop")), 0);
  await assertRejects(() => counting, Error, "stop");
});
