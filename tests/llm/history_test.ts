import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { historyFaults, mendHistory, UNKNOWN_RESULT } from "../../src/llm/history.ts";
import type { Block, Message } from "../../src/llm/types.ts";
import { seeded } from "../testing/random.ts";

const text = (text: string): Block => ({ type: "text", text });
const call = (id: string, name = "read_file", input: unknown = {}): Block => ({ type: "tool_use", id, name, input });
const result = (toolUseId: string, content = "ok", isError = false): Block => ({
  type: "tool_result",
  toolUseId,
  content,
  isError,
});
const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const unknown = (id: string): Block => result(id, UNKNOWN_RESULT, true);

const sound: Message[] = [
  user(text("u1")),
  assistant({ type: "thinking", text: "hm", signature: "s", model: "m" }, text("looking"), call("c1"), call("c2")),
  user(result("c1"), result("c2", "two"), text("and hurry")),
  assistant(call("c3", "list_files", { path: "a", deep: [1, null, { x: "é🙂" }] })),
  user(result("c3")),
  assistant(text("done")),
  user(text("thanks"), { type: "image", mediaType: "image/png", data: "AAAA" }),
];

/** Mends, and holds the outcome against what must be true of every mended history. */
function mend(messages: unknown): Message[] {
  const before = JSON.stringify(messages);
  const mended = mendHistory(messages as Message[]);
  assertEquals(JSON.stringify(messages), before, "the input was changed");
  assertEquals(historyFaults(mended), []);
  assertStrictEquals(mendHistory(mended), mended, "mending again changes something");
  return mended;
}

Deno.test("mendHistory() gives a sound history back as the very same array", () => {
  assertStrictEquals(mendHistory(sound), sound);
  assertEquals(mendHistory([]), []);
});

Deno.test("mendHistory() leaves the bytes of a sound history alone at every length, and answers open calls at its end", () => {
  for (let n = 1; n <= sound.length; n++) {
    const mended = mend(sound.slice(0, n));
    assertEquals(JSON.stringify(mended.slice(0, n)), JSON.stringify(sound.slice(0, n)));
    const calls = sound[n - 1]?.content.filter((block) => block.type === "tool_use") ?? [];
    assertEquals(mended.slice(n), calls.length === 0 ? [] : [user(...calls.map((block) => unknown(block.id)))]);
  }
});

Deno.test("mendHistory() answers calls that an interrupt left open, then comes the new prompt (B085)", () => {
  const history = [
    user(text("run it")),
    assistant(text("ok"), call("c1", "run_command", { command: "sleep 30" }), call("c2")),
  ];
  assertEquals(mend([...history, user(text("do something else"))]), [
    ...history,
    user(unknown("c1"), unknown("c2"), text("do something else")),
  ]);
  assertEquals(mend([...history, user(result("c2", "kept"))])[2], user(unknown("c1"), result("c2", "kept")));
});

Deno.test("mendHistory() keeps pairs whole wherever a history was cut (B099)", () => {
  const history = [
    user(text("u1")),
    assistant(call("c1"), call("c2")),
    user(result("c1", "r1"), result("c2", "r2")),
    assistant(text("a2")),
    user(text("u2")),
    assistant(call("c3", "list_files")),
    user(result("c3", "r3")),
  ];
  for (let cut = 0; cut <= history.length; cut++) {
    mend(history.slice(0, cut));
    const tail = mend(history.slice(cut));
    assertEquals(tail[0]?.content.some((block) => block.type === "tool_result") ?? false, false);
  }
});

Deno.test("mendHistory() merges neighbours of one role and keeps their blocks in order", () => {
  assertEquals(mend([user(text("a")), user(text("b")), assistant(text("c")), assistant(text("d"), call("c1"))]), [
    user(text("a"), text("b")),
    assistant(text("c"), text("d"), call("c1")),
    user(unknown("c1")),
  ]);
});

Deno.test("mendHistory() puts the results of calls between them and the next reply, not behind it", () => {
  assertEquals(
    mend([user(text("a")), assistant(call("c1")), assistant(call("c2")), user(result("c1"), result("c2"))]),
    [
      user(text("a")),
      assistant(call("c1")),
      user(result("c1")),
      assistant(call("c2")),
      user(result("c2")),
    ],
  );
  assertEquals(mend([user(text("a")), assistant(call("c1")), assistant(text("b"))]), [
    user(text("a")),
    assistant(call("c1")),
    user(unknown("c1")),
    assistant(text("b")),
  ]);
});

Deno.test("mendHistory() puts results in front, in the order of the calls", () => {
  assertEquals(
    mend([
      user(text("a")),
      assistant(call("c1"), call("c2")),
      user(text("b"), result("c2", "2"), result("c1", "1")),
    ])[2],
    user(result("c1", "1"), result("c2", "2"), text("b")),
  );
});

Deno.test("mendHistory() moves a late result to its call and drops what is left of its message", () => {
  assertEquals(
    mend([
      user(text("a")),
      assistant(call("c1")),
      user(text("b")),
      assistant(text("x")),
      user(result("c1")),
      assistant(text("y")),
    ]),
    [user(text("a")), assistant(call("c1")), user(result("c1"), text("b")), assistant(text("x"), text("y"))],
  );
});

Deno.test("mendHistory() drops results without a call, second results, and calls of the user", () => {
  assertEquals(
    mend([
      user(text("a"), result("c1", "before its call")),
      assistant(call("c1")),
      user(result("c1", "first"), result("c1", "second"), result("nobody"), call("c9")),
    ]),
    [user(text("a")), assistant(call("c1")), user(result("c1", "first"))],
  );
});

Deno.test("mendHistory() gives two calls with one id ids of their own and each its result", () => {
  assertEquals(
    mend([user(text("a")), assistant(call("x"), call("x")), user(result("x", "1"), result("x", "2"))]),
    [user(text("a")), assistant(call("x"), call("x_2")), user(result("x", "1"), result("x_2", "2"))],
  );
  const counting = [assistant(call("call_0")), user(result("call_0"))];
  assertEquals(
    mend([user(text("a")), ...counting, ...counting, ...counting]).flatMap((message) =>
      message.content.flatMap((block) => block.type === "tool_use" ? block.id : [])
    ),
    ["call_0", "call_0_2", "call_0_3"],
  );
});

Deno.test("mendHistory() leaves out empty texts and messages that hold nothing, thinking alone included", () => {
  assertEquals(
    mend([
      user(text("a"), text(" \n")),
      assistant({ type: "thinking", text: "hm" }),
      user(text("b")),
      assistant(text("")),
      assistant(),
      user(),
      user(text("c")),
    ]),
    [user(text("a"), text("b"), text("c"))],
  );
});

Deno.test("mendHistory() keeps thinking in front of what it led to and leaves out what follows the last answer", () => {
  const thinking: Block = { type: "thinking", text: "", signature: "sealed" };
  const redacted: Block = { type: "thinking", text: "", redacted: "AAAA" };
  assertEquals(
    mend([user(text("a")), assistant(thinking, redacted, call("c1"), thinking), user(result("c1"))])[1],
    assistant(thinking, redacted, call("c1")),
  );
});

Deno.test("mendHistory() says that the beginning is lost rather than lose an answer", () => {
  const mended = mend([assistant(text("hello")), user(text("b"))]);
  assertEquals(mended.map((message) => message.role), ["user", "assistant", "user"]);
  assertEquals(mended.slice(1), [assistant(text("hello")), user(text("b"))]);
});

Deno.test("mendHistory() writes a placeholder into an empty result (B094)", () => {
  const mended = mend([user(text("a")), assistant(call("c1")), user(result("c1", "\n"))]);
  assertEquals(mended[2], user(result("c1", "(no output)")));
});

Deno.test("mendHistory() makes names and ids valid for every service (B143)", () => {
  const long = "x".repeat(90);
  const names = ["calendar.getEvent", "user/update", "New Tool", long, "ok", ""];
  const mended = mend([
    user(text("a")),
    assistant(...names.map((name, i) => call(`functions.read:${i}`, name))),
    user(...names.map((_, i) => result(`functions.read:${i}`, `r${i}`))),
  ]);
  const calls = mended[1]?.content.flatMap((block) => block.type === "tool_use" ? [block] : []) ?? [];
  assertEquals(calls.map((block) => block.name), [
    "calendar_getEvent",
    "user_update",
    "New_Tool",
    long.slice(0, 64),
    "ok",
    "unnamed",
  ]);
  assertEquals(mended[2], user(...calls.map((block, i) => result(block.id, `r${i}`))));
});

Deno.test("mendHistory() cuts ids to the length that every service takes, and keeps them apart", () => {
  const ids = ["x".repeat(41), "x".repeat(70), "x".repeat(40)];
  const mended = mend([
    user(text("a")),
    assistant(...ids.map((id) => call(id))),
    user(...ids.map((id) => result(id, id))),
  ]);
  const sent = mended[1]?.content.flatMap((block) => block.type === "tool_use" ? block.id : []);
  assertEquals(sent, ["x".repeat(40), `${"x".repeat(38)}_2`, `${"x".repeat(38)}_3`]);
  assertEquals(mended[2], user(...ids.map((id, i) => result(sent![i]!, id))));
});

Deno.test("mendHistory() mends half characters in every text, arguments and their names included", () => {
  const mended = mend([
    user(text("a\ud83d")),
    assistant(
      { type: "thinking", text: "\udc00" },
      call("c1", "write_file", { "k\ud800": ["\ud800", { deep: "ok" }] }),
    ),
    user(result("c1", "out \ud83d")),
  ]);
  assertEquals(mended, [
    user(text("a\ufffd")),
    assistant(
      { type: "thinking", text: "\ufffd" },
      call("c1", "write_file", { "k\ufffd": ["\ufffd", { deep: "ok" }] }),
    ),
    user(result("c1", "out \ufffd")),
  ]);
});

Deno.test("mendHistory() makes arguments an object that can be written as JSON", () => {
  const deep = JSON.parse('{"a":'.repeat(50_000) + "1" + "}".repeat(50_000));
  const inputs = [null, "text", [1], 7, deep, JSON.parse('{"__proto__":{"x":1}}')];
  const history = [user(text("a")), assistant(...inputs.map((input, i) => call(`c${i}`, "read_file", input)))];
  const mended = mendHistory(history);
  assertEquals(historyFaults(mended), []);
  const sent = JSON.parse(JSON.stringify(mended[1]?.content)).map((block: { input: unknown }) => block.input);
  assertEquals(sent.slice(0, 4), [{}, {}, {}, {}]);
  assertEquals(JSON.stringify(sent[5]), '{"__proto__":{"x":1}}');
});

Deno.test("mendHistory() leaves out pictures that no service could read", () => {
  const good: Block = { type: "image", mediaType: "image/png", data: "AAAA" };
  const bad = [{ ...good, data: "" }, { ...good, data: "no base64!" }, { ...good, mediaType: "text/html" }] as Block[];
  assertEquals(mend([user(text("a"), ...bad, good)]), [user(text("a"), good)]);
});

Deno.test("mendHistory() takes whatever JSON can hold", () => {
  const garbage: unknown[] = [null, 1, "x", {}, [[]], [null, 1, "x", [], {}], [{ role: "user" }], [{
    role: "system",
    content: "x",
  }]];
  for (const value of garbage) assertEquals(mend(value), []);
  assertEquals(
    mend([{ role: "user", content: "older" }, { role: "assistant" }, { role: "assistant", content: [null, 3] }]),
    [
      user(text("older")),
    ],
  );
  assertEquals(mend([{ role: "user" }, assistant(text("x"))]).length, 2);
  assertEquals(
    mend([{ role: "user", content: [{ type: "tool_use" }, { type: "tool_result" }, { type: "video" }] }]),
    [],
  );
});

Deno.test("mendHistory() is linear: 20,000 messages with one id for every call take no time", () => {
  const messages = Array.from(
    { length: 20_000 },
    (_, i) => i % 2 === 0 ? user(result("x"), text("t")) : assistant(call("x")),
  );
  const start = performance.now();
  assertEquals(mendHistory(messages).length, 20_000 + 1);
  assert(performance.now() - start < 2000);
});

Deno.test("mendHistory() makes any broken history sound, keeps its texts and its known results", () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const history = brokenHistory(seed);
    const mended = mend(history);
    const texts = (messages: Message[]) =>
      messages.flatMap((m) => m.content.flatMap((b) => b.type === "text" && b.text.startsWith("t") ? b.text : []));
    assertEquals(texts(mended), texts(history), `seed ${seed}`);
  }
});

Deno.test("mendHistory() changes nothing of what was sent when a broken history grows", () => {
  for (let seed = 1; seed <= 1000; seed++) {
    let history = brokenHistory(seed);
    let before = mend(history);
    for (let step = 0; step < 3; step++) {
      history = [...history, assistant(text(`s${step}`)), user(text(`p${step}`))];
      const after = mend(history);
      const settled = before.at(-1)?.role === "assistant" ? before.length - 1 : before.length;
      assertEquals(after.slice(0, settled), before.slice(0, settled), `seed ${seed}`);
      before = after;
    }
  }
});

/** A history with random faults of every kind; the same seed gives the same one. */
function brokenHistory(seed: number): Message[] {
  const { below } = seeded(seed);
  const id = () => ["c1", "c2", "c3", "c 4", "", "x".repeat(70)][below(6)] ?? "";
  let count = 0;
  const block = (): Block => {
    const kinds: (() => Block)[] = [
      () => text(`t${count++}`),
      () => text(["", " ", "\ud83d"][below(3)] ?? ""),
      () => ({ type: "thinking", text: ["", "hm"][below(2)] ?? "", ...(below(2) === 0 && { signature: "s" }) }),
      () => call(id(), ["read_file", "a.b", ""][below(3)], [{}, { a: "\udfff" }, [], null, "x"][below(5)]),
      () => call(`n${count++}`),
      () => result(id(), ["", "ok", "\ud800"][below(3)]),
      () => ({ type: "image", mediaType: "image/png", data: ["AAAA", ""][below(2)] ?? "" }),
      () => [null, {}, { type: "tool_use" }, { type: "tool_result", content: [] }][below(4)] as unknown as Block,
    ];
    return kinds[below(kinds.length)]?.() ?? text("t");
  };
  return Array.from({ length: below(9) }, () => ({
    role: below(2) === 0 ? "user" : "assistant",
    content: Array.from({ length: below(5) }, block),
  }));
}
