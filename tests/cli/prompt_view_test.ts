import { assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { type EditorState, newEditor, withText } from "../../src/cli/line_editor.ts";
import { drawPrompt, echoRows, type PromptState } from "../../src/cli/prompt_view.ts";

Deno.test("what waits stands above the draft, a hint below it", () => {
  const { rows, cursor } = draw(withText(newEditor(), "draft"), { queue: ["one\ntwo\x1b[2J"], hint: "a hint" });
  assertEquals(rows, ["queued: one two (Esc takes it back)", "> draft", "a hint"]);
  assertEquals(cursor, { row: 1, column: 7 });
});

Deno.test("the answers on offer stand above the answer", () => {
  const { rows, cursor } = draw(newEditor(), { question: "[y]es or [n]o: ", queue: ["waits"] });
  assertEquals(rows, ["[y]es or [n]o:", "> "]);
  assertEquals(cursor, { row: 1, column: 2 });
});

Deno.test("of many completions a part around the chosen one is seen", () => {
  const candidates = Array.from({ length: 20 }, (_, i) => `file${i}\n`);
  const menu = (chosen?: number) => draw({ ...newEditor(), menu: { start: 0, candidates, chosen } }).rows.slice(1);
  assertEquals(menu(), [...[0, 1, 2, 3, 4, 5, 6].map((i) => `  file${i}`), "  … 13 more"]);
  assertEquals(menu(10)[3], "▸ file10");
  assertEquals(menu(19)[6], "▸ file19");
});

Deno.test("a search shows what is looked for and whether there is any", () => {
  const search = { query: "bui", found: 0, before: { text: "", cursor: 0 } };
  assertEquals(draw({ ...withText(newEditor(), "build"), search }).rows, ['search "bui": build']);
  assertEquals(draw({ ...newEditor(), search: { ...search, found: undefined } }).rows, ['no match "bui": ']);
  const wide = draw({ ...withText(newEditor(), "x"), search: { ...search, query: "你\t\n好" } });
  assertEquals(wide, { rows: ['search "你  好": x'], cursor: { row: 0, column: 18 } });
});

Deno.test("in a small terminal the draft keeps one row, and the cursor stands in it", () => {
  const menu = { start: 0, candidates: Array.from({ length: 9 }, (_, i) => `file${i}`) };
  for (const rows of [1, 2, 3, 5]) {
    for (const rest of [{ queue: ["x", "y", "z"] }, { question: "a long question ".repeat(20) }, { hint: "a hint" }]) {
      const block = draw({ ...withText(newEditor(), "a\nb\nc"), menu }, rest, rows);
      assertEquals(block.rows.length, rows);
      assertEquals(block.rows[block.cursor!.row]!.endsWith("c"), true, JSON.stringify(block));
    }
  }
});

Deno.test("what was sent stays as it was written, of very long inputs the beginning", () => {
  assertEquals(echoRows("one 你好\n\ttwo\n", 80), ["> one 你好", "      two"]);
  assertEquals(echoRows("abcdefgh", 8), ["> abcde", "  fgh"]);
  assertEquals(echoRows("ab\u202e", 2).join(""), "ab⟨U+202E⟩");
  const rows = echoRows("word ".repeat(200_000), 40);
  assertEquals([rows.length, rows.at(-1)], [21, "  … (1000000 characters)"]);
  assertEquals(echoRows("x\n".repeat(50), 40).length, 21);
});

function draw(editor: EditorState, rest: Partial<PromptState> = {}, rows = 20) {
  const state = { editor, queue: [], question: undefined, hint: "", ...rest };
  return drawPrompt(state, { columns: 60, rows }, makeStyles(false));
}
