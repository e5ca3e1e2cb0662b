import { assert, assertEquals } from "@std/assert";
import { TerminalText, terminalText } from "../../src/tools/terminal_text.ts";

const cases: [name: string, input: string, output: string][] = [
  ["leaves plain text as it is", "one\n\ttwo\n\nthree", "one\n\ttwo\n\nthree"],
  ["takes CRLF as a line break", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["removes colours", "\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mblue\x1b[m\n", "red and blue\n"],
  ["removes titles and clipboard writes", "a\x1b]0;title\x07b\x1b]52;c;aGk=\x1b\\c\n", "abc\n"],
  ["keeps the text of a hyperlink", "\x1b]8;;https://a.example/\x07text\x1b]8;;\x07\n", "text\n"],
  [
    "removes device control, application and privacy strings",
    "a\x1bPq#0~\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e",
    "abcde",
  ],
  ["removes the 8-bit forms", "a\x9b31mb\x9d0;t\x9cc\x90q\x9cd\n", "abcd\n"],
  ["removes a character set and keypad modes", "\x1b(Ba\x1b=b\x1b>c\x1b7\x1b8", "abc"],
  ["an unfinished title ends at the line break", "a\x1b]0;title\nb\n", "a\nb\n"],
  ["a sequence with a strange character in it ends there", "a\x1b[12\u00e4b\n", "aäb\n"],
  ["an escape at the very end is dropped", "a\x1b", "a"],
  ["drops bells and other control characters", "a\x07b\x0e\x0fc\x7fd\n", "abcd\n"],
  ["shows a NUL", "a\0b\n", "a␀b\n"],
  ["keeps the last state of a progress line", "10%\r50%\r100%\ndone\n", "100%\ndone\n"],
  ["what is not overwritten stays", "abcdef\rxy\n", "xycdef\n"],
  ["a return before the end of the line overwrites nothing", "abc\r", "abc"],
  ["erases to the end of the line", "abcdef\rxy\x1b[K\n", "xy\n"],
  ["erases the whole line", "abcdef\x1b[2K\rxy\n", "xy\n"],
  ["erases the beginning of the line", "abcdef\x1b[3D\x1b[1K\n", "   def\n"],
  ["erases all of a line from beyond its end", "abc\x1b[5C\x1b[1K\n", "   \n"],
  ["goes down no further than there are lines", "a\nb\x1b[2Ac\x1b[9Bd\n", "ac\nb d\n"],
  ["understands backspaces", "abd\bc\n", "abc\n"],
  ["reads overstruck text once", "N\bNA\bAM\bME\bE\n", "NAME\n"],
  ["a backspace at the start of the line stays there", "\b\babc\n", "abc\n"],
  ["moves the cursor in the line", "abc\x1b[2Dx\x1b[1Cy\x1b[1Gz\n", "zxcy\n"],
  ["fills up when the cursor has moved beyond the end", "a\x1b[3Cb\n", "a   b\n"],
  ["keeps the last state of several progress lines", "a 1%\nb 1%\n\x1b[2Aa 9%\nb 9%\n", "a 9%\nb 9%\n"],
  ["erases lines upwards as progress painters do", "x\ny\n\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gdone\n", "done\n\n"],
  ["erases to the end of the screen", "a\nb\nc\n\x1b[2A\x1b[Jnew\n", "a\nnew\n"],
  ["cannot go up beyond the first line", "a\n\x1b[99Ab\n", "b\n"],
  ["keeps what stood on a screen that is cleared", "before\n\x1b[2J\x1b[Hafter\n", "before\nafter\n"],
  ["separates what is written to different places of the screen", "\x1b[1;1Hone\x1b[5;9Htwo\n", "one\ntwo\n"],
  ["drops what a full-screen program drew", "a\n\x1b[?1049hdrawn\nhere\x1b[?1049lb\n", "a\nb\n"],
  ["keeps what a full-screen program drew when it never leaves", "a\n\x1b[?1049hdrawn\n", "a\ndrawn\n"],
  ["leaves no half of a surrogate pair", "😀\rx\n", "x\ufffd\n"],
];

for (const [name, input, output] of cases) {
  Deno.test(`terminalText() ${name}`, () => assertEquals(terminalText(input), output));

  Deno.test(`TerminalText ${name}, one character at a time`, () => {
    const terminal = new TerminalText();
    let text = "";
    for (const character of input) text += terminal.write(character);
    assertEquals(text + terminal.flush(), output);
  });
}

Deno.test("TerminalText.write() returns what can no longer change, and flush() the rest", () => {
  const terminal = new TerminalText();
  const lines = Array.from({ length: 150 }, (_, i) => `${i}\n`).join("");
  const first = terminal.write(lines);
  assertEquals(first + terminal.write("last") + terminal.flush(), lines + "last");
  assert(first.length > 0);
  assertEquals(terminal.write("more") + terminal.flush(), "more");
});

Deno.test("TerminalText skips a clipboard write of any length", () => {
  const terminal = new TerminalText();
  let text = terminal.write("a\x1b]52;c;");
  for (let i = 0; i < 100; i++) text += terminal.write("A".repeat(10_000));
  assertEquals(text + terminal.write("\x07b") + terminal.flush(), "ab");
});

Deno.test("terminalText() does not make much of little", () => {
  const text = "\x1b[999Cx\n".repeat(1000) + "\n".repeat(90) + "\x1b[900G" + "\x1b[Ax\b".repeat(90) +
    "\x1b[999B".repeat(1000);
  assert(terminalText(text).length < 2 * text.length);
});

Deno.test("TerminalText keeps the same text in large and in small pieces", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `${"x".repeat(i)}\r${i}\x1b[K\n${i % 3 ? "" : "\x1b[A"}`).join(
    "",
  );
  const terminal = new TerminalText();
  let text = "";
  for (let at = 0; at < lines.length; at += 7) text += terminal.write(lines.slice(at, at + 7));
  assertEquals(text + terminal.flush(), terminalText(lines));
});

const hostile: [name: string, unit: string][] = [
  ["returns", "\ra"],
  ["a long line and returns", `${"x".repeat(900)}\r`],
  ["moves up", "\x1b[Aa"],
  ["moves up and line breaks", "\x1b[99A\n\n"],
  ["moves down", "\x1b[999B"],
  ["unfinished sequences", "\x1b[1;2;3"],
  ["sequence starts", "\x1b]\x1bP"],
  ["screens", "\x1b[?1049hx\x1b[2J"],
  ["line breaks", "y\n"],
  ["one line", "y"],
];
for (const [name, unit] of hostile) {
  Deno.test(`terminalText() takes linear time for ${name}`, () => {
    const time = (chars: number) => {
      const text = `${"z".repeat(10_000)}\n`.repeat(5) + unit.repeat(chars / unit.length);
      const start = performance.now();
      terminalText(text);
      return performance.now() - start;
    };
    time(100_000);
    assert(time(1_000_000) < 40 * Math.max(time(100_000), 2), "ten times the text took over forty times as long");
  });
}
