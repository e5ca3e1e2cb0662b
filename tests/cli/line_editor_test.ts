import { assertEquals } from "@std/assert";
import { KeyDecoder } from "../../src/cli/keys.ts";
import {
  afterSubmit,
  applyKey,
  type EditorState,
  newEditor,
  withCompletions,
  withText,
} from "../../src/cli/line_editor.ts";

const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const HOME = "\x1b[H";
const END = "\x1b[F";
const BACKSPACE = "\x7f";
const DELETE = "\x1b[3~";

Deno.test("keys edit the draft at the cursor", () => {
  const drafts: [string, string][] = [
    ["abc", "abc|"],
    [`abc${LEFT}${LEFT}x`, "ax|bc"],
    [`abc${LEFT}${BACKSPACE}`, "a|c"],
    [`abc${HOME}${DELETE}`, "|bc"],
    [`abc${HOME}x${END}y`, "xabcy|"],
    ["abc\x01x\x05y", "xabcy|"], // Ctrl+A, Ctrl+E
    ["abc\x02x\x06y", "abxcy|"], // Ctrl+B, Ctrl+F
    ["abc\x01\x04", "|bc"], // Ctrl+D in a draft deletes
    [BACKSPACE + LEFT + RIGHT + DELETE, "|"],
  ];
  for (const [keys, want] of drafts) assertEquals(shown(type(keys)), want, JSON.stringify(keys));
});

Deno.test("one step, and one deletion, is one visible character", () => {
  for (const character of ["你", "👨‍👩‍👧", "🇩🇪", "e\u0301", "ｶﾞ", "한", "👍🏽", "❤\ufe0f", "\u0e01\u0e33"]) {
    assertEquals(shown(type(`a${character}b${LEFT}${LEFT}`)), `a|${character}b`, character);
    assertEquals(shown(type(`a${character}b${LEFT}${BACKSPACE}`)), "a|b", character);
    assertEquals(shown(type(`a${character}b${HOME}${RIGHT}${RIGHT}`)), `a${character}|b`, character);
    assertEquals(shown(type(`a${character}b${HOME}${RIGHT}${DELETE}`)), "a|b", character);
  }
  assertEquals(shown(type(`🇩🇪🇫🇷🇮🇹${BACKSPACE}`)), "🇩🇪🇫🇷|");
});

Deno.test("word keys move and delete by words", () => {
  const drafts: [string, string][] = [
    ["one two-three\x1bb", "one two-|three"],
    ["one two\x1b[1;5D\x1b[1;5D", "|one two"],
    ["one  two\x01\x1bf", "one|  two"],
    ["one two\x01\x1b[1;3C\x1b[1;3C", "one two|"],
    ["one two-three\x17", "one |"], // Ctrl+W: back to the blank
    ["one two-three\x1b\x7f", "one two-|"], // Alt+Backspace: by letters
    ["one two\x01\x1bd", "| two"],
    ["naïve élan\x1bb", "naïve |élan"],
  ];
  for (const [keys, want] of drafts) assertEquals(shown(type(keys)), want, JSON.stringify(keys));
});

Deno.test("what a line or word key deleted can be put back", () => {
  assertEquals(shown(type(`one two${LEFT}${LEFT}\x0b`)), "one t|"); // Ctrl+K
  assertEquals(shown(type("one two\x17\x19\x19")), "one twotwo|"); // Ctrl+W, Ctrl+Y twice
  assertEquals(shown(type(`one two${LEFT}\x15\x05\x19`)), "oone tw|"); // Ctrl+U
  assertEquals(shown(type(`ab\x1b\rcd${HOME}\x15`)), "ab|cd"); // at its start it joins the line to the one above
  assertEquals(shown(type(`ab\x1b\rcd${UP}\x05\x0b`)), "ab|cd");
});

Deno.test("a draft has more lines after Alt+Enter, Shift+Enter, a backslash at its end, or a paste", () => {
  assertEquals(shown(type("a\x1b\rb")), "a\nb|");
  assertEquals(shown(type("a\x1b[13;2ub")), "a\nb|");
  assertEquals(shown(type("a\\\rb")), "a\nb|");
  assertEquals(
    shown(type("\x1b[200~line one\r\tline two\r\nline three\x1b[201~")),
    "line one\n\tline two\nline three|",
  );
});

Deno.test("Up and Down move between lines and keep the column that is seen", () => {
  assertEquals(shown(type(`abcdef\x1b\r你好\x1b\rabcdef${LEFT}${LEFT}${UP}`)), "abcdef\n你好|\nabcdef");
  assertEquals(shown(type(`abcdef\x1b\r你好\x1b\rabcd${UP}${UP}`)), "abcd|ef\n你好\nabcd");
  assertEquals(shown(type(`abc\x1b\r你好${LEFT}${UP}`)), "ab|c\n你好");
  assertEquals(shown(type(`abcdef\x1b\rx${UP}${END}${DOWN}`)), "abcdef\nx|");
});

Deno.test("Up and Down go through earlier inputs and come back to the own draft", () => {
  const history = ["first", "second\nof two lines"];
  assertEquals(shown(type(`own${UP}`, newEditor(history))), "second\nof two lines|");
  assertEquals(shown(type(`own${UP}${UP}${UP}`, newEditor(history))), "first|");
  assertEquals(shown(type(`own${UP}${UP}${UP}${UP}${UP}`, newEditor(history))), "first|");
  assertEquals(shown(type(`own${UP}${UP}${UP}${DOWN}${DOWN}${DOWN}`, newEditor(history))), "own|");
  assertEquals(shown(type(`own\x10\x10\x10\x0e\x0e\x0e`, newEditor(history))), "own|"); // Ctrl+P, Ctrl+N
});

Deno.test("an earlier input that was changed is a draft of its own, and the history stays", () => {
  const state = type(`${UP}!`, newEditor(["first", "second"]));
  assertEquals(shown(state), "second!|");
  assertEquals(state.history, ["first", "second"]);
  assertEquals(shown(type(UP, state)), "second|");
});

Deno.test("Ctrl+R finds the newest input that holds what is typed, then older ones", () => {
  const editor = newEditor(["build one", "test", "build two"]);
  assertEquals(shown(type("\x12bui", editor)), "build two|");
  assertEquals(shown(type("\x12bui\x12", editor)), "build one|");
  assertEquals(shown(type("\x12buix" + BACKSPACE, editor)), "build two|");
  assertEquals(type("\x12nothing", editor).search?.found, undefined);
  assertEquals(shown(type(`\x12bui${LEFT}!`, editor)), "build tw!|o"); // any other key takes what was found
});

Deno.test("a search that is cancelled gives the draft back", () => {
  const editor = newEditor(["build one"]);
  assertEquals(shown(type(`draft${LEFT}\x12bui\x07`, editor)), "draf|t"); // Ctrl+G
  assertEquals(shown(type("draft\x12bui\x03", editor)), "draft|"); // Ctrl+C
});

Deno.test("keys that are not for the draft are told to the program", () => {
  const effects: [string, string][] = [
    ["\r", "submit"],
    ["\x03", "cancel"],
    ["\x04", "end"],
    ["\x1b\x1b", "escape"],
    ["\t", "complete"],
    ["\x0c", "redraw"],
    ["\x1a", "suspend"],
  ];
  for (const [keys, want] of effects) {
    assertEquals(applyKey(newEditor(), new KeyDecoder().push(new TextEncoder().encode(keys))[0]!).effect, want);
  }
});

Deno.test("a sent draft joins the history once, an empty one never", () => {
  const sent = afterSubmit(type("hello"));
  assertEquals([sent.text, sent.history], ["", ["hello"]]);
  assertEquals(afterSubmit(type("hello", sent)).history, ["hello"]);
  assertEquals(afterSubmit(type("  ", sent)).history, ["hello"]);
  assertEquals(shown(withText(sent, "other")), "other|");
});

Deno.test("completions put in what they share, and Tab goes through them", () => {
  const typed = type("see @s");
  assertEquals(shown(withCompletions(typed, 5, ["src/ "])), "see @src/ |");
  const menu = withCompletions(typed, 5, ["src/one.ts", "src/other.ts"]);
  assertEquals(shown(menu), "see @src/o|");
  assertEquals(shown(type("\t", menu)), "see @src/one.ts|");
  assertEquals(shown(type("\t\t", menu)), "see @src/other.ts|");
  assertEquals(shown(type("\t\t\t", menu)), "see @src/one.ts|");
  assertEquals(shown(type("\x1b[Z", menu)), "see @src/other.ts|");
  assertEquals(type("\tx", menu).menu, undefined);
  assertEquals(shown(withCompletions(typed, 5, [])), "see @s|");
  const unlike = withCompletions(type("see @"), 5, ["a.ts", '"b c.ts"']);
  assertEquals([shown(unlike), shown(type("\t\t", unlike))], ["see @|", 'see @"b c.ts"|'], "nothing is shared");
});

Deno.test("a draft of 1 MiB is edited as any other", () => {
  const big = "你好 ".repeat(350_000);
  let state = withText(newEditor(), big);
  for (let i = 0; i < 20; i++) state = type(`x${LEFT}${LEFT}${RIGHT}${BACKSPACE}`, state);
  assertEquals(state.text.length, big.length);
});

/** The editor after these bytes were typed. */
function type(keys: string, state: EditorState = newEditor()): EditorState {
  for (const key of new KeyDecoder().push(new TextEncoder().encode(keys))) state = applyKey(state, key).state;
  return state;
}

/** The draft with a bar for the cursor. */
function shown({ text, cursor }: EditorState): string {
  return text.slice(0, cursor) + "|" + text.slice(cursor);
}
