import { assertEquals, assertStringIncludes } from "@std/assert";
import { replay } from "../../src/agent/replay.ts";
import { readSessionText } from "../../src/agent/session_read.ts";
import type { Stamped } from "../../src/agent/session_records.ts";
import { SessionStore } from "../../src/agent/session_store.ts";
import { ApiError } from "../../src/llm/errors.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { textTool } from "../testing/agents.ts";
import { calls, FakeModel, type Reply, says } from "../testing/fake_model.ts";
import { agentOf, newSession, PREFIX } from "../testing/sessions.ts";
import { tempDir } from "../testing/tool_context.ts";

const never = new AbortController().signal;
const full = { inputTokens: 85_000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
const tools = [
  textTool("look", "read", (text) => `saw ${text}`),
  textTool("change", "write", (text) => {
    if (text === "fail") throw new Error("It cannot be changed");
    return `changed ${text}`;
  }),
];

/** Plays a conversation and gives its records. */
async function record(
  script: Reply[],
  play: (
    send: (text: string, signal?: AbortSignal) => Promise<unknown>,
    agent: ReturnType<typeof agentOf>,
  ) => Promise<void>,
): Promise<{ records: Stamped[]; requests: number }> {
  await using dir = await tempDir();
  const session = await newSession(dir.path);
  const definitions = tools.map(({ name, description, inputSchema }: Tool) => ({ name, description, inputSchema }));
  await session.setPrefix({ ...PREFIX, tools: definitions });
  const model = new FakeModel(...script);
  const agent = agentOf(session, model, { tools });
  await play((text, signal = never) => agent.send(text, signal).catch(() => {}), agent);
  await session[Symbol.asyncDispose]();
  const { records } = readSessionText(await Deno.readFile(new SessionStore(dir.path).fileOf(session.id)));
  return { records, requests: model.requests.length };
}

const look = (text: string, id: string) => ({ type: "tool_use" as const, id, name: "look", input: { text } });

Deno.test("replay() makes the same requests again: calls, failures, an interrupt, warnings and notes", async () => {
  const stop = new AbortController();
  const { records, requests } = await record([
    { content: [look("a", "1"), look("a", "2"), look("b", "3")], stopReason: "tool_use" },
    calls("change", { text: "x" }, "4"),
    calls("change", { text: "fail" }, "5"),
    calls("unknown", {}, "6"),
    ...[1, 2, 3, 4].map((n) => calls("look", { text: "same" }, `same${n}`)),
    says("Done"),
    new ApiError("It broke", { kind: "server", retryable: true }),
    async function* () {
      yield { type: "text_delta", text: "Half an " };
      stop.abort();
      await Promise.reject(stop.signal.reason);
    },
    says("Back"),
    says("Last"),
  ], async (send, agent) => {
    await send("First");
    await send("Second");
    await send("Third", stop.signal);
    await send("Fourth");
    await agent.note("A file was taken back");
    await send("Fifth");
  });
  // the request that failed has no answer to compare with
  assertEquals(await replay(records), { requests: requests - 1 });
});

Deno.test("replay() makes a conversation shorter where it was, by itself, on overflow and on demand", async () => {
  const overflow = new ApiError("too long", { kind: "overflow", retryable: false });
  const { records, requests } = await record([
    { content: [look("a", "1")], stopReason: "tool_use", usage: full },
    says("MARK 1"),
    says("Done"),
    overflow,
    says("MARK 2"),
    says("Done again"),
    says("MARK 3"),
    says("Last"),
  ], async (send, agent) => {
    await send("First");
    await send("Second");
    await agent.compact(never, "the tests");
    await send("Third");
  });
  assertEquals(await replay(records), { requests: requests - 1 - 3 });
});

Deno.test("replay() follows a conversation that was cleared", async () => {
  const { records } = await record([says("One"), says("Two")], async (send, agent) => {
    await send("First");
    await agent.reset();
    await send("Second");
  });
  assertEquals(await replay(records), { requests: 2 });
});

Deno.test("replay() names the first request that is not the recorded one", async () => {
  const same = [1, 2, 3].map((n) => calls("look", { text: "same" }, `c${n}`));
  const { records } = await record([...same, says("Done")], async (send) => {
    await send("First");
  });
  // as an earlier version would have recorded it: without the warning
  const lastResult = records.findLastIndex(({ type }) => type === "result");
  const { difference } = await replay(records.toSpliced(lastResult, 1));
  assertEquals([difference?.request, difference?.place], [4, "message 7"]);
  assertStringIncludes(difference!.now, "same calls with the same results");
});

Deno.test("replay() runs, asks and changes nothing, and comes to an end with half a session", async () => {
  const { records } = await record([calls("change", { text: "x" }, "1"), says("Done")], async (send) => {
    await send("First");
  });
  for (let end = 0; end <= records.length; end++) {
    const { difference } = await replay(records.slice(0, end));
    assertEquals(difference, undefined);
  }
});

for (const [name, requests] of [["fix-a-price", 9], ["a-long-talk", 5], ["an-interrupt", 3]] as const) {
  Deno.test(`replay() makes the ${requests} requests of the recorded session ${name} as they were made`, async () => {
    const bytes = await Deno.readFile(new URL(`../testdata/sessions/${name}.jsonl`, import.meta.url));
    const { records, damaged } = readSessionText(bytes);
    assertEquals(damaged, 0);
    assertEquals(await replay(records), { requests });
  });
}
