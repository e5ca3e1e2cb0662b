import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DemoModel } from "../../src/llm/demo.ts";
import { historyFaults } from "../../src/llm/history.ts";
import { create, type Message, type ModelRequest, type StreamEvent, type ToolDefinition } from "../../src/llm/types.ts";

const signal = new AbortController().signal;
const tool = (name: string): ToolDefinition => ({ name, description: "", inputSchema: { type: "object" } });
const tools = ["list_files", "read_file", "write_file", "edit_file", "run_command", "fetch_url"].map(tool);
const says = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const request = (parts: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "",
  messages: [says("What is in this folder?")],
  tools: [],
  maxTokens: 1000,
  ...parts,
});

/** Plays a turn to its end with these outputs of tools, and gives back the calls and the last text. */
async function turn(outputs: Record<string, string>, messages: Message[] = [says("hi")], isError = false) {
  const calls: [string, unknown][] = [];
  for (let step = 0; step < 10; step++) {
    const { content } = await create(new DemoModel(), request({ tools, messages }), signal);
    messages.push({ role: "assistant", content });
    const uses = content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) {
      assertEquals(historyFaults(messages), []);
      return { calls, messages, text: content.map((block) => block.type === "text" ? block.text : "").join("") };
    }
    messages.push({
      role: "user",
      content: uses.map(({ id, name, input }) => {
        calls.push([name, input]);
        return { type: "tool_result", toolUseId: id, content: outputs[name] ?? "", isError };
      }),
    });
  }
  throw new Error("The demo model does not come to an end");
}

Deno.test("DemoModel lists the folder, reads the README and tells a newcomer what it saw and how to go on", async () => {
  const { calls, text } = await turn({
    list_files: ".env\nREADME.md\nlogo.png\nmain.ts\nsrc/\n  a.ts\nto -> elsewhere\n[ignored: dist/]",
    read_file: "1→# Birds\n2→\n3→A list of birds.\n[end of file]",
  });
  assertEquals(calls, [["list_files", {}], ["read_file", { path: "README.md" }]]);
  assertStringIncludes(
    text,
    "This folder holds 4 files and 1 folder: `.env`, `README.md`, `logo.png`, `main.ts`, `src/`.",
  );
  assertStringIncludes(text, "`README.md` begins like this:\n\n```\n# Birds\n\nA list of birds.\n```");
  assertStringIncludes(text, "demo model");
  assertStringIncludes(text, "DEEPSEEK_API_KEY");
});

Deno.test("DemoModel chooses a text file that is safe to read, or none", async () => {
  const choices: [string, string | undefined][] = [
    ["a.ts\nreadme.txt\nnotes.md", "readme.txt"],
    ["z.json\nnotes.md", "notes.md"],
    ["docs/\n  guide.md\nb.py", "docs/guide.md"],
    ["a/\n  b/\n    README.md\n  c.txt\nREADME.md -> a/b/README.md\nd/\n  README.md", "d/README.md"],
    ["secrets/\n  notes.md\n.git/\n  description.txt", undefined],
    ["secrets.md\n.env\nid_rsa\nserver.key\napi_key.txt\n.npmrc\ncredentials.json", undefined],
    ["README.png\nmovie.mp4\na.out", undefined],
    ["README.md/\nlib/", undefined],
    ["[nothing in this folder]", undefined],
  ];
  for (const [listing, path] of choices) {
    const { calls } = await turn({ list_files: listing, read_file: "x" });
    assertEquals(calls.slice(1), path === undefined ? [] : [["read_file", { path }]], listing);
  }
});

Deno.test("DemoModel looks again in the next turn, and not again within one", async () => {
  const first = await turn({ list_files: "a.md", read_file: "x" });
  const second = await turn({ list_files: "b.md", read_file: "y" }, [...first.messages, says("and now?")]);
  assertEquals(second.calls, [["list_files", {}], ["read_file", { path: "b.md" }]]);
});

Deno.test("DemoModel says what went wrong when its calls fail", async () => {
  const { calls, text } = await turn({ list_files: "Cannot list: denied\nmore" }, [says("hi")], true);
  assertEquals(calls, [["list_files", {}]]);
  assertStringIncludes(text, "did not work: Cannot list: denied");
});

Deno.test("DemoModel calls only what it is offered", async () => {
  const only = request({ tools: [tool("read_file"), tool("write_file")] });
  const { content } = await create(new DemoModel(), only, signal);
  assertEquals(content, [{
    type: "text",
    text: 'this request holds 1 message, the last one is "What is in this folder?"',
  }]);
});

Deno.test("DemoModel answers a schema with an instance of it", async () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 6 },
      kind: { enum: ["bird", "fish"] },
      age: { type: "integer", minimum: 3, multipleOf: 2 },
      share: { type: "number", exclusiveMinimum: 0, maximum: 1 },
      tags: { type: "array", minItems: 2, items: { $ref: "#/$defs/tag" } },
      parent: { anyOf: [{ type: "null" }, { $ref: "#" }] },
      note: { type: "string" },
    },
    required: ["name", "kind", "age", "share", "tags", "parent"],
    $defs: { tag: { type: ["string", "null"], maxLength: 2 } },
  };
  const { content } = await create(new DemoModel(), request({ schema, tools }), signal);
  const value = JSON.parse(content.map((block) => block.type === "text" ? block.text : "").join());
  assert(value.share > 0);
  assertEquals({ ...value, share: 1 }, {
    name: "demooo",
    kind: "bird",
    age: 4,
    share: 1,
    tags: ["de", "de"],
    parent: null,
  });
});

Deno.test("DemoModel keeps to the ReAct format where a reply stops at an observation", async () => {
  const inText = (messages: Message[]) =>
    create(
      new DemoModel(),
      request({ system: "Tools: list_files, read_file", stop: ["Observation:"], messages }),
      signal,
    );
  const messages = [says("hi")];
  const outputs = ["a.md\nb/", "1→hello"];
  const texts: string[] = [];
  for (let step = 0; step < 3; step++) {
    const { content, stopReason } = await inText(messages);
    assertEquals(stopReason, step < 2 ? "stop_sequence" : "end_turn");
    texts.push(content.map((block) => block.type === "text" ? block.text : "").join(""));
    messages.push({ role: "assistant", content }, says(`Observation: ${outputs[step]}`));
  }
  assertStringIncludes(texts[0] ?? "", "Action: list_files\nAction Input: {}\n");
  assertStringIncludes(texts[1] ?? "", 'Action: read_file\nAction Input: {"path":"a.md"}\n');
  assertStringIncludes(texts[2] ?? "", "Final Answer: This folder holds 1 file and 1 folder");
  assertStringIncludes(texts[2] ?? "", "hello");
});

Deno.test("DemoModel streams in pieces that add up, and answers the same request the same way", async () => {
  const events: StreamEvent[] = [];
  const long = request({
    messages: [says("a word ".repeat(25)), { role: "assistant", content: [] }, says("b ".repeat(90))],
  });
  for await (const event of new DemoModel().stream(long, signal)) events.push(event);
  const pieces = events.flatMap((event) => event.type === "text_delta" ? event.text : []);
  assert(pieces.length > 1);
  const whole = await create(new DemoModel(), long, signal);
  assertEquals(events.at(-1), { type: "done", response: whole });
  assertEquals(whole.content, [{ type: "text", text: pieces.join("") }]);
  assertStringIncludes(pieces.join(""), "this request holds 3 messages, the last one is");
});

Deno.test("DemoModel stops when the signal aborts", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const stopped = await assertRejects(async () => {
    for await (const _ of new DemoModel().stream(request(), controller.signal)) controller.abort(reason);
  });
  assertEquals(stopped, reason);
});
