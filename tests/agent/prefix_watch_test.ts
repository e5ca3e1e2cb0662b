import { assertEquals } from "@std/assert";
import { type Cached, PrefixWatch } from "../../src/agent/prefix_watch.ts";
import type { Block, Message } from "../../src/llm/types.ts";

const text = (value: string): Block => ({ type: "text", text: value });
const user = (...blocks: Block[]): Message => ({ role: "user", content: blocks });
const assistant = (...blocks: Block[]): Message => ({ role: "assistant", content: blocks });
const tools = [{ name: "t", description: "Tool.", inputSchema: {} }];
const request = (messages: Message[], more: Partial<Cached> = {}): Cached => ({
  system: "S",
  tools,
  messages,
  ...more,
});

/** What the watch says of the second of two requests. */
function second(first: Cached, next: Cached): string | undefined {
  const watch = new PrefixWatch();
  assertEquals(watch.check(first), undefined);
  return watch.check(next);
}

Deno.test("PrefixWatch is silent while requests only grow, also at the end of the last message", () => {
  const first = request([user(text("a"))]);
  for (const messages of [[user(text("a"))], [user(text("a"), text("b"))], [user(text("a")), assistant(text("b"))]]) {
    assertEquals(second(first, request(messages)), undefined);
  }
});

Deno.test("PrefixWatch names what moved, and the byte at which it did", () => {
  const first = request([user(text("grüße")), assistant(text("b"))]);
  const fixed = new TextEncoder().encode(JSON.stringify([JSON.stringify(["t", "Tool.", {}])])).length;
  const start = new TextEncoder().encode('["S"]').length;
  const cases: [Cached, number, string][] = [
    [{ ...first, tools: [] }, 1, "the list of tools"],
    [{ ...first, system: "Sx" }, fixed + 3, "the system prompt"],
    [request([user(text("grüßen")), assistant(text("b"))]), fixed + start + 31, "message 1"],
    [request([user(text("grüße"), text("more")), assistant(text("b"))]), fixed + start + 33, "message 1"],
    [request([user(text("grüße"))]), fixed + start + 34, "message 2"],
  ];
  for (const [next, byte, what] of cases) {
    assertEquals(second(first, next), `The cached part of the conversation ends at byte ${byte}: ${what} changed`);
  }
});

Deno.test("PrefixWatch goes on from what an earlier process sent", () => {
  const watch = new PrefixWatch(request([user(text("a"))]));
  assertEquals(watch.check(request([user(text("a")), assistant(text("b"))])), undefined);
  assertEquals(watch.check(request([user(text("x"))], {})) === undefined, false);
});
