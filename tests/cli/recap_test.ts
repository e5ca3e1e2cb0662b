import { assertEquals, assertMatch } from "@std/assert";
import { SessionState } from "../../src/agent/session_state.ts";
import { recapOf, recapRows } from "../../src/cli/recap.ts";
import { type Block, NO_USAGE } from "../../src/llm/types.ts";
import { FakeService } from "../testing/fake_service.ts";
import { newLook } from "../testing/look.ts";
import { Box } from "../testing/program.ts";

const text = (text: string): Block[] => [{ type: "text", text }];
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const now = new Date(Date.UTC(2026, 0, 1, 15));

function talk(...said: string[]): SessionState {
  const state = new SessionState();
  said.forEach((said, i) => {
    const response = { model: "m", content: text(said), stopReason: "end_turn" as const, usage: NO_USAGE };
    state.apply(
      i % 2 === 0 ? { type: "user", content: text(said) } : { type: "reply", response, durationMs: 1 },
      at(i),
    );
  });
  return state;
}

Deno.test("a session that goes on is told by its title, its turns and its age, with the last exchange", () => {
  const state = talk("first question", "one", "second question", "two");
  assertEquals(recapRows(recapOf(state, now)!, newLook()), [
    "Going on: first question · 2 turns · 2 h ago",
    "> second question",
    "two",
  ]);
  state.apply({ type: "title", title: "My title" }, at(59));
  assertMatch(recapRows(recapOf(state, now)!, newLook())[0]!, /^Going on: My title · 2 turns/);
});

Deno.test("an input that got no answer stands without one, and a new session is told nothing of", () => {
  assertEquals(recapRows(recapOf(talk("a", "one", "b"), now)!, newLook()).slice(1), ["> b"]);
  assertEquals(recapOf(new SessionState(), now), undefined);
});

Deno.test("a long exchange is cut to a few rows, and nothing in it moves the cursor", () => {
  const state = talk("a\n".repeat(9), `\x1b[2Jlong ${"word ".repeat(2000)}`);
  const rows = recapRows(recapOf(state, now)!, newLook({ columns: 40 })).slice(1);
  assertEquals(rows.slice(0, 5), ["> a", "a", "a", "a", "…"]);
  assertEquals(rows.length, 10);
  assertEquals(rows.at(-1), "…");
  assertEquals(rows.join("").includes("\x1b"), false);
});

Deno.test("mini-agent -c shows what it goes on from, behind the banner", async () => {
  await using box = await Box.create();
  await using service = new FakeService("It is blue");
  const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
  await box.run(["-p", "which colour?"], { env });
  const { stdout } = await box.run(["-c"], { env });
  assertMatch(stdout, /\/help [^\n]*\nGoing on: which colour\? · 1 turn · just now\n> which colour\?\nIt is blue\n/);
});
