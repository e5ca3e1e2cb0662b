import { assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { LiveScreen } from "../../src/cli/live_screen.ts";
import { Screen } from "../testing/screen.ts";

Deno.test("text is printed above rows that change in place", () => {
  const { terminal, live } = start();
  live.show("prompt", () => ({ rows: ["> draft"], cursor: { row: 0, column: 7 } }));
  live.print("first");
  live.flush();
  assertEquals(terminal.lines, ["first", "> draft"]);
  live.show("status", () => ({ rows: ["working"] }));
  live.print("second");
  live.flush();
  assertEquals(terminal.lines, ["first", "second", "working", "> draft"]);
  live.show("status", undefined);
  live.flush();
  assertEquals(terminal.lines, ["first", "second", "> draft"]);
  assertEquals([terminal.row, terminal.column], [2, 7]);
  live.close();
  assertEquals(terminal.lines, ["first", "second", ""]);
  assertEquals([terminal.row, terminal.column], [2, 0]);
});

Deno.test("what has scrolled by is never written again", () => {
  const { terminal, live } = start(20, 4);
  live.show("prompt", () => ({ rows: ["> "], cursor: { row: 0, column: 2 } }));
  for (let i = 0; i < 30; i++) {
    live.print(`row ${i}`);
    live.flush();
  }
  live.close();
  assertEquals(terminal.all.trimEnd(), Array.from({ length: 30 }, (_, i) => `row ${i}`).join("\n"));
});

Deno.test("the rows in place never fill the terminal, and the prompt is seen before the rest", () => {
  for (const [rows, want] of [[4, ["c", "status", ">"]], [2, [">"]], [1, [">"]]] as const) {
    const { terminal, live } = start(20, rows);
    live.show("reply", () => ({ rows: ["a", "b", "c"] }));
    live.show("status", () => ({ rows: ["status"] }));
    live.show("prompt", () => ({ rows: ["> "], cursor: { row: 0, column: 2 } }));
    live.flush();
    assertEquals(terminal.lines, [...want]);
    live.close();
  }
});

Deno.test("a cursor above the last row is found again", () => {
  const { terminal, live } = start();
  let at = 0;
  live.show("prompt", () => ({ rows: ["> one", "  two", "hint"], cursor: { row: at, column: 5 } }));
  live.flush();
  assertEquals([terminal.row, terminal.column], [0, 5]);
  at = 1;
  live.print("above");
  live.flush();
  assertEquals(terminal.lines, ["above", "> one", "  two", "hint"]);
  assertEquals([terminal.row, terminal.column], [2, 5]);
  live.close();
});

Deno.test("many changes make one frame, and a frame that changes nothing writes nothing", () => {
  const { live, written } = start();
  live.show("prompt", () => ({ rows: ["> "] }));
  live.flush();
  const before = written.length;
  for (let i = 0; i < 100; i++) live.refresh();
  live.flush();
  assertEquals(written.length, before);
  for (let i = 0; i < 100; i++) live.print(`${i}`);
  live.flush();
  assertEquals(written.length, before + 1);
  live.close();
});

Deno.test("what arrived since the last frame is printed in the next", () => {
  const { terminal, live } = start();
  let arrived = "text";
  live.onFrame(() => {
    if (arrived !== "") live.print(arrived);
    arrived = "";
  });
  live.flush();
  assertEquals(terminal.lines[0], "text");
  arrived = "the rest";
  live.close();
  assertEquals(terminal.lines[1], "the rest");
  live.print("too late");
  live.redraw({ cleared: true });
  assertEquals(terminal.lines, ["text", "the rest", ""]);
});

Deno.test("rows that a smaller terminal has broken are cleared too", () => {
  const { terminal, live, written } = start(40, 10);
  live.show("prompt", () => ({ rows: [`> ${"x".repeat(30)}`], cursor: { row: 0, column: 32 } }));
  live.print("above");
  live.flush();
  // The terminal shrinks to 20 columns and breaks the row in two, the cursor stays behind the text.
  const narrow = new Screen(20, 10);
  narrow.write(`above\r\n> ${"x".repeat(30)}`);
  terminal.columns = 20;
  live.show("prompt", () => ({ rows: ["> x"], cursor: { row: 0, column: 3 } }));
  written.length = 0;
  live.redraw({ cleared: false });
  for (const text of written) narrow.write(text);
  assertEquals(narrow.lines, ["above", "> x"]);
  live.close();
});

Deno.test("styles do not count when rows are measured", () => {
  const { terminal, live } = start(20, 10);
  const { cyan } = makeStyles(true);
  live.show("status", () => ({ rows: [cyan("x".repeat(19))] }));
  live.show("prompt", () => ({ rows: ["> "], cursor: { row: 0, column: 2 } }));
  live.print("above");
  live.flush();
  live.redraw({ cleared: false });
  assertEquals(terminal.lines, ["above", "x".repeat(19), ">"]);
  live.close();
});

Deno.test("a terminal that was given back is drawn anew when it is ours again", () => {
  const { terminal, live } = start();
  live.show("prompt", () => ({ rows: ["> draft"], cursor: { row: 0, column: 7 } }));
  live.print("above");
  live.flush();
  live.withdraw();
  assertEquals(terminal.lines, ["above", ""]);
  terminal.write("$ fg\r\n");
  live.print("printed meanwhile");
  live.flush();
  live.redraw({ cleared: false });
  assertEquals(terminal.lines, ["above", "$ fg", ""]);
  live.redraw({ cleared: true });
  assertEquals(terminal.lines, ["above", "$ fg", "printed meanwhile", "> draft"]);
  live.clear();
  assertEquals(terminal.lines[0], "> draft");
  live.close();
});

function start(columns = 40, rows = 10) {
  const terminal = new Screen(columns, rows);
  const written: string[] = [];
  const live = new LiveScreen({
    write: (text) => {
      written.push(text);
      terminal.write(text);
    },
    size: () => ({ columns: terminal.columns, rows: terminal.rows }),
  });
  return { terminal, live, written };
}
