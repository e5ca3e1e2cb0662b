import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { AgentEvent } from "../../src/agent/ui.ts";
import { makeStyles } from "../../src/cli/ansi.ts";
import { type ModelResponse, NO_USAGE } from "../../src/llm/types.ts";
import { newTerminal } from "../testing/terminal.ts";

const never = new AbortController().signal;
const styles = makeStyles(true);

Deno.test("a turn is shown in order, unlike things set apart by an empty row", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  for (
    const event of [
      { type: "text_delta", text: "I will **lo" },
      { type: "text_delta", text: "ok**.\nHere" },
      reply(),
      { type: "tool_call", id: "1", name: "list_files", subject: ".", input: {} },
      { type: "tool_result", id: "1", name: "list_files", content: "a.txt\nb.txt", isError: false },
      { type: "text_delta", text: "Two files." },
      reply(),
      { type: "turn_end", result: { outcome: "done", text: "", usage: NO_USAGE, steps: 2 } },
    ] satisfies AgentEvent[]
  ) ui.show(event);
  ui.endTurn();
  assertEquals(
    seen(),
    ["I will look.", "Here", "", "⏺ list_files .", "  ⎿ a.txt", "    b.txt", "", "Two files."].toSpliced(0, 0, ""),
  );
  live.close();
});

Deno.test("text is seen while it is still arriving", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  ui.show({ type: "text_delta", text: "a finished line\nhalf a li" });
  assertEquals(seen().slice(0, 3), ["", "a finished line", "half a li"]);
  ui.show({ type: "text_delta", text: "ne" });
  assertEquals(seen()[2], "half a line");
  ui.endTurn();
  assertEquals(seen(), ["", "a finished line", "half a line"]);
  live.close();
});

Deno.test("while it waits it says for what, how long, and how many tokens", () => {
  const { ui, live, seen } = newTerminal({ columns: 100 });
  ui.startTurn(never);
  assertMatch(seen().at(-1)!, /^\S Waiting for the model · 0s · Ctrl\+C ends the turn$/);
  ui.show({ type: "thinking_delta", text: "x".repeat(40) });
  assertMatch(seen().at(-1)!, /Thinking · 0s · 10 tokens/);
  ui.show({ type: "tool_use_start", id: "1", name: "run_command" });
  assertMatch(seen().at(-1)!, /Calling run_command/);
  ui.show(reply(1234));
  ui.show({ type: "tool_call", id: "1", name: "run_command", subject: "make", input: {} });
  ui.show({ type: "tool_output", id: "1", text: "one\ntwo\nthree\n\x1b[31mfour" });
  assertMatch(seen().at(-1)!, /Running run_command · 0s · 1\.2k tokens/);
  assertEquals(seen().slice(-4, -1), ["    two", "    three", "    four"]);
  ui.endTurn();
  assertEquals(seen().at(-1), "⏺ run_command make");
  live.close();
});

Deno.test("a reply that broke off is marked as cut, and what comes then stands by itself", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  ui.show({ type: "text_delta", text: "Half of **an ans" });
  ui.show({ type: "retry", attempt: 1, maxAttempts: 5, delayMs: 500, reason: "the stream broke" });
  ui.show({ type: "text_delta", text: "The answer." });
  ui.show(reply());
  ui.endTurn();
  assertEquals(seen(), [
    "",
    "Half of **an ans",
    "",
    "[cut: the reply broke off here and is asked again]",
    "Retry 1 of 5 in 0.5 s: the stream broke",
    "",
    "The answer.",
  ]);
  live.close();
});

Deno.test("a retry before any text was shown cuts nothing", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  ui.show({ type: "retry", attempt: 1, maxAttempts: 5, delayMs: 500, reason: "busy" });
  ui.endTurn();
  assertEquals(seen(), ["", "Retry 1 of 5 in 0.5 s: busy"]);
  live.close();
});

Deno.test("a turn that was ended shows what was there and that it was interrupted, nothing in red", () => {
  const { ui, live, seen, raw } = newTerminal({ styled: true });
  const turn = new AbortController();
  ui.startTurn(turn.signal);
  ui.show({ type: "tool_call", id: "1", name: "run_command", subject: "make", input: {} });
  turn.abort();
  ui.show({ type: "tool_result", id: "1", name: "run_command", content: "Interrupted by the user", isError: true });
  ui.show({ type: "turn_end", result: { outcome: "interrupted", text: "", usage: NO_USAGE, steps: 1 } });
  ui.endTurn();
  assertEquals(seen(), ["", "⏺ run_command make", "  ⎿ Interrupted by the user", "", "(interrupted)"]);
  assertEquals(raw().includes("\x1b[31m"), false);
  live.close();
});

Deno.test("results of calls that ran side by side are named", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  ui.show({ type: "tool_call", id: "1", name: "read_file", subject: "a", input: {} });
  ui.show({ type: "tool_call", id: "2", name: "list_files", subject: "b", input: {} });
  ui.show({ type: "tool_result", id: "2", name: "list_files", content: "two", isError: false });
  ui.show({ type: "tool_result", id: "1", name: "read_file", content: "one", isError: false });
  ui.endTurn();
  assertEquals(seen().slice(1), ["⏺ read_file a", "⏺ list_files b", "  ⎿ two", "⏺ read_file a", "  ⎿ one"]);
  live.close();
});

Deno.test("a question shows what it is about; its answer stays on the screen and the change is not shown twice", async () => {
  const { ui, live, questions, seen } = newTerminal();
  const display = { type: "diff", path: "a", before: "old\n", after: "new\n" } as const;
  ui.startTurn(never);
  const decision = ui.confirm({ tool: "edit_file", subject: "a", reason: "mode ask", display }, never);
  assertEquals(seen().slice(1), ["Allow edit_file? (mode ask)", "  a", "  - old", "  + new"]);
  questions.current!.answer("s");
  assertEquals(await decision, { answer: "session" });
  ui.show({ type: "tool_result", id: "1", name: "edit_file", content: "Edited a", isError: false, display });
  ui.show({ type: "tool_result", id: "2", name: "edit_file", content: "Edited b", isError: false, display });
  ui.endTurn();
  assertEquals(seen().slice(5), [
    "→ yes, for this session",
    "",
    "⏺ edit_file",
    "  ⎿ Edited a",
    "⏺ edit_file",
    "  ⎿ - old",
    "    + new",
  ]);
  live.close();
});

Deno.test("a question whose turn is ended is a no", async () => {
  const { ui, live, questions } = newTerminal();
  const turn = new AbortController();
  const decision = ui.confirm({ tool: "run_command", subject: "ls", reason: "mode ask" }, turn.signal);
  turn.abort();
  assertEquals(await decision, { answer: "no" });
  assertEquals(questions.current, undefined);
  assertEquals(await ui.ask("Which?", ["a"], turn.signal), "(the user gave no answer)");
  live.close();
});

Deno.test("no control character of foreign text reaches the terminal, wherever it comes from", async () => {
  const { ui, live, questions, seen, raw } = newTerminal({ styled: true });
  const evil = "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\x08\r\u202e\u200b\x1b]8;;http://x\x07";
  ui.startTurn(never);
  ui.show({ type: "text_delta", text: `text ${evil}` });
  ui.show({ type: "tool_use_start", id: "1", name: `name ${evil}` });
  seen();
  ui.show({ type: "tool_call", id: "1", name: `name ${evil}`, subject: evil, input: {} });
  ui.show({ type: "tool_output", id: "1", text: evil });
  seen();
  ui.show({ type: "tool_result", id: "1", name: "n", content: evil, isError: true });
  ui.show({
    type: "tool_result",
    id: "2",
    name: "n",
    content: "",
    isError: false,
    display: { type: "todos", items: [{ content: evil, status: "done" }] },
  });
  ui.show({ type: "notice", text: evil });
  const decision = ui.confirm({
    tool: evil,
    subject: evil,
    reason: evil,
    display: { type: "diff", path: evil, before: "", after: evil },
  }, never);
  seen();
  questions.current!.answer(`no ${evil}`);
  await decision;
  ui.showError(evil);
  ui.endTurn();
  seen(); // the emulated screen throws on every raw control character
  // deno-lint-ignore no-control-regex
  assertEquals(raw().match(/\x1b(?!\[(?:\d*[ACJ]|\d+m))|[\x80-\x9f\u202e\u200b]/g), null);
  assertStringIncludes(raw(), "⟨U+202E⟩");
  live.close();
});

Deno.test("text is made harmless as a whole, though it comes cut in the middle of a character", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  for (const unit of "a 👨‍👩‍👧 好\u202e") ui.show({ type: "text_delta", text: unit });
  for (const unit of "😀".split("")) {
    ui.show({ type: "text_delta", text: unit });
    live.flush();
  }
  ui.show(reply());
  ui.endTurn();
  assertEquals(seen().at(-1), "a 👨‍👩‍👧 好⟨U+202E⟩😀");
  live.close();
});

Deno.test("errors are red, calls cyan, results grey", () => {
  const { ui, live, raw } = newTerminal({ styled: true });
  ui.showError("Cannot do it");
  ui.show({ type: "tool_call", id: "1", name: "a", subject: "b", input: {} });
  ui.show({ type: "tool_result", id: "1", name: "a", content: "c", isError: false });
  live.close();
  assertStringIncludes(raw(), styles.red("Cannot do it"));
  assertStringIncludes(raw(), styles.cyan("⏺ a b"));
  assertStringIncludes(raw(), styles.grey("  ⎿ c"));
});

Deno.test("a terminal that shrinks to one column and grows again shows the turn on", () => {
  const { ui, live, terminal, seen } = newTerminal();
  ui.startTurn(never);
  ui.show({ type: "tool_call", id: "1", name: "read_file", subject: "a.txt", input: {} });
  for (const [columns, rows] of [[20, 10], [5, 3], [2, 2], [1, 1], [60, 30]] as const) {
    terminal.columns = columns;
    terminal.rows = rows;
    terminal.row = Math.min(terminal.row, rows - 1);
    live.redraw({ cleared: true });
    ui.show({ type: "text_delta", text: "| a | b |\n|---|---|\n| 1 | 你好世界 |\n\nwords **and** more\n" });
    ui.show({ type: "tool_result", id: "1", name: "read_file", content: "你好世界\n".repeat(9), isError: false });
    seen();
  }
  ui.endTurn();
  assertEquals(seen().slice(-5), [
    "  ⎿ 你好世界",
    "    你好世界",
    "    你好世界",
    "    你好世界",
    "    … 5 more lines",
  ]);
  live.close();
});

function reply(outputTokens = 0): Extract<AgentEvent, { type: "reply" }> {
  const response: ModelResponse = {
    content: [],
    stopReason: "end_turn",
    usage: { ...NO_USAGE, outputTokens },
    model: "fake",
  };
  return { type: "reply", response, durationMs: 1 };
}

Deno.test("a command of the person's own shows that it runs and its last lines", () => {
  const { ui, live, seen } = newTerminal();
  const onOutput = ui.startCommand("make  all", never);
  assertMatch(seen().at(-1)!, /Running make all · \d+s/);
  onOutput("one\x1b[2J\ntwo\n");
  assertEquals(seen().slice(-3, -1), ["    one", "    two"]);
  ui.endTurn();
  assertEquals(seen(), [""]);
  live.close();
});
