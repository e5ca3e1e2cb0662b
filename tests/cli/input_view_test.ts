import { assertEquals } from "@std/assert";
import { drawDraft, type Size } from "../../src/cli/input_view.ts";
import { textWidth } from "../../src/cli/text_width.ts";
import { Screen } from "../testing/screen.ts";

Deno.test("the cursor stands behind what was typed, by columns", () => {
  for (const text of ["", "hello", "你好，世界abc", "👨‍👩‍👧 flag 🇩🇪 e\u0301", "ｶﾞ 한글 ☃"]) {
    const { rows, cursor } = draw(text, text.length);
    assertEquals(rows, [`> ${text}`]);
    assertEquals(cursor, { row: 0, column: 2 + textWidth(text) });
  }
  assertEquals(draw("你好", 1).cursor, { row: 0, column: 4 });
});

Deno.test("a draft is broken where the row is full, never inside a wide character, and the last column is free", () => {
  const { rows, cursor } = draw("你好世界你好", 6, { columns: 8, rows: 10 });
  assertEquals(rows, ["> 你好", "  世界", "  你好"]);
  assertEquals(cursor, { row: 2, column: 6 });
  assertEquals(draw("abcde", 5, { columns: 8, rows: 10 }).cursor, { row: 0, column: 7 });
  assertEquals(draw("abcdef", 5, { columns: 8, rows: 10 }).cursor, { row: 1, column: 2 });
});

Deno.test("lines are indented like the first, and the cursor may stand at any of their ends", () => {
  const text = "one\n\ttwo\n";
  assertEquals(draw(text, 0).rows, ["> one", "      two", "  "]);
  assertEquals(draw(text, 3).cursor, { row: 0, column: 5 });
  assertEquals(draw(text, 4).cursor, { row: 1, column: 2 });
  assertEquals(draw(text, 5).cursor, { row: 1, column: 6 });
  assertEquals(draw(text, 9).cursor, { row: 2, column: 2 });
});

Deno.test("of a draft that is higher than the room the part around the cursor is seen", () => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const text = lines.join("\n");
  assertEquals(draw(text, 0, { columns: 40, rows: 3 }).rows, ["> line 0", "  line 1", "  line 2"]);
  assertEquals(draw(text, text.length, { columns: 40, rows: 3 }).rows, ["… line 47", "  line 48", "  line 49"]);
  const middle = text.indexOf("line 25");
  const { rows, cursor } = draw(text, middle, { columns: 40, rows: 3 });
  assertEquals(rows, ["… line 24", "  line 25", "  line 26"]);
  assertEquals(cursor, { row: 1, column: 2 });
});

Deno.test("a line of 1 MiB is drawn from the part around the cursor, the same wherever the cursor is", () => {
  const text = "word 你 ".repeat(150_000);
  for (const cursor of [0, 100, 77_777, 524_288, text.length - 1, text.length]) {
    const { rows, cursor: place } = draw(text, cursor, { columns: 40, rows: 6 });
    assertEquals(rows.length, 6);
    const screen = new Screen(40, 6);
    screen.write(rows.join("\r\n"));
    screen.row = place!.row;
    screen.column = place!.column;
    const before = text.slice(Math.max(0, cursor - 3), cursor);
    if (place!.column > 6) assertEquals(screen.before.endsWith(before), true, `${cursor}: ${screen.before}`);
  }
});

Deno.test("no size is too small", () => {
  for (const columns of [1, 2, 3, 4, 5, 20]) {
    for (const rows of [1, 2, 10]) {
      for (const text of ["", "hi", "你好\n\tx", "👨‍👩‍👧🇩🇪"]) {
        for (let cursor = 0; cursor <= text.length; cursor++) {
          const block = draw(text, cursor, { columns, rows });
          assertEquals(block.rows.length >= 1 && block.rows.length <= rows, true);
          const { row, column } = block.cursor!;
          assertEquals(row >= 0 && row < rows && column >= 0 && column < columns, true, `${columns} ${rows} ${text}`);
        }
      }
    }
  }
});

Deno.test("what cannot be seen in a pasted draft is named", () => {
  assertEquals(draw("a\u202eb", 3).rows, ["> a⟨U+202E⟩b"]);
  assertEquals(draw("a\u202eb", 3).cursor, { row: 0, column: 12 });
});

function draw(text: string, cursor: number, size: Size = { columns: 80, rows: 24 }) {
  return drawDraft({ text, cursor }, size);
}
