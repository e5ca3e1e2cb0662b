import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { compact } from "../../src/agent/compaction.ts";
import type { AgentRecord } from "../../src/agent/records.ts";
import { ApiError } from "../../src/llm/errors.ts";
import { historyFaults } from "../../src/llm/history.ts";
import type { Message } from "../../src/llm/types.ts";
import { newAgent, RecordingUI, textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";
import { agentOf, newSession, reopen } from "../testing/sessions.ts";
import { tempDir } from "../testing/tool_context.ts";

const never = new AbortController().signal;
const overflow = () => new ApiError("too long", { kind: "overflow", retryable: false });
const full = { inputTokens: 85_000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
const big = "words ".repeat(2000);
const look = textTool("look", "read", (text) => `${text}: ${big}`);
const isSummaryRequest = (messages: readonly Message[]) => /summary/.test(JSON.stringify(messages.at(-1)));
const userTexts = (messages: readonly Message[]) =>
  messages.flatMap(({ role, content }) => content.flatMap((b) => role === "user" && b.type === "text" ? b.text : []));

/** A conversation of so many turns, each with a step of two calls. */
function history(turns: number): Message[] {
  return Array.from({ length: turns }, (_, i): Message[] => [
    { role: "user", content: [{ type: "text", text: `prompt ${i}` }] },
    {
      role: "assistant",
      content: ["a", "b"].map((n) => ({ type: "tool_use", id: `${n}${i}`, name: "look", input: { text: n } })),
    },
    {
      role: "user",
      content: ["a", "b"].map((n) => ({
        type: "tool_result",
        toolUseId: `${n}${i}`,
        content: n.repeat(3000),
        isError: false,
      })),
    },
    { role: "assistant", content: [{ type: "text", text: `answer ${i}` }] },
  ]).flat();
}

Deno.test("compact() keeps pairs whole and every user message, wherever the history ends", async () => {
  const whole = history(6);
  for (let end = 1; end <= whole.length; end++) {
    if (whole[end - 1]!.content.some(({ type }) => type === "tool_use")) continue; // never sent without its results
    const messages = whole.slice(0, end);
    const asked: Message[][] = [];
    const shorter = await compact(messages, {
      ask(request) {
        asked.push(request);
        return Promise.resolve("MARK");
      },
    });
    if (end < 3) {
      assertEquals([shorter, asked.length], [undefined, 0]);
      continue;
    }
    assertEquals(historyFaults(asked[0]!), [], `the request at ${end}`);
    assertEquals(historyFaults(shorter!), [], `the history at ${end}`);
    const prompts = userTexts(messages);
    assertEquals(userTexts(shorter!).filter((text) => text.startsWith("prompt")), prompts);
    assert(userTexts(shorter!).some((text) => text.includes("MARK")));
    assert(JSON.stringify(shorter).length < JSON.stringify(messages).length || end < 5);
  }
});

Deno.test("compact() replays the same messages and adds its instruction, without what was not answered yet", async () => {
  const messages: Message[] = [...history(3), {
    role: "user",
    content: [{ type: "text", text: "pending ".repeat(900) }],
  }];
  let asked: Message[] = [];
  const shorter = await compact(messages, {
    focus: "the parser",
    ask(request) {
      asked = request;
      return Promise.resolve("MARK");
    },
  });
  assertEquals(JSON.stringify(asked.slice(0, -1)), JSON.stringify(messages.slice(0, -1)));
  assertMatch(userTexts(asked).at(-1)!, /summary[^]*the parser/);
  assert(!JSON.stringify(asked).includes("pending"));
  assertEquals(userTexts(shorter!).at(-1), messages.at(-1)!.content.map((b) => b.type === "text" && b.text).join(""));
});

Deno.test("compact() keeps the last todo list, through a second time too", async () => {
  const todos: Message[] = [
    { role: "user", content: [{ type: "text", text: "plan" }] },
    {
      role: "assistant",
      content: [{
        type: "tool_use",
        id: "t",
        name: "update_todos",
        input: { items: [{ content: "write tests", status: "in_progress" }] },
      }],
    },
    { role: "user", content: [{ type: "tool_result", toolUseId: "t", content: "ok", isError: false }] },
    { role: "assistant", content: [{ type: "text", text: "planned" }] },
  ];
  const options = { ask: () => Promise.resolve("MARK") };
  const once = await compact([...todos, ...history(3)], options);
  const twice = await compact([...once!, ...history(9).slice(24)], options);
  for (const messages of [once!, twice!]) {
    assertEquals(userTexts(messages).filter((text) => text.includes("- [~] write tests")).length, 1);
    assertEquals(userTexts(messages).filter((text) => text.includes("MARK")).length, 1);
  }
});

Deno.test("compact() gives the model less where the whole history does not fit into the request", async () => {
  const sizes: number[] = [];
  const shorter = await compact(history(8), {
    ask(request) {
      sizes.push(request.length);
      assertEquals(historyFaults(request), []);
      return sizes.length < 3 ? Promise.reject(overflow()) : Promise.resolve("MARK");
    },
  });
  assert(sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!);
  assertStringIncludes(userTexts(shorter!).join(), "MARK");
  assertStringIncludes(userTexts(shorter!).join(), "There is no summary of these calls");
  const without = await compact(history(8), { ask: () => Promise.reject(overflow()) });
  assertEquals(historyFaults(without!), []);
  assertEquals(userTexts(without!).filter((text) => text.startsWith("prompt")).length, 8);
});

Deno.test("Agent.send() makes the history shorter at 80 % of the window, before it sends the new input", async () => {
  const ui = new RecordingUI();
  const records: AgentRecord[] = [];
  const model = new FakeModel(
    calls("look", { text: "a" }, "1"),
    { ...says("Seen"), usage: full },
    says("MARK"),
    says("Ok"),
  );
  const agent = newAgent(model, { tools: [look], ui, records });
  await agent.send("First", never);
  await agent.send("Second", never);
  const [, , summary, next] = model.requests;
  const before = model.requests[1]!;
  assertEquals([summary?.system, summary?.tools], [before.system, before.tools]);
  assertEquals(JSON.stringify(summary?.messages.slice(0, 3)), JSON.stringify(before.messages));
  assert(isSummaryRequest(summary!.messages) && !isSummaryRequest(next!.messages));
  assertEquals(userTexts(next!.messages)[0], "First");
  assertEquals(userTexts(next!.messages).at(-1), "Second");
  assert(!JSON.stringify(next).includes(big));
  const [event] = ui.of("compaction");
  assert(event!.tokensBefore >= 80_000 && event!.tokensAfter < 1000);
  const kept = records.find((record) => record.type === "compaction");
  assertEquals(kept?.usage.inputTokens, 10);
  assertEquals(agent.usage.inputTokens, 10 + 85_000 + 10 + 10);
});

Deno.test("Agent.send() makes the history shorter on overflow and asks once more", async () => {
  const model = new FakeModel(says("One"), overflow(), says("MARK"), says("Two"));
  const agent = newAgent(model);
  await agent.send("First", never);
  assertEquals((await agent.send("Second", never)).text, "Two");
  assertEquals(model.requests.length, 4);
  const stuck = newAgent(new FakeModel(says("One"), overflow(), says("MARK"), overflow()));
  await stuck.send("First", never);
  await assertRejects(() => stuck.send("Second", never), ApiError, "/reset");
});

Deno.test("Agent.send() goes on without a summary where the model gives none", async () => {
  const empty = new ApiError("it is empty", { kind: "empty_reply", retryable: true });
  const model = new FakeModel({ ...calls("look", { text: "a" }, "1"), usage: full }, empty, says("Ok"));
  assertEquals((await newAgent(model, { tools: [look] }).send("Go", never)).text, "Ok");
  const sent = JSON.stringify(model.requests[2]?.messages);
  assertStringIncludes(sent, "There is no summary of these calls");
  assertStringIncludes(sent, "look {");
});

Deno.test("Agent.send() stops with the way out where the first input alone does not fit", async () => {
  const agent = newAgent(new FakeModel(overflow()));
  await assertRejects(() => agent.send("far too long", never), ApiError, "/reset");
});

Deno.test("Agent.send() gives up after two times in a row that were of no use", async () => {
  const fullCall = (id: string) => ({ ...calls("look", { text: id }, id), usage: full });
  const script = [fullCall("1"), says("MARK"), fullCall("2"), says("MARK"), fullCall("3"), says("MARK"), says("never")];
  const model = new FakeModel(...script);
  await assertRejects(
    () => newAgent(model, { tools: [look] }).send("Go", never),
    ApiError,
    "even when it is made shorter",
  );
  assertEquals(model.requests.filter(({ messages }) => isSummaryRequest(messages)).length, 2);
});

Deno.test("Agent.send() is interrupted in the summary with the history as it was", async () => {
  const controller = new AbortController();
  const model = new FakeModel(
    { ...says("One"), usage: full },
    async function* (_request, signal) {
      controller.abort();
      yield { type: "text_delta", text: "A sum" };
      await Promise.reject(signal.reason);
    },
    says("MARK"),
    says("Two"),
  );
  const agent = newAgent(model);
  await agent.send("First", never);
  assertEquals((await agent.send("Second", controller.signal)).outcome, "interrupted");
  assertEquals(userTexts(agent.messages), ["First", "Second"]);
  assertEquals((await agent.send("Third", never)).text, "Two");
});

Deno.test("a conversation that was made shorter twice goes on the same after a restart", async () => {
  await using dir = await tempDir();
  const play = async (restart: boolean) => {
    const step = (
      n: string,
    ) => [calls("look", { text: n }, n), { ...says(`Seen ${n}`), usage: full }, says(`MARK ${n}`)];
    const model = new FakeModel(...["a", "b", "c"].flatMap(step), says("Last"));
    const folder = dir.join(String(restart));
    let session = await newSession(folder);
    let agent = agentOf(session, model, { tools: [look] });
    for (const text of ["First", "Second", "Third", "Fourth"]) {
      await agent.send(text, never).catch((error) => assertEquals(text, "Fourth", error));
      if (!restart) continue;
      await session[Symbol.asyncDispose]();
      session = await reopen(folder, session.id);
      agent = agentOf(session, model, { tools: [look] });
    }
    await session[Symbol.asyncDispose]();
    const { usage } = agent;
    return { requests: model.requests.map((request) => JSON.stringify(request)), usage };
  };
  assertEquals(await play(true), await play(false));
});
