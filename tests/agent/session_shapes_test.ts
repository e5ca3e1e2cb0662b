import { assert, assertEquals } from "@std/assert";
import { SessionState } from "../../src/agent/session_state.ts";
import { readSessionText } from "../../src/agent/session_read.ts";
import { transcriptOf } from "../../src/agent/session_transcript.ts";
import { sessionRows, transcriptText } from "../../src/cli/session_text.ts";
import { historyFaults } from "../../src/llm/history.ts";
import { type Random, seeded } from "../testing/random.ts";

const folder = new URL("../testdata/sessions/", import.meta.url);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Puts something else in the place of one value, somewhere in a parsed line. */
function spoil(line: Record<string, unknown>, random: Random): void {
  let here: Record<string, unknown> | unknown[] = line;
  for (;;) {
    const key: string = random.pick(Object.keys(here));
    const values = here as Record<string, unknown>;
    const inner = values[key];
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length > 0 && random.below(4) > 0) {
      here = inner as Record<string, unknown>;
      continue;
    }
    if (random.below(3) === 0 && !Array.isArray(here)) delete values[key];
    else values[key] = random.pick<unknown>([null, 5, -1, "x", "", [], {}, [null], [5], true, { type: "text" }]);
    return;
  }
}

Deno.test("a session whose records hold anything at all is read, sent and shown", () => {
  const random = seeded(11);
  for (const { name } of Deno.readDirSync(folder)) {
    const lines = Deno.readTextFileSync(new URL(name, folder)).trimEnd().split("\n");
    for (let round = 0; round < 400; round++) {
      const spoilt = lines.map((line): string => {
        if (random.below(3) > 0) return line;
        const value = JSON.parse(line);
        spoil(value, random);
        return JSON.stringify(value);
      });
      const text = readSessionText(bytesOf(spoilt.join("\n") + "\n"));
      const state = SessionState.of(text.records);
      const { messages, usage } = state.past();
      assertEquals(historyFaults(messages), [], spoilt.join("\n"));
      assert(Number.isFinite(usage.inputTokens + usage.outputTokens) && Number.isFinite(state.costUsd));
      const summary = { id: "a", changedAt: new Date(0), ...(text.header && { header: text.header }), state };
      const shown = sessionRows(summary, new Date()) + transcriptText("a", transcriptOf(text.records));
      assert(!/undefined|NaN|Invalid Date|\[object/.test(shown), shown);
    }
  }
});

Deno.test("a record of a later version is no damage", () => {
  const later = '{"at":"2026-11-30T10:00:00Z","type":"from_the_future","x":1}\n';
  const { damaged, later: count, records } = readSessionText(bytesOf(later));
  assertEquals([damaged, count, records.length], [0, 1, 0]);
});
