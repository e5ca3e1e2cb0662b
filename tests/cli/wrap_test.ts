import { assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { textWidth } from "../../src/cli/text_width.ts";
import { paint, wrap, wrapHard } from "../../src/cli/wrap.ts";

const rows = (text: string, width: number) => wrap([{ text }], width).map(paint);

Deno.test("text breaks at blanks, which are left out, and inside a word only where it must", () => {
  assertEquals(rows("one two three", 7), ["one two", "three"]);
  assertEquals(rows("one  two", 4), ["one", "two"]);
  assertEquals(rows("a incomprehensible b", 6), ["a", "incomp", "rehens", "ible b"]);
  assertEquals(rows("", 5), [""]);
});

Deno.test("text breaks beside wide characters but not before a closing mark", () => {
  assertEquals(rows("你好世界", 5), ["你好", "世界"]);
  assertEquals(rows("你好，世界", 4), ["你", "好，", "世界"]);
  assertEquals(rows("ab你好", 4), ["ab你", "好"]);
});

Deno.test("no width is too small, and none makes a row wider than one character", () => {
  for (const width of [-3, 0, 1, 2, 5]) {
    for (const row of rows("a word 你好 👨‍👩‍👧 incomprehensible", width)) {
      const limit = Math.max(2, width);
      assertEquals(textWidth(row) <= limit, true, `${width}: ${row}`);
    }
  }
});

Deno.test("a text that grows never changes any row but its last", () => {
  const text = "some words 你好世界，and an incomprehensible one  with   gaps ".repeat(3);
  const whole = rows(text, 11);
  for (let end = 0; end <= text.length; end++) {
    const part = rows(text.slice(0, end), 11).slice(0, -1);
    assertEquals(part, whole.slice(0, part.length));
  }
});

Deno.test("each row is dressed by itself", () => {
  const { bold } = makeStyles(true);
  const painted = wrap([{ text: "a " }, { text: "bold word", style: bold }], 6).map(paint);
  assertEquals(painted, ["a " + bold("bold"), bold("word")]);
});

Deno.test("code is broken where the row is full and keeps its blanks", () => {
  assertEquals(wrapHard([{ text: "ab  cd  " }], 4).map(paint), ["ab  ", "cd  "]);
  assertEquals(wrapHard([{ text: "" }], 4).map(paint), [""]);
  assertEquals(wrapHard([{ text: "ab" }, { text: "cd" }], 3).map(paint), ["abc", "d"]);
  assertEquals(wrapHard([{ text: "a你好" }], 2).map(paint), ["a", "你", "好"]);
});
