import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { SessionRecord, Stamped } from "../../src/agent/session_records.ts";
import { SessionState } from "../../src/agent/session_state.ts";
import { transcriptOf } from "../../src/agent/session_transcript.ts";
import type { Block } from "../../src/llm/types.ts";
import { sessionPage } from "../../src/cli/export_html.ts";

const usage = { inputTokens: 1200, outputTokens: 40, cacheReadTokens: 800, cacheWriteTokens: 0 };
const at = (record: SessionRecord): Stamped => ({ at: "2026-11-30T10:00:00.000Z", ...record });
const user = (text: string) => at({ type: "user", content: [{ type: "text", text }] });
const reply = (...content: Block[]) =>
  at({
    type: "reply",
    response: { content, stopReason: "end_turn", usage, model: "m" },
    durationMs: 1,
    charge: { model: "m", day: "2026-11-30", cost: { total: 0.0123, miss: 0.0123, hit: 0, output: 0 } },
  });
const call = (name: string, input: unknown): Block => ({ type: "tool_use", id: name, name, input });
const result = (id: string, content: string, isError = false) =>
  at({ type: "result", block: { type: "tool_result", toolUseId: id, content, isError } });

function page(records: Stamped[], redact = (text: string) => text): Promise<string> {
  return sessionPage({
    id: "1f3a",
    state: SessionState.of(records),
    entries: transcriptOf(records),
    contentBefore: () => Promise.resolve(new TextEncoder().encode("old\nsame\n")),
    redact,
  });
}

Deno.test("sessionPage() shows turns, thinking, calls, failures, breaks and cost", async () => {
  const html = await page([
    user("Fix it"),
    reply(
      { type: "thinking", text: "Let me see" },
      { type: "text", text: "## Plan\n**Look** at `a.ts`" },
      call("bad", { path: "a" }),
    ),
    result("bad", "It failed", true),
    at({ type: "partial", content: [{ type: "text", text: "Half an" }] }),
    at({ type: "reset" }),
  ]);
  assertStringIncludes(html, "<summary><b>Thinking</b></summary>");
  assertStringIncludes(html, "<strong>Plan</strong>\n<strong>Look</strong> at <code>a.ts</code>");
  assertStringIncludes(html, '<details class="failed"><summary><b>bad</b> a</summary>');
  assertStringIncludes(html, "Half an\n(interrupted)");
  assertStringIncludes(html, "The conversation was cleared");
  assertStringIncludes(html, "<dt>Cost</dt><dd>$0.0123</dd>");
  assertStringIncludes(html, "2.0k in (800 cached), 40 out");
});

Deno.test("sessionPage() draws what a call changed in a file, as coloured lines", async () => {
  const html = await page([
    user("Write"),
    reply(call("write_file", { path: "a.txt", content: "new\nsame\n" })),
    at({ type: "intent", id: "write_file", name: "write_file", input: {} }),
    at({ type: "change", path: "/w/a.txt", before: { hash: "x", mode: null } }),
    result("write_file", "Wrote a.txt"),
  ]);
  const lines = ['"removed">- old', '"added">+ new', '"same">  same'].map((line) => `<span class=${line}</span>`);
  assertStringIncludes(html, lines.join(""));
});

Deno.test("sessionPage() lets nothing of a session become markup, load, run or show a secret", async () => {
  const evil = `</pre><script>alert(1)</script><img src=x onerror="y"> \`<i>\` & 'q' \x1b[31mred sk-canary`;
  const html = await page(
    [user(evil), reply({ type: "text", text: evil }, call("x", { path: evil })), result("x", evil)],
    (text) => text.replaceAll("sk-canary", "[redacted]"),
  );
  for (const text of ["<script", "<img", "<i>", "\x1b", "sk-canary"]) assert(!html.includes(text), text);
  assert(!/\b(?:src|href)\s*=\s*["'a-z]/.test(html.replaceAll(/&[a-z#0-9]+;/g, "").replaceAll("img src=x", "")));
  assertStringIncludes(html, "default-src 'none'");
  assertEquals(html.match(/&lt;script&gt;/g)!.length >= 4, true);
});
