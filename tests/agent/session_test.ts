import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { forkSession } from "../../src/agent/session_fork.ts";
import { SessionLog } from "../../src/agent/session_log.ts";
import { readSessionText } from "../../src/agent/session_read.ts";
import { SessionState } from "../../src/agent/session_state.ts";
import { subAgentRecorder } from "../../src/agent/session_sub_agent.ts";
import { SessionStore } from "../../src/agent/session_store.ts";
import { ConfigError } from "../../src/llm/errors.ts";
import type { ToolUseBlock } from "../../src/llm/types.ts";
import { textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";
import { agentOf, linesOf, newSession, PREFIX, reopen } from "../testing/sessions.ts";
import { tempDir } from "../testing/tool_context.ts";

const never = new AbortController().signal;
const record = (value: unknown) => JSON.stringify({ at: "2026-11-30T10:00:00Z", ...value as object });
const said = (text: string) => record({ type: "user", content: [{ type: "text", text }] });
const header = JSON.stringify({
  type: "session",
  version: 1,
  id: "a",
  cwd: "/w",
  createdAt: "x",
  model: "m",
  mode: "ask",
});
const textsOf = (text: string | Uint8Array) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const { records, ...rest } = readSessionText(bytes);
  return { ...rest, turns: SessionState.of(records).turns.map((turn) => turn.text) };
};

Deno.test("a session writes its file with the first input: header, prefix, then each record with its time", async () => {
  await using dir = await tempDir();
  await using session = await newSession(dir.path);
  assertEquals([...Deno.readDirSync(dir.path)], []);
  await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
  const lines = await linesOf(dir.path, session.id);
  assertEquals(lines.map(({ type }) => type), ["session", "prefix", "user", "reply"]);
  assertEquals([lines[0].version, lines[0].id, lines[0].cwd], [1, session.id, "/w"]);
  assert(lines.slice(1).every(({ at }) => !Number.isNaN(Date.parse(at))));
});

Deno.test({
  name: "a session's files are for their owner alone",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir();
    await using session = await newSession(dir.join("data"));
    await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
    const kept = await session.keepOutput("a long output");
    const mode = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
    const { folder } = new SessionStore(dir.join("data"));
    assertEquals([await mode(`${folder}/${session.id}.jsonl`), await mode(kept!)], [0o600, 0o600]);
    const folders = [dir.join("data"), folder, `${folder}/${session.id}`, `${folder}/${session.id}/outputs`];
    assertEquals(await Promise.all(folders.map(mode)), [0o700, 0o700, 0o700, 0o700]);
  },
});

Deno.test("the request after a restart is the one that would have been sent without it", async () => {
  await using dir = await tempDir({ "a.txt": "one" });
  const slow = Promise.withResolvers<string>();
  const tools = [
    textTool("look", "read", (text) => text === "slow" ? slow.promise : `saw ${text}`),
    textTool("change", "write", () => "changed"),
  ];
  const look = (text: string, id: string): ToolUseBlock => ({ type: "tool_use", id, name: "look", input: { text } });
  const again = { content: [look("same", "d")], stopReason: "tool_use" as const };
  const script = () => [
    { content: [look("slow", "a"), look("fast", "b")], stopReason: "tool_use" as const },
    calls("change", { text: "x" }, "c"),
    ...[again, again, again], // the third result bears a warning
    says("Done"),
    async function* () {
      yield { type: "text_delta" as const, text: "Half an " };
      stop.abort();
      await Promise.reject(stop.signal.reason);
    },
    { content: [{ type: "thinking" as const, text: "Only thought" }] },
    says("Back"),
    says("At last"),
  ];
  let stop = new AbortController();
  const play = async (restart: boolean) => {
    stop = new AbortController();
    const model = new FakeModel(...script());
    let session = await newSession(dir.join(String(restart)));
    let agent = agentOf(session, model, { tools });
    const next = async (text: string, signal = never) => {
      const turn = agent.send(text, signal);
      slow.resolve("saw slow, after fast");
      await turn;
      if (!restart) return;
      await session[Symbol.asyncDispose]();
      session = await reopen(dir.join("true"), session.id);
      agent = agentOf(session, model, { tools });
    };
    await next("First");
    await next("Second", stop.signal);
    await next("Third");
    await agent.note("A file was taken back");
    await next("Fourth");
    await next("Fifth");
    const { usage, steps } = agent;
    await session[Symbol.asyncDispose]();
    return { requests: model.requests.map((request) => JSON.stringify(request)), usage, steps };
  };
  const [whole, broken] = [await play(false), await play(true)];
  assertStringIncludes(whole.requests.at(-1)!, "same calls with the same results");
  assertEquals(broken.requests, whole.requests);
  assertEquals(broken.usage, whole.usage);
});

Deno.test("a killed session answers a call that has no result, and keeps those that have one", () => {
  const reply = (...ids: string[]) =>
    record({
      type: "reply",
      response: {
        content: ids.map((id) => ({ type: "tool_use", id, name: "t", input: {} })),
        usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    });
  const result = (id: string) =>
    record({ type: "result", block: { type: "tool_result", toolUseId: id, content: `r${id}`, isError: false } });
  const { records } = readSessionText(
    new TextEncoder().encode([header, said("Go"), reply("1", "2", "3"), result("3"), result("1")].join("\n") + "\n"),
  );
  const { messages } = SessionState.of(records).past();
  const results = messages.at(-1)!.content.map((block) => block.type === "tool_result" ? block.content : "");
  assertEquals([results[0], results[2]], ["r1", "r3"]);
  assertStringIncludes(results[1]!, "interrupted and has no known result");
});

Deno.test("readSessionText() loses at most the record that is damaged", () => {
  const good = [header, said("one"), said("two")].join("\n") + "\n";
  const soundBytes = new TextEncoder().encode(good).length;
  const plain = textsOf(good);
  assertEquals([plain.damaged, plain.turns, plain.soundBytes], [0, ["one", "two"], soundBytes]);
  const torn = textsOf(good + said("three").slice(0, 40));
  assertEquals([torn.damaged, torn.turns, torn.soundBytes], [1, ["one", "two"], soundBytes]);
  const whole = textsOf(good + said("three"));
  assertEquals([whole.damaged, whole.turns], [0, ["one", "two", "three"]]);
  const cases: [string, number, string[]][] = [
    [`${header}\n${said("one")}${said("two")}\n`, 0, ["one", "two"]],
    [`${header}\n${said("one").slice(0, 30)}${said("two")}\n${said("three")}\n`, 1, ["two", "three"]],
    [`${header}\n${"\0".repeat(4096)}\n${said("one")}\n`, 1, ["one"]],
    [`${header}\n${"\0".repeat(4096)}${said("one")}\n`, 1, ["one"]],
    [`${header}\n{"type":"meta","x":"cut\n\n[]\n"text"\n${said("one")}\n`, 3, ["one"]],
    [`${header}\r\n${said("one")}\r\n`, 0, ["one"]],
    [`${said("one")}\n`, 0, ["one"]],
    ["", 0, []],
    ["\0\0\0", 1, []],
    [`${header}\n${record({ type: "user" })}\n${record({ type: "from_the_future" })}\n${said("one")}\n`, 1, ["one"]],
  ];
  for (const [text, damaged, turns] of cases) {
    const found = textsOf(text);
    assertEquals([found.damaged, found.turns], [damaged, turns], text.slice(0, 200));
  }
});

Deno.test("readSessionText() reads a file that is cut at any byte", () => {
  const bytes = new TextEncoder().encode([header, said("grüße 👋"), said("two"), said("three")].join("\n") + "\n");
  for (let end = 0; end <= bytes.length; end++) {
    const { turns, soundBytes, damaged } = textsOf(bytes.subarray(0, end));
    assertEquals(turns, ["grüße 👋", "two", "three"].slice(0, turns.length));
    assert(damaged <= 1 && soundBytes <= end);
  }
});

Deno.test("SessionLog.open() cuts half a record away into a copy, and the next one begins on a new line", async () => {
  const good = [header, said("one")].join("\n") + "\n";
  const half = said("two").slice(0, 50);
  await using dir = await tempDir({ "torn.jsonl": good + half, "endless.jsonl": good + said("two") });
  for (const name of ["torn", "endless"]) {
    const { log } = await SessionLog.open(dir.join(`${name}.jsonl`));
    await log.append(said("three"), { sync: true });
    await log.close();
  }
  assertEquals(await Deno.readTextFile(dir.join("torn.jsonl")), good + said("three") + "\n");
  assertEquals(await Deno.readTextFile(dir.join("endless.jsonl")), `${good}${said("two")}\n${said("three")}\n`);
  const copies = [...Deno.readDirSync(dir.path)].map(({ name }) => name).filter((name) => name.includes(".cut-"));
  assertEquals(copies.length, 1);
  assertEquals(await Deno.readTextFile(dir.join(copies[0]!)), half);
});

Deno.test("SessionLog.open() refuses a second writer at once and says what to do", async () => {
  await using dir = await tempDir({ "a.jsonl": header + "\n" });
  const { log } = await SessionLog.open(dir.join("a.jsonl"));
  const startedAt = performance.now();
  const error = await assertRejects(() => SessionLog.open(dir.join("a.jsonl")), ConfigError);
  assertStringIncludes(error.message, "--fork");
  assert(performance.now() - startedAt < 100);
  await log.close();
  const second = await SessionLog.open(dir.join("a.jsonl"));
  await second.log.close();
});

Deno.test("SessionLog.create() does not follow a link that stands at its path", async () => {
  await using dir = await tempDir({ "victim.txt": "keep" });
  await Deno.symlink(dir.join("victim.txt"), dir.join("a.jsonl"));
  assertThrows(() => SessionLog.create(dir.join("a.jsonl")), Deno.errors.AlreadyExists);
  assertEquals(await Deno.readTextFile(dir.join("victim.txt")), "keep");
});

Deno.test("a session of 20,000 records is there within a second", async () => {
  const lines = [header];
  for (let i = 0; i < 5000; i++) {
    const usage = { inputTokens: 9, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const content = [{ type: "text", text: "x".repeat(200) }, { type: "tool_use", id: `c${i}`, name: "t", input: {} }];
    const block = { type: "tool_result", toolUseId: `c${i}`, content: "y".repeat(400), isError: false };
    lines.push(said(`input ${i}`), record({ type: "reply", response: { content, usage } }));
    lines.push(record({ type: "intent", id: `c${i}` }), record({ type: "result", block }));
  }
  await using dir = await tempDir({ "a.jsonl": lines.join("\n") + "\n" });
  const startedAt = performance.now();
  const { log, text } = await SessionLog.open(dir.join("a.jsonl"));
  const { messages } = SessionState.of(text.records).past();
  const ms = performance.now() - startedAt;
  await log.close();
  assertEquals([text.records.length, messages.length], [20_000, 15_000 - 4999]);
  assert(ms < 1000, `it took ${Math.round(ms)} ms`);
});

Deno.test("a session keeps no secret: neither in its records nor in a kept output", async () => {
  await using dir = await tempDir();
  const redact = (text: string) => text.replaceAll("canary-1234567890", "[redacted]");
  await using session = await newSession(dir.path, "/w", redact);
  const tools = [textTool("change", "write", (text) => `wrote ${text}`)];
  const input = { text: "canary-1234567890", data: "canary-1234567890" };
  const model = new FakeModel(calls("change", input, "a"), says("It is canary-1234567890"));
  await agentOf(session, model, { tools }).send("The key is canary-1234567890", never);
  const kept = await session.keepOutput("log: canary-1234567890");
  const text = await Deno.readTextFile(new SessionStore(dir.path).fileOf(session.id)) + await Deno.readTextFile(kept!);
  assert(!text.includes("canary"));
  assertEquals(text.split("[redacted]").length - 1, 8);
});

Deno.test("SessionStore finds sessions by folder and by the start of an ID, and removes what they kept", async () => {
  await using dir = await tempDir();
  const store = new SessionStore(dir.path);
  const ids: string[] = [];
  for (const cwd of ["/w", "/w", "/elsewhere"]) {
    await using session = await newSession(dir.path, cwd);
    await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
    await session.keepOutput("output");
    ids.push(session.id);
  }
  const [old, current, other] = ids as [string, string, string];
  await Deno.utime(store.fileOf(old), new Date(1e12), new Date(1e12));
  assertEquals((await store.newestOf("/w"))?.id, current);
  assertEquals((await store.newestOf("/elsewhere"))?.id, other);
  assertEquals(await store.newestOf("/nowhere"), undefined);
  const [header = "", ...records] = (await Deno.readTextFile(store.fileOf(current))).split("\n");
  await Deno.writeTextFile(store.fileOf(current), [header.slice(0, 20), ...records].join("\n"));
  assertEquals((await store.newestOf("/w"))?.id, current, "a session whose first line is lost");
  assertEquals((await store.find(old.slice(0, 13))).id, old);
  await assertRejects(() => store.find("zzz"), ConfigError, 'There is no session "zzz"');
  await assertRejects(() => store.find(""), ConfigError);
  await store.remove(await store.find(old));
  const left = [...Deno.readDirSync(store.folder)].map(({ name }) => name).sort();
  assertEquals(left, [current, `${current}.jsonl`, other, `${other}.jsonl`].sort());
});

Deno.test("forkSession() copies a session that then goes its own way", async () => {
  await using dir = await tempDir({ "a.txt": "before" });
  await using session = await newSession(dir.path);
  await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
  await session.beforeChange(dir.join("a.txt"));
  const store = new SessionStore(dir.path);
  const original = await Deno.readTextFile(store.fileOf(session.id));
  const copy = await forkSession(store, await store.find(session.id)); // while it is in use
  await using second = await reopen(dir.path, copy.id);
  await agentOf(second, new FakeModel(says("Bye"))).send("Go on", never);
  const [first, ...rest] = await linesOf(dir.path, copy.id);
  assertEquals([first.id, first.forkedFrom], [copy.id, session.id]);
  assertEquals(rest.map(({ type }) => type), ["prefix", "user", "reply", "change", "user", "reply"]);
  assertEquals(await second.contentBefore(second.state.changes[0]!.before), new TextEncoder().encode("before"));
  assertEquals(await Deno.readTextFile(store.fileOf(session.id)), original);
  assert(second.readable.some((folder) => folder.includes(session.id)));
});

Deno.test("a session that cannot be kept says so once, and everything else works", async () => {
  await using dir = await tempDir({ sessions: "a file where the folder should be" });
  await using session = await newSession(dir.path);
  const told: string[] = [];
  session.onFailure = (text) => told.push(text);
  const tools = [textTool("change", "write", (text) => `wrote ${text}`)];
  const model = new FakeModel(calls("change", { text: "x" }, "a"), says("Hello"), says("Again"));
  const agent = agentOf(session, model, { tools });
  await agent.send("Hi", never);
  await agent.send("Hi again", never);
  assertStringIncludes(JSON.stringify(model.requests[1]?.messages.at(-1)), "wrote x");
  assertEquals([told.length, session.failed, session.isKept], [1, false, false]);
  assertStringIncludes(told[0]!, "nothing of it is kept");
});

Deno.test("a session keeps what sub-agents cost, and nothing else of them", async () => {
  await using dir = await tempDir();
  const session = await newSession(dir.path);
  const charge = { model: "m", day: "2026-11-30", tariff: 1, cost: { total: 0.5, miss: 0.5, hit: 0, output: 0 } };
  const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 };
  await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
  const record = subAgentRecorder(session);
  await record({ type: "user", content: [{ type: "text", text: "for the sub-agent" }] });
  const response = { content: [], stopReason: "end_turn" as const, usage, model: "m" };
  await record({ type: "reply", response, durationMs: 1, charge });
  await session[Symbol.asyncDispose]();
  await using again = await reopen(dir.path, session.id);
  assertEquals([again.state.costUsd, again.state.past().usage.inputTokens, again.state.messages.length], [0.5, 17, 2]);
});

Deno.test("a session leaves pictures and the proofs of thinking as they are", async () => {
  await using dir = await tempDir();
  await using session = await newSession(dir.path, "/w", (text) => text.replaceAll("a", "*"));
  const picture = { type: "image" as const, mediaType: "image/png", data: "aaaa" };
  const thinking = { type: "thinking" as const, text: "abc", signature: "aaaa", redacted: "aaaa", model: "fake/fake" };
  const model = new FakeModel({ content: [thinking, { type: "text", text: "banana" }] });
  await agentOf(session, model).send([picture], never);
  const [, , user, reply] = await linesOf(dir.path, session.id);
  assertEquals(user.content[0].data, "aaaa");
  assertEquals(reply.response.content[0], { ...thinking, text: "*bc" });
  assertEquals(reply.response.content[1].text, "b*n*n*");
});

Deno.test("a session whose prefix was lost keeps the one it goes on with", async () => {
  await using dir = await tempDir();
  const session = await newSession(dir.path);
  await agentOf(session, new FakeModel(says("Hello"))).send("Hi", never);
  await session[Symbol.asyncDispose]();
  const file = new SessionStore(dir.path).fileOf(session.id);
  const [head, , ...rest] = (await Deno.readTextFile(file)).split("\n");
  await Deno.writeTextFile(file, [head, ...rest].join("\n"));
  await using again = await reopen(dir.path, session.id);
  assertEquals(again.prefix, undefined);
  await again.setPrefix(PREFIX);
  assertEquals((await linesOf(dir.path, session.id)).at(-1)?.prefix, PREFIX);
});
