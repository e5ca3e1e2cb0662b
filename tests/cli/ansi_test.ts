import { assertEquals } from "@std/assert";
import { makeStyles, takesStyles, withoutStyles } from "../../src/cli/ansi.ts";

Deno.test("styles are off with a NO_COLOR that is not empty, on a dumb terminal and without one", () => {
  assertEquals(takesStyles({ isTerminal: true, term: "xterm" }), true);
  assertEquals(takesStyles({ isTerminal: true, term: undefined, noColor: undefined }), true);
  assertEquals(takesStyles({ isTerminal: true, noColor: "" }), true);
  assertEquals(takesStyles({ isTerminal: true, noColor: "0" }), false);
  assertEquals(takesStyles({ isTerminal: true, term: "dumb" }), false);
  assertEquals(takesStyles({ isTerminal: false, term: "xterm" }), false);
});

Deno.test("a style that is on can be nested in another and be taken out again", () => {
  const styles = makeStyles(true);
  const text = styles.bold(`a ${styles.red("b")} c`);
  assertEquals(text, "\x1b[1ma \x1b[31mb\x1b[39m c\x1b[22m");
  assertEquals(withoutStyles(text), "a b c");
});

Deno.test("styles that are off, and styles of nothing, add nothing", () => {
  const { on: _, ...off } = makeStyles(false);
  for (const style of Object.values(off)) assertEquals(style("text"), "text");
  assertEquals(makeStyles(true).green(""), "");
});
