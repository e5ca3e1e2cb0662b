import { assert, assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type ChatAnswer, chatReply, FakeService, refusal, type Step } from "../testing/fake_service.ts";
import { Box, type ProgramResult } from "../testing/program.ts";

const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url });
const call = (name: string, args: unknown, id = "c1") => chatReply({ calls: [{ id, name, args }] });
const delegate = (task: Record<string, unknown> = {}, id = "p1") =>
  call("run_agent", { description: "look around", prompt: "CHILD: look around", ...task }, id);

/** What a request is about: a sub-agent's is told by its first words. */
const isChild = (body: { messages: { content: string }[] }) => body.messages[1]!.content.startsWith("CHILD");
const systemOf = (body: { messages: { content: string }[] }) => body.messages[0]!.content;
const toolNames = (body: { tools: { function: { name: string } }[] }) => body.tools.map((tool) => tool.function.name);

/** The result of the last call as the model reads it. */
function lastResult(service: FakeService): string {
  return service.requests.at(-1)?.body.messages.at(-1).content;
}

/** Runs `-p --output-format json`. */
async function runJson(box: Box, service: FakeService, args: string[] = [], files: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(box.path(name), text);
  const result: ProgramResult = await box.run(["-p", "--output-format", "json", ...args, "go"], { env: env(service) });
  return { ...result, ending: JSON.parse(result.stdout) };
}

Deno.test("a sub-agent has its own short prompt and history, the parent's tools but its own, and gives back its last message", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n", "AGENTS.md": "Say please.\n" });
  await using service = new FakeService(
    delegate(),
    call("read_file", { path: "a.txt" }, "k1"),
    "It says alpha",
    "The end",
  );
  const args = ["--append-system-prompt", "Be kind.", "--max-tokens", "900", "--effort", "low"];
  const { code, ending, stderr } = await runJson(box, service, args);
  assertEquals([code, ending.result, ending.num_turns], [0, "The end", 2]);
  assertEquals([ending.usage.input_tokens, ending.usage.output_tokens], [400, 40]);
  const [parent, child, second, last] = service.requests.map(({ body }) => body);
  assertEquals(service.requests.length, 4);
  const { messages, tools, ...rest } = child;
  const { messages: _, tools: parentTools, ...parentRest } = parent;
  assertEquals(rest, parentRest);
  assertEquals(toolNames(child), toolNames(parent).filter((name) => name !== "run_agent"));
  assertEquals(tools, parentTools.slice(0, -1));
  assertEquals(messages.slice(1), [{ role: "user", content: "CHILD: look around" }]);
  assertMatch(systemOf(child), /^You are a sub-agent of mini-agent/);
  const ending_ = systemOf(parent).slice(systemOf(parent).indexOf("Be kind."));
  assertStringIncludes(ending_, "Say please.");
  assert(systemOf(child).endsWith(ending_), systemOf(child));
  assertEquals(second.messages.slice(0, 2), messages);
  assertStringIncludes(second.messages.at(-1).content, "alpha");
  assertEquals(last.messages.slice(0, 2), parent.messages);
  assertEquals(last.messages.length, 4);
  assertEquals(last.messages.at(-1), { role: "tool", tool_call_id: "p1", content: "It says alpha" });
  assertStringIncludes(stderr, "⏺ run_agent look around\n  ⏺ read_file a.txt\n");
});

Deno.test("a sub-agent that gives no answer is an error that says why, and its parent goes on", async () => {
  const list = call("list_files", {});
  const cases: [string, Step, RegExp][] = [
    [
      "no text",
      chatReply({ text: " " }),
      /^Error: The sub-agent gave no answer: its (last reply had no text|request failed: .*empty)/,
    ],
    [
      "a refused request",
      refusal(400, { message: "bad thing" }),
      /^Error: The sub-agent gave no answer: its request failed: .*bad thing/,
    ],
    ["a stuck loop", list, /^Error: The sub-agent gave no answer: it was stopped, since it repeated the same calls/],
    ["the output limit", chatReply({ text: "", finish: "length" }), /^Error: .*the output limit/],
    [
      "a refusal",
      chatReply({ text: "I will not", finish: "content_filter" }),
      /^Error: .*refused the task\n\nWhat it said last, after 1 model call:\nI will not$/,
    ],
  ];
  for (const [what, step, expected] of cases) {
    await using box = await Box.create({ "a.txt": "" });
    await box.configure({ retries: { max: 0 } });
    let calls = 0;
    await using service = new FakeService(({ body }) => isChild(body) ? step : calls++ === 0 ? delegate() : "The end");
    const { code, ending } = await runJson(box, service);
    assertEquals([code, ending.result, ending.num_turns], [0, "The end", 2], what);
    assertMatch(lastResult(service), expected, what);
  }
});

Deno.test("a sub-agent has the step limit for itself, and says what it changed before it came to it", async () => {
  await using box = await Box.create();
  let n = 0;
  let calls = 0;
  await using service = new FakeService(({ body }) => {
    if (isChild(body)) {
      return chatReply({
        text: "Next one",
        calls: [{ id: `k${++n}`, name: "write_file", args: { path: `${n}.txt`, content: "x" } }],
      });
    }
    return calls++ === 0 ? delegate() : "The end";
  });
  const { code, ending } = await runJson(box, service, ["--max-steps", "3", "--mode", "edit"]);
  assertEquals([code, ending.result, ending.num_turns, n], [0, "The end", 2, 3]);
  const cwd = await Deno.realPath(box.project);
  assertEquals(
    lastResult(service),
    "Error: The sub-agent gave no answer: it reached its limit of 3 steps\n\n" +
      `Files that it has changed: ${cwd}/1.txt, ${cwd}/2.txt, ${cwd}/3.txt\n\n` +
      "What it said last, after 3 model calls:\nNext one",
  );
});

Deno.test("a mode above the parent's is refused with the parent's name, one below takes away tools", async () => {
  await using box = await Box.create();
  await using service = new FakeService(
    delegate({ mode: "full" }),
    delegate({ mode: "plan" }, "p2"),
    "Read it",
    "The end",
  );
  await runJson(box, service, ["--mode", "edit"]);
  const [, refused, child] = service.requests.map(({ body }) => body);
  assertEquals(
    refused.messages.at(-1).content,
    'Error: Cannot run a sub-agent in mode "full": the present mode is "edit", and a sub-agent\'s may not be wider. ' +
      "Leave mode out, or take one of plan, ask, edit",
  );
  const names = toolNames(child);
  assertEquals(["write_file", "edit_file", "run_agent"].filter((name) => names.includes(name)), []);
  assert(names.includes("read_file"));
  assertStringIncludes(systemOf(child), "Limit: permission mode plan\n");
});

Deno.test("sub-agents that only read run side by side, others one after another", async () => {
  for (const [mode, together] of [["plan", true], ["edit", false]] as const) {
    await using box = await Box.create();
    const both = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    let calls = 0;
    await using service = new FakeService(async ({ body }) => {
      if (!isChild(body)) {
        const tasks = ["one", "two"].map((name) => ({
          id: name,
          name: "run_agent",
          args: { description: name, prompt: `CHILD ${name}`, mode },
        }));
        return calls++ === 0 ? chatReply({ calls: tasks }) : "The end";
      }
      most = Math.max(most, ++running);
      if (running === 2) both.resolve();
      if (together) await both.promise;
      running--;
      return `done ${body.messages[1].content}`;
    });
    const { ending } = await runJson(box, service, ["--mode", "edit"]);
    assertEquals([ending.result, most], ["The end", together ? 2 : 1]);
    const results = service.requests.at(-1)!.body.messages.slice(-2).map((m: { content: string }) => m.content);
    assertEquals(results, ["done CHILD one", "done CHILD two"]);
  }
});

Deno.test("a call that is denied in a sub-agent is told to it, listed, and ends with 3", async () => {
  await using box = await Box.create();
  const write = { path: "a.txt", content: "x" };
  await using service = new FakeService(delegate(), call("write_file", write, "k1"), "I could not", "The end");
  const { code, ending, stderr } = await runJson(box, service);
  assertEquals([code, ending.permission_denials], [3, [{
    tool_name: "write_file",
    tool_use_id: "k1",
    tool_input: write,
  }]]);
  assertStringIncludes(service.requests[2]?.body.messages.at(-1).content, "nobody is there to ask");
  assertStringIncludes(stderr, "To allow write_file without a question");
});

Deno.test("stream-json gives the messages of a sub-agent the id of its call", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(delegate(), call("read_file", { path: "a.txt" }, "k1"), "Alpha", "The end");
  const args = ["-p", "--output-format", "stream-json", "--include-partial-messages", "go"];
  const { stdout } = await box.run(args, { env: env(service) });
  const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const told = events.filter(({ type }) => type === "assistant" || type === "user")
    .map(({ type, message, parent_tool_use_id }) => [type, message.content[0].type, parent_tool_use_id]);
  assertEquals(told, [
    ["assistant", "tool_use", null],
    ["assistant", "tool_use", "p1"],
    ["user", "tool_result", "p1"],
    ["assistant", "text", "p1"],
    ["user", "tool_result", null],
    ["assistant", "text", null],
  ]);
  const pieces = events.filter(({ type }) => type === "stream_event").map(({ event }) => event.delta.text);
  assertEquals(pieces, ["The end"]);
});

Deno.test("what a sub-agent costs stops it and its parent at the limit, also side by side", async () => {
  await using box = await Box.create();
  await box.configure({ models: { "deepseek-flash": { price: { input: 0, output: 1000 } } } });
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const answer = (more: ChatAnswer) => chatReply({ ...more, usage });
  const tasks = ["one", "two", "three"].map((name) => ({
    id: name,
    name: "run_agent",
    args: { description: name, prompt: `CHILD ${name}`, mode: "plan" },
  }));
  // a reply of 100 tokens may cost 0.1: beside the 0.01 that was spent two requests are within 0.25, three are not
  const two = Promise.withResolvers<void>();
  let [children, calls] = [0, 0];
  await using service = new FakeService(async ({ body }) => {
    if (!isChild(body)) return answer(calls++ === 0 ? { calls: tasks } : { text: "The end" });
    if (++children === 2) two.resolve();
    await two.promise;
    return answer({ text: "ok" });
  });
  const { code, ending } = await runJson(box, service, ["--max-cost", "0.25", "--max-tokens", "100"]);
  assertEquals([children, service.requests.length], [2, 4]);
  const results = service.requests.at(-1)!.body.messages.slice(-3).map((m: { content: string }) => m.content);
  assertEquals(results.slice(0, 2), ["ok", "ok"]);
  assertMatch(results[2], /^Error: The sub-agent gave no answer: .*the cost limit of the session/);
  assertEquals([code, ending.subtype], [0, "success"]);
  assertAlmostEquals(ending.total_cost_usd, 0.04, 1e-6);
});

Deno.test("a file that a sub-agent has read is not one that its parent has read", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(
    delegate(),
    call("read_file", { path: "a.txt" }, "k1"),
    "Read it",
    call("write_file", { path: "a.txt", content: "new\n" }, "c2"),
    "The end",
  );
  await runJson(box, service, ["--mode", "edit"]);
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "alpha\n");
  assertMatch(lastResult(service), /^Error: .*read/);
});

Deno.test("/undo, /diff, /usage and /cost count what a sub-agent did, in the next process too", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  const edit = { path: "a.txt", old_string: "alpha", new_string: "beta" };
  await using service = new FakeService(delegate(), call("edit_file", edit, "k1"), "Done", "The end");
  await box.run(["-p", "--mode", "edit", "go"], { env: env(service) });
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "beta\n");
  const stdin = ["/diff", "/usage", "/cost", "/undo", ""].join("\n");
  const { stdout } = await box.run(["-c"], { env: env(service), stdin });
  assertStringIncludes(stdout, "beta");
  assertMatch(stdout, /400/);
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "alpha\n");
});

Deno.test("hooks run around the calls of a sub-agent, and its end is not the end of a turn", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  const note = (event: string) => [{ command: `echo ${event} >> seen` }];
  const before_tool = [{ match: "read_file", command: "echo 'Not that file' >&2; exit 2" }];
  await box.configure({ hooks: { before_tool, turn_end: note("end"), session_start: note("start") } });
  await using service = new FakeService(
    delegate(),
    call("read_file", { path: "a.txt" }, "k1"),
    "I could not",
    "The end",
  );
  const { code } = await runJson(box, service, ["--mode", "edit"]);
  assertEquals(code, 3);
  assertEquals(service.requests[2]?.body.messages.at(-1).content, "Error: Blocked by a hook: Not that file");
  assertEquals(await Deno.readTextFile(box.path("seen")), "start\nend\n");
});

Deno.test("models that call tools in text have sub-agents too", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await box.configure({ models: { "deepseek-flash": { tools: "text" } } });
  const task = JSON.stringify({ description: "look", prompt: "CHILD: look" });
  let calls = 0;
  await using service = new FakeService(({ body }) =>
    isChild(body)
      ? "Final Answer: child says hi"
      : calls++ === 0
      ? `Action: run_agent\nAction Input: ${task}\n`
      : "Final Answer: The end"
  );
  const { code, ending } = await runJson(box, service);
  assertEquals([code, ending.result], [0, "The end"]);
  assertStringIncludes(service.requests.at(-1)!.text, "child says hi");
});

Deno.test("a sub-agent of a parent in plan mode only reads, and cannot be more", async () => {
  await using box = await Box.create();
  await using service = new FakeService(delegate({ mode: "ask" }), delegate({}, "p2"), "Read it", "The end");
  await runJson(box, service, ["--mode", "plan"]);
  const [parent, refused, child] = service.requests.map(({ body }) => body);
  assertMatch(refused.messages.at(-1).content, /the present mode is "plan".* Leave mode out, or take one of plan$/);
  assertEquals(toolNames(child), toolNames(parent).filter((name) => name !== "run_agent"));
  assertStringIncludes(systemOf(child), "Limit: permission mode plan\n");
});

Deno.test("a command of a sub-agent in plan mode is judged by that mode, whatever its parent may", async () => {
  await using box = await Box.create();
  await using service = new FakeService(
    delegate({ mode: "plan" }),
    call("run_command", { command: "touch made" }, "k1"),
    "I could not",
    "The end",
  );
  await runJson(box, service, ["--mode", "full"]);
  assertMatch(service.requests[2]?.body.messages.at(-1).content, /^Error: /);
  assertEquals(await Array.fromAsync(Deno.readDir(box.project)), []);
});

Deno.test("a narrower mode of a sub-agent decides about its calls and its paths", async () => {
  await using box = await Box.create();
  await Deno.writeTextFile(box.home("out.txt"), "outside\n");
  const step = (name: string, args: unknown) => async (flags: string[], mode: string) => {
    await using service = new FakeService(delegate({ mode }), call(name, args, "k1"), "I could not", "The end");
    const { code, ending } = await runJson(box, service, flags);
    return [code, ending.permission_denials.length, service.requests[2]?.body.messages.at(-1).content];
  };
  const write = step("write_file", { path: "a.txt", content: "x" });
  const read = step("read_file", { path: box.home("out.txt") });
  const [code, denials, said] = await write(["--mode", "edit"], "ask");
  assertEquals([code, denials], [3, 1]);
  assertMatch(said, /ask mode/);
  assertEquals((await write(["--mode", "edit"], "edit")).slice(0, 2), [0, 0]);
  assertEquals((await read(["--mode", "full"], "edit")).slice(0, 2), [3, 1]);
  assertEquals((await read(["--mode", "full"], "full")).slice(0, 2), [0, 0]);
});

Deno.test({
  name: "the commands of a sub-agent run in the sandbox where its mode says so, though its parent's do not",
  ignore: !await Deno.stat("/usr/bin/bwrap").then(({ isFile }) => isFile, () => false),
  async fn() {
    await using box = await Box.create();
    const command = `echo in > in.txt; echo out > ${box.home("out.txt")}`;
    await using service = new FakeService(
      delegate({ mode: "edit" }),
      call("run_command", { command }, "k1"),
      "Done",
      "The end",
    );
    const { code } = await runJson(box, service, ["--mode", "full"]);
    assertEquals([code, await Deno.readTextFile(box.path("in.txt"))], [0, "in\n"]);
    assertEquals(await Deno.stat(box.home("out.txt")).catch(() => "none"), "none");
  },
});

Deno.test("keys are taken out of what a sub-agent reads and says", async () => {
  await using box = await Box.create({ "a.txt": "the key is zebra-key-1234567890\n" });
  await using service = new FakeService(
    delegate(),
    call("read_file", { path: "a.txt" }, "k1"),
    "It is zebra-key-1234567890",
    "The end",
  );
  const { stdout } = await box.run(["-p", "--output-format", "stream-json", "go"], { env: env(service) });
  assert(!service.requests[2]!.text.includes("zebra"), service.requests[2]!.text);
  const { messages } = service.requests[3]!.body;
  assert(!messages.at(-1).content.includes("zebra"), messages.at(-1).content);
  assert(!stdout.includes("zebra"));
});

Deno.test("files that a sub-agent's command changed are named by /undo, and the session can be replayed", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n", "b.txt": "alpha\n" });
  await using service = new FakeService(
    delegate(),
    call("edit_file", { path: "a.txt", old_string: "alpha", new_string: "beta" }, "k1"),
    call("run_command", { command: "echo more >> b.txt" }, "k2"),
    "Done",
    "The end",
  );
  await box.run(["-p", "--mode", "full", "go"], { env: env(service) });
  const replay = await box.run(["sessions", "list"]);
  const id = /[0-9a-f]{8}/.exec(replay.stdout)?.[0] ?? "";
  assertEquals((await box.run(["replay", id])).stdout, "2 requests, all as recorded\n");
  const { stdout } = await box.run(["-c"], { env: env(service), stdin: "/undo\n" });
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "alpha\n");
  assertMatch(stdout, /command.*b\.txt|b\.txt.*command/s);
});

Deno.test("a sub-agent goes on where its parent's model and effort are now, and its parent's session keeps only its cost", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", delegate(), "SECRET-OF-THE-CHILD is all", "The end");
  const stdin = ["first", "/model deepseek-v4-pro", "/effort max", "second", ""].join("\n");
  await box.run([], { env: env(service), stdin });
  const [, parent, child] = service.requests.map(({ body }) => body);
  assertEquals([child.model, child.reasoning_effort], [parent.model, parent.reasoning_effort]);
  assertEquals(child.model, "deepseek-v4-pro");
  const sessions = box.home(".local/state/mini-agent/sessions");
  const file = (await Array.fromAsync(Deno.readDir(sessions))).find(({ name }) => name.endsWith(".jsonl"))!.name;
  const lines = (await Deno.readTextFile(`${sessions}/${file}`)).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.slice(2).map(({ type }) => type), [
    ...["user", "reply", "prefix", "user", "reply"],
    ...["intent", "charge", "result", "reply"],
  ]);
});
