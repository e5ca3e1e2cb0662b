import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { compileMatch } from "../../src/agent/hook_match.ts";
import { type HookHost, HookRunner } from "../../src/agent/hook_runner.ts";
import type { HookLists } from "../../src/agent/hooks.ts";
import type { Block } from "../../src/llm/types.ts";
import { neutralise } from "../../src/permissions/neutralise.ts";
import { Redactor } from "../../src/permissions/redact.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { newAgent, RecordingUI, textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";
import { TEST_ENV } from "../testing/processes.ts";
import { type TempDir, tempDir } from "../testing/tool_context.ts";

const never = new AbortController().signal;

/** Plays one turn with hooks in a folder of its own. */
async function play(dir: TempDir, lists: HookLists, model: FakeModel, host: Partial<HookHost> = {}) {
  const notices: string[] = [];
  const ui = new RecordingUI();
  const ran: string[] = [];
  const tool = (name: string, access: "read" | "write") =>
    textTool(name, access, (text) => {
      ran.push(`${name} ${text}`);
      if (text === "throw") throw new Error("It broke");
      return `${name}: ${text}`;
    });
  const redactor = new Redactor(["zebra-key-1234567890"]);
  const hooks = new HookRunner(lists, {
    cwd: dir.path,
    session: () => ({ id: "s1", resumed: false }),
    mode: () => "edit",
    child: () => Promise.resolve({ env: TEST_ENV }),
    clean: (text) => redactor.redact(neutralise(text)),
    notify: (text) => void notices.push(text),
    ...host,
  });
  const agent = newAgent(model, { tools: [tool("look", "read"), tool("change", "write")], ui, hooks });
  const result = await agent.send("Go", never);
  return { notices, ran, ui, result, agent };
}

const twice = (name: string, text: string) => new FakeModel(calls(name, { text }, "c1"), says("Done"));
const results = (model: FakeModel) => model.requests[1]?.messages.at(-1)?.content;
const blocked = (content: string): Block[] => [{ type: "tool_result", toolUseId: "c1", content, isError: true }];

Deno.test("a before_tool hook that exits with 2 blocks the call, and the model reads its error output", async () => {
  await using dir = await tempDir();
  const model = twice("change", "a");
  const hook = { command: "echo ignored; echo 'Not on Fridays' >&2; exit 2" };
  const { ran, ui, notices } = await play(dir, { before_tool: [hook, { command: "touch second" }] }, model);
  assertEquals(results(model), blocked("Blocked by a hook: Not on Fridays"));
  assertEquals([ran, notices], [[], []]);
  assertEquals(ui.of("denial").map(({ id, reason }) => [id, reason]), [["c1", "Blocked by a hook: Not on Fridays"]]);
  assertEquals(await Array.fromAsync(Deno.readDir(dir.path)), []);
});

Deno.test("hooks are told of their event in one JSON object", async () => {
  await using dir = await tempDir();
  const keep = (name: string) => [{ command: `cat > ${name}.json` }];
  await play(dir, {
    session_start: keep("start"),
    before_tool: keep("before"),
    after_tool: keep("after"),
    turn_end: keep("end"),
  }, twice("change", 'a\n"ä"'));
  const told = async (name: string) => {
    const text = await Deno.readTextFile(dir.join(`${name}.json`));
    assertMatch(text, /^[^\n]+\n$/);
    return JSON.parse(text);
  };
  const common = (event: string) => ({
    hook_event_name: event,
    session_id: "s1",
    cwd: dir.path,
    permission_mode: "edit",
  });
  const call = { tool_name: "change", tool_input: { text: 'a\n"ä"' }, tool_use_id: "c1" };
  assertEquals(await told("start"), { ...common("session_start"), source: "startup" });
  assertEquals(await told("before"), { ...common("before_tool"), ...call });
  const answer = { tool_response: 'change: a\n"ä"', is_error: false };
  assertEquals(await told("after"), { ...common("after_tool"), ...call, ...answer });
  assertEquals(await told("end"), { ...common("turn_end"), outcome: "done", result: "Done" });
});

const FAILURES: [string, string, string][] = [
  ["exits with 1", "echo broken >&2; exit 1", "exit 1"],
  ["is not there", "no-such-guard", "exit 127"],
  ["is ended by a signal", "kill -9 $$", "exit 137 (SIGKILL)"],
];

for (const [what, command, how] of FAILURES) {
  Deno.test(`a before_tool hook that ${what} closes: the call does not run, and the person is told`, async () => {
    await using dir = await tempDir();
    const model = twice("change", "a");
    const { ran, notices, result } = await play(dir, { before_tool: [{ command }] }, model);
    const reason = `Not run: a hook that must agree to each change call failed (${how}), and the user must see to it`;
    assertEquals(results(model), blocked(reason));
    assertEquals([ran, notices.length, result.outcome], [[], 1, "done"]);
    assertStringIncludes(notices[0]!, `The before_tool hook "${command}" failed: ${how}, so change did not run`);
  });
}

Deno.test("a hook that cannot be started closes too", async () => {
  await using dir = await tempDir();
  for (
    const host of [
      { child: () => Promise.reject(new ToolError("The sandbox does not work")) },
      { cwd: dir.join("gone") },
    ]
  ) {
    const model = twice("look", "a");
    const { ran, notices } = await play(dir, { before_tool: [{ command: "true" }] }, model, host);
    assertStringIncludes(JSON.stringify(results(model)), "failed (it could not be started)");
    assertEquals([ran, notices.length], [[], 1]);
  }
});

Deno.test("an after_tool hook adds its objection to the result, also of a call that threw", async () => {
  await using dir = await tempDir();
  const hooks = {
    after_tool: [
      { match: "change", command: "echo 'One is unused' >&2; exit 2" },
      { match: "change", command: "echo 'Two is long' >&2; exit 2" },
      { match: "look", command: "touch never" },
    ],
  };
  const added = "\n\nA hook says: One is unused\n\nA hook says: Two is long";
  for (const [text, own, isError] of [["a", "change: a", false], ["throw", "It broke", true]] as const) {
    const model = twice("change", text);
    const { notices } = await play(dir, hooks, model);
    assertEquals(results(model), [{ type: "tool_result", toolUseId: "c1", content: own + added, isError }]);
    assertEquals(notices, []);
  }
});

Deno.test("what fails behind a call or a turn is told and changes nothing", async () => {
  await using dir = await tempDir();
  const model = twice("change", "a");
  const fails = (code: number) => [{ command: `echo oh >&2; exit ${code}` }];
  const lists = { session_start: fails(2), after_tool: fails(3), turn_end: fails(2) };
  const { notices, result } = await play(dir, lists, model);
  assertEquals(results(model), [{ type: "tool_result", toolUseId: "c1", content: "change: a", isError: false }]);
  assertEquals([result.outcome, result.text, model.requests.length], ["done", "Done", 2]);
  assertEquals(notices, [
    'The session_start hook "echo oh >&2; exit 2" objects\noh',
    'The after_tool hook "echo oh >&2; exit 3" failed: exit 3\noh',
    'The turn_end hook "echo oh >&2; exit 2" objects\noh',
  ]);
});

Deno.test("calls side by side have a hook each", async () => {
  await using dir = await tempDir();
  const content = ["a", "b", "c"].map((text) => ({
    type: "tool_use" as const,
    id: text,
    name: "look",
    input: { text },
  }));
  const model = new FakeModel({ content, stopReason: "tool_use" }, says("Done"));
  const command = `if grep -q '"text":"b"'; then echo no >&2; exit 2; fi`;
  const { ran } = await play(dir, { before_tool: [{ command }], after_tool: [{ command: "exit 2" }] }, model);
  assertEquals(ran.toSorted(), ["look a", "look c"]);
  assertEquals(
    results(model)?.map((block) => block.type === "tool_result" && [block.toolUseId, block.isError]),
    [["a", false], ["b", true], ["c", false]],
  );
});

Deno.test("the output of a hook is bounded, and holds no secret and no control character", async () => {
  await using dir = await tempDir();
  const model = twice("change", "a");
  const command = "printf '\\033[2Jzebra-key-1234567890 \\342\\200\\256x\\n' >&2; yes | head -c 5000000;" +
    "yes | head -c 5000000 >&2; exit 2";
  await play(dir, { before_tool: [{ command }] }, model);
  const [result] = results(model) ?? [];
  assert(result?.type === "tool_result");
  assertStringIncludes(result.content, "⟨U+202E⟩x");
  assertNotMatch(result.content, /zebra-key|\u202e|\[2J/);
  assert(result.content.length < 4200, String(result.content.length));
});

Deno.test("session_start runs once for each session, before its first request", async () => {
  await using dir = await tempDir();
  const model = new FakeModel(says("One"), says("Two"), says("Three"));
  let session = { id: "s1", resumed: false };
  const lists = { session_start: [{ command: "cat >> starts" }] };
  const { agent } = await play(dir, lists, model, { session: () => session });
  await agent.send("Again", never);
  session = { id: "s2", resumed: true };
  await agent.send("Elsewhere", never);
  const starts = (await Deno.readTextFile(dir.join("starts"))).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(starts.map(({ session_id, source }) => [session_id, source]), [["s1", "startup"], ["s2", "resume"]]);
});

Deno.test("compileMatch() knows names, globs and alternatives", () => {
  const fits = (match: string | undefined, ...tools: string[]) => tools.filter(compileMatch(match));
  const tools = ["read_file", "edit_file", "run_command", "mcp__a__b"];
  assertEquals(fits(undefined, ...tools), tools);
  assertEquals(fits("*", ...tools), tools);
  assertEquals(fits("**", ...tools), tools);
  assertEquals(fits("*_file", ...tools), ["read_file", "edit_file"]);
  assertEquals(fits("run_command | mcp__a__?", ...tools), ["run_command", "mcp__a__b"]);
  assertEquals(fits("Run_Command", ...tools), []);
  assertEquals(fits("read", ...tools), []);
  assertEquals(fits("|", ...tools), []);
  assertThrows(() => compileMatch("a["), SyntaxError);
});
