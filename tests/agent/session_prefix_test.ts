import { assertEquals } from "@std/assert";
import { keepPrefix, withDefinitions } from "../../src/agent/session_prefix.ts";
import { textTool } from "../testing/agents.ts";
import { PREFIX } from "../testing/sessions.ts";

const definition = (name: string, description: string) => ({ name, description, inputSchema: {} });
const earlier = { ...PREFIX, system: "Date: 2026-11-30\nBe brief", tools: [definition("a", "Old words.")] };
const present = { ...PREFIX, system: "Date: 2026-12-01\nBe long", tools: [definition("a", "New words.")] };

Deno.test("keepPrefix() keeps every byte over midnight, a changed AGENTS.md and new words for a tool", () => {
  assertEquals(keepPrefix(earlier, present), earlier);
  assertEquals(keepPrefix(undefined, present), present);
});

Deno.test("keepPrefix() begins anew where the earlier prefix would tell the model something wrong", () => {
  for (
    const change of [
      { mode: "full" },
      { roots: ["/w", "/more"] },
      { roots: ["/elsewhere"] },
      { tools: [] },
      { tools: [definition("b", "Other.")] },
    ]
  ) {
    assertEquals(keepPrefix(earlier, { ...present, ...change }), { ...present, ...change });
  }
  assertEquals(keepPrefix(earlier, present, { says: ["Answer in French"] }), present);
  assertEquals(keepPrefix(earlier, present, { says: ["Be brief"], saysNot: ["Be long"] }), earlier);
  assertEquals(keepPrefix(earlier, present, { saysNot: ["Be brief"] }), present);
});

Deno.test("keepPrefix() tells the model and the window of today", () => {
  const other = { ...present, model: "other/m", contextWindow: 5 };
  assertEquals(keepPrefix(earlier, other), { ...earlier, model: "other/m", contextWindow: 5 });
});

Deno.test("withDefinitions() tells the model of today's tools in the words of then", async () => {
  const tool = textTool("a", "read", (text) => `saw ${text}`);
  const [frozen, other] = withDefinitions([tool, textTool("b", "read", () => "")], earlier);
  assertEquals([frozen?.description, other?.description], ["Old words.", "Tool b."]);
  assertEquals((await frozen!.execute({ text: "x" }, {} as never)).content, "saw x");
});
