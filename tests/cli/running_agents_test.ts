import { assertEquals } from "@std/assert";
import type { AgentEvent } from "../../src/agent/ui.ts";
import { PlainUI } from "../../src/cli/plain_ui.ts";
import { RunningAgents } from "../../src/cli/running_agents.ts";
import { newLook } from "../testing/look.ts";
import { newTerminal } from "../testing/terminal.ts";

const never = new AbortController().signal;
const start = (id: string, subject: string): AgentEvent => ({
  type: "tool_call",
  id,
  name: "run_agent",
  subject,
  input: {},
});
const end = (id: string, content: string): AgentEvent => ({
  type: "tool_result",
  id,
  name: "run_agent",
  content,
  isError: false,
});
const within = (id: string, event: AgentEvent): AgentEvent => ({ type: "sub_agent", id, event });
const reads = (id: string, subject: string) =>
  within(id, { type: "tool_call", id: "k1", name: "read_file", subject, input: {} });
const readResult = (id: string) =>
  within(id, { type: "tool_result", id: "k1", name: "read_file", content: "alpha", isError: false });
const done: AgentEvent = { type: "results", message: { role: "user", content: [] } };

Deno.test("a terminal shows the calls of a sub-agent set in under its own, without their results", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  for (const event of [start("1", "look around"), reads("1", "a.txt"), readResult("1"), end("1", "Found it"), done]) {
    ui.show(event);
  }
  ui.show({ type: "notice", text: "and on" });
  ui.endTurn();
  assertEquals(seen().slice(1), [
    "⏺ run_agent look around",
    "    ⏺ read_file a.txt",
    "  ⎿ Found it",
    "",
    "and on",
  ]);
  live.close();
});

Deno.test("the lines of sub-agents that run side by side say whose they are", () => {
  const { ui, live, seen } = newTerminal();
  ui.startTurn(never);
  const events = [
    start("1", "one"),
    start("2", `the\nsecond\x1b[2J of them, which has a long name`),
    reads("1", "a.txt"),
    within("2", { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 500, reason: "it broke" }),
    end("1", "First"),
    end("2", "Second"),
    done,
    start("3", "alone"),
    reads("3", "c.txt"),
  ];
  for (const event of events) ui.show(event);
  ui.endTurn();
  assertEquals(seen().slice(1), [
    "⏺ run_agent one",
    "⏺ run_agent the second of them, which has a long name",
    "    [one] ⏺ read_file a.txt",
    "    [the second of them, which…] Retry 1 of 5 in 0.5 s: it",
    "    [the second of them, which…] broke",
    "⏺ run_agent one",
    "  ⎿ First",
    "⏺ run_agent the second of them, which has a long name",
    "  ⎿ Second",
    "⏺ run_agent alone",
    "    ⏺ read_file c.txt",
  ]);
  live.close();
});

Deno.test("where nothing can be drawn in place the calls of a sub-agent are shown the same", () => {
  let written = "";
  const ui = new PlainUI({ write: (text) => void (written += text), look: () => newLook() });
  for (const event of [start("1", "look"), reads("1", "a.txt"), readResult("1"), end("1", "Found")]) ui.show(event);
  assertEquals(written, "⏺ run_agent look\n    ⏺ read_file a.txt\n  ⎿ Found\n");
});

Deno.test("RunningAgents marks nothing while one runs alone, and forgets them with the results", () => {
  const agents = new RunningAgents();
  agents.follow(start("1", "one"));
  assertEquals([agents.markOf("1"), agents.taskOf("1")], ["", "one"]);
  agents.follow(start("2", "two"));
  assertEquals(agents.markOf("1"), "[one] ");
  agents.follow(done);
  assertEquals([agents.markOf("1"), agents.taskOf("1")], ["", ""]);
});
