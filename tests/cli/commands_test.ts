import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { BUILTIN_COMMANDS } from "../../src/cli/builtin_commands.ts";
import { type Command, type CommandResult, isCommand, runCommand } from "../../src/cli/commands.ts";
import type { SessionControls } from "../../src/cli/session_controls.ts";
import { neutralise } from "../../src/permissions/neutralise.ts";
import { nearest } from "../../src/tools/nearest.ts";
import { newSession } from "../testing/session.ts";

Deno.test("a line is a command if a name follows the slash, and a message if a path does", () => {
  for (const line of ["/help", "/model deepseek-flash", "/my-command\nmore", "/unknown"]) {
    assertEquals(isCommand(line), true, line);
  }
  for (
    const line of ["/etc/passwd is what?", "/", "// comment", "/ help", "what /help does", "/2", `/${"x".repeat(65)}`]
  ) {
    assertEquals(isCommand(line), false, line);
  }
});

Deno.test("a command gets what stands behind its name, all lines of it", async () => {
  const got: string[] = [];
  const echo: Command = { name: "echo", aliases: ["e"], summary: "", run: (args) => void got.push(args) };
  await run("/echo  one two\nthree ", { commands: [echo] });
  await run("/e", { commands: [echo] });
  assertEquals(got, ["one two\nthree", ""]);
});

Deno.test("an unknown command names the nearest one", async () => {
  await assertRejects(() => run("/usgae"), Error, 'Unknown command "/usgae": did you mean /usage?');
  await assertRejects(() => run("/quti now"), Error, 'Unknown command "/quti": did you mean /quit?');
  await assertRejects(() => run("/zzzzzzzz"), Error, 'Unknown command "/zzzzzzzz": /help lists them');
  await assertRejects(() => run("/USAGE"), Error, 'Unknown command "/USAGE": did you mean /usage?');
  assertEquals(nearest("x", []), undefined);
});

Deno.test("/help lists every command with its aliases and arguments", async () => {
  const { printed } = await run("/help");
  for (const { name, summary } of BUILTIN_COMMANDS) {
    assertStringIncludes(printed, `/${name}`);
    assertStringIncludes(printed, summary);
  }
  assertStringIncludes(printed, "/reset, /clear");
  assertStringIncludes(printed, "/mode [plan|ask|edit|full]");
});

Deno.test("/exit and /quit leave", async () => {
  assertEquals((await run("/exit")).result, { exit: true });
  assertEquals((await run("/quit")).result, { exit: true });
});

Deno.test("/reset and /clear forget the conversation", async () => {
  for (const line of ["/reset", "/clear"]) {
    const session = newSession();
    assertEquals((await run(line, { session })).printed, "(conversation cleared)\n");
    assertEquals(session.messages(), []);
  }
});

Deno.test("/model and /mode show, change, and say what is wrong", async () => {
  const session = newSession({
    setMode: (mode) => {
      throw new Error(`There is no mode "${mode}"`);
    },
  });
  assertEquals((await run("/model", { session })).printed, "Model: demo/demo\n");
  assertEquals((await run("/model other/one", { session })).printed, "Model: other/one\n");
  assertEquals((await run("/mode", { session })).printed, "Mode: ask\n");
  await assertRejects(() => run("/mode wide", { session }), Error, 'There is no mode "wide"');
});

Deno.test("/init asks the model for an AGENTS.md", async () => {
  const { result } = await run("/init the tests");
  assert(result && "message" in result);
  assertMatch(result.message, /^Write an AGENTS\.md .* Look at this in particular: the tests$/);
});

Deno.test("/effort shows and changes how much the model thinks", async () => {
  const asked: string[] = [];
  const session = newSession({ setEffort: (effort) => void asked.push(effort) });
  assertEquals((await run("/effort", { session })).printed, "Effort: as the model's service decides\n");
  assertEquals((await run("/effort low", { session })).printed, "Effort: as the model's service decides\n");
  assertEquals(asked, ["low"]);
  assertEquals((await run("/effort", { session: newSession({ effort: () => "max" }) })).printed, "Effort: max\n");
});

Deno.test("/jobs tells what runs in the background, and how the rest ended", async () => {
  const session = newSession({
    jobs: () => [
      { id: "job_1", command: "npm run dev\x1b[2J", durationMs: 61_400 },
      { id: "job_2", command: "a\nb", durationMs: 900, status: { code: 143, signal: "SIGTERM" } },
    ],
  });
  assertEquals(
    (await run("/jobs", { session })).printed,
    "job_1  running for 61 s  npm run dev\njob_2  exit 143 (SIGTERM) after 1 s  a b\n",
  );
  assertEquals((await run("/jobs")).printed, "(nothing was started in the background)\n");
});

Deno.test("/permissions prints what the conversation says, without what could move the cursor", async () => {
  const session = newSession({ permissions: () => ["Mode ask in /a\u001b[2Jb\nc", "", "  read: everywhere"] });
  assertEquals(
    (await run("/permissions", { session })).printed,
    "Mode ask in /ab c\n\n  read: everywhere\n",
  );
});

Deno.test("/tools lists what the model has, and what is missing with the reason", async () => {
  const session = newSession({
    tools: () => [
      { name: "read_file", summary: "Reads a file" },
      { name: "write_file", summary: "Writes a file", missing: "no --allow-write" },
      { name: "mcp__x__y", summary: "Hides\x1b[2J\u202e" },
    ],
  });
  assertEquals(
    (await run("/tools", { session })).printed,
    [
      "read_file   Reads a file",
      "write_file  not offered: no --allow-write",
      "mcp__x__y   Hides⟨U+202E⟩",
      "",
    ].join("\n"),
  );
  assertEquals((await run("/tools")).printed, "(no tools)\n");
  assertStringIncludes((await run("/tools", { session, columns: 28 })).printed, "write_file\n    not offered: no\n");
});

Deno.test("/help fits the columns of the terminal", async () => {
  const { printed } = await run("/help", { columns: 40 });
  assertEquals(printed.split("\n").filter((row) => row.length > 40), []);
});

Deno.test("/usage tells messages, context and its share, totals, the cached share and the cost", async () => {
  const session = newSession({
    usage: () => ({ inputTokens: 1000, cacheReadTokens: 3000, cacheWriteTokens: 0, outputTokens: 1_234_567 }),
    contextTokens: () => 25_000,
    contextWindow: () => 1_000_000,
    cost: () => [entry("a", 0.25, 0), entry("b", 0.5, 2)],
  });
  assertEquals(
    (await run("/usage", { session })).printed,
    [
      "Messages  1",
      "Context   25.0k of 1.0M tokens (2.5 %)",
      "Input     4.0k tokens (75 % cached)",
      "Output    1.2M tokens",
      "Cost      $0.7500 and 2 requests without a known price",
      "",
    ].join("\n"),
  );
});

Deno.test("/usage and /cost of a conversation that has not begun divide by nothing", async () => {
  const session = newSession({ messages: () => [] });
  assertStringIncludes((await run("/usage", { session })).printed, "0 tokens (0 % cached)");
  assertEquals((await run("/cost", { session })).printed, "(nothing was asked yet)\n");
});

Deno.test("/cost tells requests, tokens and money by model and day", async () => {
  const session = newSession({ cost: () => [entry("flash", 0.25, 0), entry("other", 0, 1)] });
  assertEquals(
    (await run("/cost", { session })).printed,
    [
      "2026-11-30 flash: $0.2500 (1 request, 1.1k in, 20 out)",
      "2026-11-30 other: $0.0000 and 1 request without a known price (1 request, 1.1k in, 20 out)",
      "",
    ].join("\n"),
  );
});

Deno.test("/dump prints the messages as JSON, thinking included, nothing raw and no secret in it", async () => {
  const messages: ReturnType<SessionControls["messages"]> = [
    { role: "user", content: [{ type: "text", text: "a\u009b31m\u202eb" }] },
    { role: "assistant", content: [{ type: "thinking", text: "thought" }, { type: "text", text: "answer" }] },
    { role: "user", content: [{ type: "text", text: "my key is s3cret" }] },
  ];
  const { printed } = await run("/dump", { session: newSession({ messages: () => messages }) });
  assertStringIncludes(printed, "a⟨U+202E⟩b");
  assertEquals(JSON.parse(printed)[1], messages[1]);
  assertStringIncludes(printed, "my key is [redacted]");
  assertEquals(printed.split("\n")[1], "  {");
});

function entry(model: string, total: number, unpriced: number) {
  const usage = { inputTokens: 1000, cacheReadTokens: 100, cacheWriteTokens: 0, outputTokens: 20 };
  return { day: "2026-11-30", model, requests: 1, usage, unpriced, cost: { total, miss: total, hit: 0, output: 0 } };
}

async function run(
  line: string,
  { session = newSession(), commands = BUILTIN_COMMANDS, columns = Infinity }: {
    session?: SessionControls;
    commands?: readonly Command[];
    columns?: number;
  } = {},
): Promise<{ printed: string; result: CommandResult | void }> {
  let printed = "";
  const result = await runCommand(line, {
    session,
    commands,
    styles: makeStyles(false),
    columns,
    clean: (text) => neutralise(text).replaceAll("s3cret", "[redacted]"),
    signal: new AbortController().signal,
    print: (text) => void (printed += text + "\n"),
  });
  return { printed, result };
}
