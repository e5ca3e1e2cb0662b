import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Session } from "../../src/agent/session.ts";
import { Session as KeptSession } from "../../src/agent/session.ts";
import { changedFiles, lastChangedTurn, undoFrom } from "../../src/agent/undo.ts";
import { editFile } from "../../src/tools/edit_file.ts";
import { writeFile } from "../../src/tools/write_file.ts";
import { textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";
import { agentOf, newSession, PREFIX, reopen } from "../testing/sessions.ts";
import { type TempDir, tempDir } from "../testing/tool_context.ts";

const never = new AbortController().signal;
const read = (path: string) => Deno.readTextFile(path).catch(() => undefined);

/** Two turns: the first writes b.txt and edits a.txt, the second edits a.txt again. */
async function twoTurns(dir: TempDir, session: Session) {
  const edit = (from: string, to: string, id: string) =>
    calls("edit_file", { path: "a.txt", old_string: from, new_string: to }, id);
  const model = new FakeModel(
    calls("write_file", { path: "b.txt", content: "new\n" }, "1"),
    edit("one", "two", "2"),
    says("Done"),
    edit("two", "three", "3"),
    edit("missing", "x", "4"),
    says("Done again"),
  );
  const agent = agentOf(session, model, { tools: [writeFile, editFile] });
  await agent.send("First", never);
  await agent.send("Second", never);
  assertEquals([await read(dir.join("a.txt")), await read(dir.join("b.txt"))], ["three\n", "new\n"]);
}

Deno.test("undoFrom() takes back one turn after the other, also in another process", async () => {
  await using data = await tempDir();
  await using dir = await tempDir({ "a.txt": "one\n" });
  await Deno.chmod(dir.join("a.txt"), 0o640);
  let session = await newSession(data.path, dir.path);
  await twoTurns(dir, session);
  await session[Symbol.asyncDispose]();
  session = await reopen(data.path, session.id);
  assertEquals(changedFiles(session).map(({ path }) => path), [dir.join("b.txt"), dir.join("a.txt")]);
  assertEquals(await undoFrom(session, lastChangedTurn(session)!), {
    restored: [dir.join("a.txt")],
    removed: [],
    refused: [],
    byCommands: [],
  });
  assertEquals(await read(dir.join("a.txt")), "two\n");
  await session[Symbol.asyncDispose]();
  session = await reopen(data.path, session.id);
  const { restored, removed } = await undoFrom(session, lastChangedTurn(session)!);
  assertEquals([restored, removed], [[dir.join("b.txt"), dir.join("a.txt")], [dir.join("b.txt")]]);
  assertEquals([await read(dir.join("a.txt")), await read(dir.join("b.txt"))], ["one\n", undefined]);
  assertEquals(((await Deno.stat(dir.join("a.txt"))).mode ?? 0) & 0o777, 0o640);
  assertEquals(lastChangedTurn(session), undefined);
  await session[Symbol.asyncDispose]();
});

Deno.test("undoFrom() takes several turns back at once, without a saved session too", async () => {
  await using dir = await tempDir({ "a.txt": "one\n" });
  await using session = new KeptSession({ id: "s", cwd: dir.path, redact: (text) => text });
  await session.setPrefix(PREFIX);
  await twoTurns(dir, session);
  assertEquals((await undoFrom(session, 1)).restored.length, 2);
  assertEquals([await read(dir.join("a.txt")), await read(dir.join("b.txt"))], ["one\n", undefined]);
});

Deno.test("undoFrom() leaves a file alone that someone else has changed, removed or replaced since", async () => {
  for (const meddle of ["change", "remove", "link"]) {
    await using data = await tempDir({ "other.txt": "other\n" });
    await using dir = await tempDir({ "a.txt": "one\n" });
    await using session = await newSession(data.path, dir.path);
    await twoTurns(dir, session);
    const path = dir.join("a.txt");
    if (meddle === "change") await Deno.writeTextFile(path, "mine\n");
    else await Deno.remove(path);
    if (meddle === "link") await Deno.symlink(data.join("other.txt"), path);
    const { restored, refused } = await undoFrom(session, 1);
    assertEquals([restored, refused.map((file) => file.path)], [[dir.join("b.txt")], [path]]);
    assertEquals(await read(path), { change: "mine\n", remove: undefined, link: "other\n" }[meddle]);
    assertEquals(await read(data.join("other.txt")), "other\n");
    assertEquals(lastChangedTurn(session), 2);
  }
});

Deno.test("undoFrom() names the files that a command changed, and what it removed", async () => {
  await using data = await tempDir();
  await using dir = await tempDir({ "a.txt": "one\n", "gone.txt": "x", "same.txt": "x" });
  await using session = await newSession(data.path, dir.path);
  const command = textTool("run_command", "execute", async () => {
    await Deno.writeTextFile(dir.join("a.txt"), "by command\n");
    await Deno.remove(dir.join("gone.txt"));
    return "ran";
  });
  const agent = agentOf(session, new FakeModel(calls("run_command", { text: "x" }, "1"), says("Ok")), {
    tools: [command],
  });
  await agent.send("Run it", never);
  const { restored, byCommands } = await undoFrom(session, 1);
  assertEquals([restored, byCommands], [[], [dir.join("a.txt"), dir.join("gone.txt")]]);
});

Deno.test("a rewind goes back to before a turn, and the next request shows it", async () => {
  await using data = await tempDir();
  let session = await newSession(data.path);
  const model = new FakeModel(says("One"), says("Two"), says("Three"), says("Other"), says("Last"));
  let agent = agentOf(session, model);
  for (const text of ["First", "Second", "Third"]) await agent.send(text, never);
  await session.add({ type: "rewind", turn: 2 });
  agent.resume(session.state.past());
  await agent.send("Instead", never);
  await session[Symbol.asyncDispose]();
  session = await reopen(data.path, session.id);
  agent = agentOf(session, model);
  await agent.send("And now", never);
  const texts = model.requests.slice(-2).map(({ messages }) =>
    messages.flatMap(({ content }) => content.map((block) => block.type === "text" ? block.text : "?"))
  );
  assertEquals(texts, [["First", "One", "Instead"], ["First", "One", "Instead", "Other", "And now"]]);
  assertEquals(session.state.turns.map(({ text }) => text), ["First", "Second", "Third", "Instead", "And now"]);
  assertStringIncludes(await Deno.readTextFile(`${data.path}/sessions/${session.id}.jsonl`), "Third");
  await session[Symbol.asyncDispose]();
});
