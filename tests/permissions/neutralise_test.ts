import { assert, assertEquals } from "@std/assert";
import { neutralise, visible } from "../../src/permissions/neutralise.ts";

Deno.test("neutralise() takes every escape sequence out", () => {
  const sequences = [
    ...[
      "\x1b[2J",
      "\x1b[1;31m",
      "\x1b[?25l",
      "\x1b[10;20H",
      "\x1b[ q",
      "\x9b2J",
      "\x1b]0;title\x07",
      "\x1b]52;c;eHg=\x1b\\",
    ],
    ...[
      "\x1b]8;;http://x/\x07",
      "\x9d0;t\x9c",
      "\x1bP+q544e\x1b\\",
      "\x90x\x9c",
      "\x1b_x\x1b\\",
      "\x1b^x\x1b\\",
      "\x1bXx\x1b\\",
    ],
    ...["\x1bc", "\x1b7", "\x1b(B", "\x1b#8", "\x1b=", "\x1bM"],
  ];
  for (const sequence of sequences) assertEquals([sequence, neutralise(`a${sequence}b`)], [sequence, "ab"]);
});

Deno.test("neutralise() leaves no raw control character, whatever is unfinished or nested", () => {
  const texts = [
    "\x1b",
    "\x1b[",
    "\x1b[12",
    "\x1b]0;never ends",
    "\x1bP",
    "\x1b\x1b[[2J2J",
    "\x1b[\x1b[2J",
    "a\x07b",
    "\x00",
    "\x7f",
  ];
  for (const text of [...texts, "\x85", "\x9b", "a\rb", "rm\b\bls", "\x1b]0;a\x1b[2Jb\x07", "\u2028", "\ud800"]) {
    const clean = neutralise(text);
    assert(!/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}]/u.test(clean), JSON.stringify(text));
  }
  assertEquals(neutralise("rm\b\bls"), "rm⟨U+0008⟩⟨U+0008⟩ls");
  assertEquals(neutralise("\x1b]0;x"), "⟨U+001B⟩]0;x");
});

Deno.test("neutralise() keeps a line of text and turns carriage returns into line breaks", () => {
  assertEquals(neutralise("plain\ttext\n"), "plain\ttext\n");
  assertEquals(neutralise("a\r\nb\rc"), "a\nb\nc");
  assertEquals(neutralise("N\bNA\bAM\bM _\bx"), "NAM x");
});

Deno.test("neutralise() shows what steers or hides text", () => {
  const shown = [
    "\u202e",
    "\u2066",
    "\u200e",
    "\u061c",
    "\u200b",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u034f",
    "\u3164",
    "\u{e0041}",
    "\u{e0001}",
  ];
  for (const char of shown) {
    const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    assertEquals(neutralise(`a${char}b`), `a⟨U+${code}⟩b`);
  }
  assertEquals(neutralise("a\u200db"), "a⟨U+200D⟩b");
  assertEquals(neutralise("a\ufe0fb"), "a⟨U+FE0F⟩b");
  assertEquals(neutralise("x\u{e0101}\u{e0102}"), "x⟨U+E0101⟩⟨U+E0102⟩");
  assertEquals(neutralise("😀\ufe0f\ufe0f"), "😀\ufe0f⟨U+FE0F⟩");
  assertEquals(neutralise("🏴\u{e0068}\u{e0069}\u{e007f}"), "🏴⟨U+E0068⟩⟨U+E0069⟩⟨U+E007F⟩");
});

Deno.test("neutralise() leaves ordinary writing alone", () => {
  const texts = [
    ...[
      "grüße",
      "日本語",
      "👩\u200d💻",
      "👩🏽\u200d🚀",
      "👨\u200d👩\u200d👧",
      "❤\ufe0f",
      "🏳\ufe0f\u200d🌈",
      "🇩🇪",
      "1\ufe0f\u20e3",
    ],
    ...[
      "می\u200cخواهم",
      "क्\u200dष",
      "e\u0301",
      "葛\u{e0100}",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    ],
    ...["a\u00a0b", "«\u202fx»", "\u0600123", "नमस्ते", "Ṩ̂"],
  ];
  for (const text of texts) assertEquals(neutralise(text), text);
});

Deno.test("visible() leaves nothing out and keeps line breaks", () => {
  assertEquals(visible("ls\n\ta b"), "ls\n\ta b");
  assertEquals(visible("a\x1b[2Jb\r\x07"), "a⟨U+001B⟩[2Jb⟨U+000D⟩⟨U+0007⟩");
  assertEquals(visible("a\u00a0b\u3000c\u2003"), "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2003⟩");
  assertEquals(visible("👩\u200d💻"), "👩⟨U+200D⟩💻");
  assertEquals(visible("x\u202e\u{e0041}\ud800\ufe0f"), "x⟨U+202E⟩⟨U+E0041⟩⟨U+D800⟩⟨U+FE0F⟩");
});

Deno.test("neutralise() and visible() take linear time on hostile texts", () => {
  const pieces = [
    "\x1b[",
    "\x1b]",
    "\x1b]0;",
    "\x1bP",
    "\x9b1",
    "\x9d",
    "\x90",
    "\x9d\x90\x9e",
    "_\b",
    "a\b",
    "\u200d",
    "👩\u200d",
    "\r",
    "\x1b[1;1",
    "\u{e0067}",
    "ش\u200c",
  ];
  for (const piece of pieces) {
    const started = performance.now();
    neutralise(piece.repeat(20_000));
    visible(piece.repeat(20_000));
    const ms = performance.now() - started;
    assert(ms < 1000, `${JSON.stringify(piece)} took ${Math.round(ms)} ms`);
  }
});
