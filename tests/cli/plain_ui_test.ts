import { assertEquals } from "@std/assert";
import { PlainUI } from "../../src/cli/plain_ui.ts";
import { NO_USAGE } from "../../src/llm/types.ts";
import { newLook } from "../testing/look.ts";

const never = new AbortController().signal;

Deno.test("text goes out as it comes, and what follows begins a line of its own", () => {
  const { ui, written } = start();
  ui.startTurn(never);
  ui.show({ type: "text_delta", text: "Half a **li" });
  assertEquals(written(), "Half a **li");
  ui.show({ type: "text_delta", text: "ne**" });
  ui.show({ type: "tool_call", id: "1", name: "list_files", subject: ".", input: {} });
  ui.show({ type: "tool_result", id: "1", name: "list_files", content: "a\nb", isError: false });
  ui.show({ type: "text_delta", text: "Done." });
  ui.show({ type: "turn_end", result: { outcome: "interrupted", text: "", usage: NO_USAGE, steps: 1 } });
  ui.endTurn();
  assertEquals(written(), "Half a **line**\n⏺ list_files .\n  ⎿ a\n    b\nDone.\n(interrupted)\n");
});

Deno.test("a reply that broke off is marked as cut", () => {
  const { ui, written } = start();
  ui.show({ type: "text_delta", text: "Half" });
  ui.show({ type: "retry", attempt: 1, maxAttempts: 5, delayMs: 500, reason: "it broke" });
  ui.show({ type: "retry", attempt: 2, maxAttempts: 5, delayMs: 500, reason: "it broke" });
  assertEquals(
    written(),
    [
      "Half",
      "[cut: the reply broke off here and is asked again]",
      "Retry 1 of 5 in 0.5 s: it broke",
      "Retry 2 of 5 in 0.5 s: it broke",
      "",
    ].join("\n"),
  );
});

Deno.test("no control character of foreign text goes out, and no character in halves", () => {
  const { ui, written } = start();
  for (const unit of "a\x1b[2J\u202e😀".split("")) ui.show({ type: "text_delta", text: unit });
  ui.endTurn();
  ui.showError("no\x07\u202e");
  // deno-lint-ignore no-control-regex
  assertEquals(/[\x00-\x09\x0b-\x1f\u202e]/.test(written()), false);
  assertEquals(written().endsWith("⟨U+202E⟩😀\nno⟨U+0007⟩⟨U+202E⟩\n"), true);
});

Deno.test("results of calls that ran side by side are named", () => {
  const { ui, written } = start();
  for (const [id, subject] of [["1", "a"], ["2", "b"]] as const) {
    ui.show({ type: "tool_call", id, name: "read_file", subject, input: {} });
  }
  for (const [id, content] of [["1", "one"], ["2", "two"]] as const) {
    ui.show({ type: "tool_result", id, name: "read_file", content, isError: false });
  }
  const rows = ["⏺ read_file a", "⏺ read_file b", "⏺ read_file a", "  ⎿ one", "⏺ read_file b", "  ⎿ two", ""];
  assertEquals(written(), rows.join("\n"));
});

Deno.test("where nobody can answer there is no way to ask", () => {
  const { ui } = start();
  assertEquals([ui.confirm, ui.ask], [undefined, undefined]);
});

function start() {
  let written = "";
  const ui = new PlainUI({ write: (text) => void (written += text), look: () => newLook() });
  return { ui, written: () => written };
}
