import { assertEquals } from "@std/assert";
import type { AgentEvent, TurnOutcome } from "../../src/agent/ui.ts";
import { makeStyles } from "../../src/cli/ansi.ts";
import { callRow, noticeRows, resultRows } from "../../src/cli/event_rows.ts";
import { textWidth } from "../../src/cli/text_width.ts";
import { NO_USAGE } from "../../src/llm/types.ts";
import { newLook } from "../testing/look.ts";

type Result = Extract<AgentEvent, { type: "tool_result" }>;

const styles = makeStyles(true);

Deno.test("a call is one cyan row of at most 120 columns", () => {
  assertEquals(
    callRow({ name: "read_file", subject: "a.txt" }, newLook({ styled: true })),
    styles.cyan("⏺ read_file a.txt"),
  );
  assertEquals(callRow({ name: "run_command", subject: "one\n\ttwo" }, newLook()), "⏺ run_command one two");
  assertEquals(
    textWidth(callRow({ name: "run_command", subject: "你".repeat(200) }, newLook({ columns: 500 }))) <= 120,
    true,
  );
  assertEquals(textWidth(callRow({ name: "run_command", subject: "x".repeat(200) }, newLook({ columns: 20 }))), 20);
  assertEquals(callRow({ name: "evil\x1b[2J", subject: "a\u202eb" }, newLook()), "⏺ evil a⟨U+202E⟩b");
  const search = (subject: string) => ({ name: "search_files", subject, input: { pattern: "f(o+)\n" } });
  assertEquals(callRow(search("."), newLook()), '⏺ search_files "f(o+) "');
  assertEquals(callRow(search("src"), newLook()), '⏺ search_files "f(o+) " in src');
});

Deno.test("a result is folded and grey, an error red", () => {
  assertEquals(resultRows(result("one\ntwo\n"), newLook({ styled: true })), [
    styles.grey("  ⎿ one"),
    styles.grey("    two"),
  ]);
  assertEquals(resultRows(result("1\n2\n3\n4\n5\n6\n"), newLook()), [
    "  ⎿ 1",
    "    2",
    "    3",
    "    4",
    "    … 2 more lines",
  ]);
  assertEquals(resultRows(result("Cannot read", { isError: true }), newLook({ styled: true })), [
    styles.red("  ⎿ Cannot read"),
  ]);
  assertEquals(resultRows(result("x".repeat(100)), newLook({ columns: 10 })), ["  ⎿ xxxxx…"]);
});

Deno.test("why something failed is not cut at the end of a row, but after a few rows", () => {
  const look = newLook({ columns: 24 });
  assertEquals(resultRows(result("Cannot read it: there is\nno such file", { isError: true }), look), [
    "  ⎿ Cannot read it:",
    "    there is",
    "    no such file",
  ]);
  const rows = resultRows(result("word ".repeat(100), { isError: true }), look);
  assertEquals([rows.length, rows.at(-1)], [7, "    …"]);
});

Deno.test("what failed because the person ended the turn is no error", () => {
  const event = result("Interrupted by the user", { isError: true });
  assertEquals(resultRows(event, newLook({ styled: true }), true), [styles.grey("  ⎿ Interrupted by the user")]);
});

Deno.test("of a command's output the last lines are shown, in rows of their own", () => {
  const display = { type: "terminal", output: "1\n2\r\n3\n4\x1b[2J\n5\n10 %\r20 %\n" } as const;
  assertEquals(resultRows(result("exit 0", { display }), newLook()), [
    "  ⎿ … 3 more lines",
    "    4",
    "    5",
    "    10 %",
    "    20 %",
  ]);
  assertEquals(resultRows(result("exit 1", { display: { type: "terminal", output: "" } }), newLook()), ["  ⎿ exit 1"]);
});

Deno.test("a change is shown as a diff and cut when it is long", () => {
  const display = { type: "diff", path: "a", before: "a\n", after: "b\n" } as const;
  assertEquals(resultRows(result("Edited", { display }), newLook({ styled: true })), [
    "  ⎿ " + styles.red("- a"),
    "    " + styles.green("+ b"),
  ]);
  const long = { type: "diff", path: "a", before: "", after: "x\n".repeat(100) } as const;
  const rows = resultRows(result("Written", { display: long }), newLook());
  assertEquals([rows.length, rows.at(-1)], [41, "    … 60 more lines"]);
});

Deno.test("todos are a list whose marks tell how far each is", () => {
  const display = {
    type: "todos",
    items: [
      { content: "read", status: "done" },
      { content: "write\nit", status: "in_progress" },
      { content: "test", status: "pending" },
    ],
  } as const;
  assertEquals(resultRows(result("ok", { display: { ...display, items: [...display.items] } }), newLook()), [
    "  ⎿ ☑ read",
    "    ▸ write it",
    "    ☐ test",
  ]);
  assertEquals(resultRows(result("ok", { display: { type: "todos", items: [] } }), newLook()), ["  ⎿ (no todos)"]);
});

Deno.test("a person is told of retries, compactions and notices", () => {
  const retry = { type: "retry", attempt: 2, maxAttempts: 5, delayMs: 1500, reason: "the stream broke" } as const;
  assertEquals(noticeRows(retry, newLook()), ["Retry 2 of 5 in 1.5 s: the stream broke"]);
  assertEquals(noticeRows({ type: "compaction", tokensBefore: 9000, tokensAfter: 1000, durationMs: 5 }, newLook()), [
    "Compacted the conversation: 9000 to 1000 tokens",
  ]);
  assertEquals(noticeRows({ type: "notice", text: "one\ntwo\x07" }, newLook()), ["one", "two⟨U+0007⟩"]);
});

Deno.test("a turn that simply ends says nothing, any other says how it ended", () => {
  const said = (outcome: TurnOutcome) =>
    noticeRows(
      { type: "turn_end", result: { outcome, text: "", usage: NO_USAGE, steps: 1 } },
      newLook({ columns: 99 }),
    );
  assertEquals(said("done"), []);
  assertEquals(said("interrupted"), ["(interrupted)"]);
  for (const outcome of ["refusal", "max_tokens", "max_steps", "stuck", "budget"] as const) {
    assertEquals(said(outcome).length, 1, outcome);
  }
});

function result(content: string, rest: Partial<Result> = {}): Result {
  return { type: "tool_result", id: "1", name: "tool", content, isError: false, ...rest };
}
