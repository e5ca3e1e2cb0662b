import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { chatChunk, chatReply, FakeService } from "../testing/fake_service.ts";
import { Box, MAIN } from "../testing/program.ts";

const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url });
const push = chatReply({ calls: [{ id: "c1", name: "run_command", args: { command: "git push" } }] });

Deno.test("what a rule denies is told in one line, and nobody is told to allow it", async () => {
  await using box = await Box.create();
  await using service = new FakeService(push, "I could not");
  const { code, stderr } = await box.run(["-p", "--deny", "run(git push *)", "go"], { env: env(service) });
  assertEquals(code, 3);
  const lines = stderr.split("\n").filter((line) => line.startsWith("Denied"));
  assertEquals(lines, [`Denied: run_command "git push" is not permitted, since the deny rule run(git push *)`]);
  assert(!stderr.includes("--allow and --mode"), stderr);
});

Deno.test("what a question would have allowed is told in one line, and how to allow it once at the end", async () => {
  await using box = await Box.create();
  await using service = new FakeService(push, "I could not");
  const { code, stderr } = await box.run(["-p", "go"], { env: env(service) });
  assertEquals(code, 3);
  assertEquals(stderr.split("Denied").length, 2, stderr);
  assertStringIncludes(stderr, "and nobody is there to ask\n");
  assert(
    stderr.endsWith("To allow run_command without a question: --allow 'run(git push)', or see --allow and --mode\n"),
    stderr,
  );
});

Deno.test("what could be allowed is named by its tool, and by the rule where there is one", async () => {
  await using box = await Box.create();
  const calls = [["run_command", { command: "a | b" }], ["write_file", { path: "it's.txt", content: "" }]] as const;
  await using service = new FakeService(
    chatReply({ calls: calls.map(([name, args], i) => ({ id: `c${i}`, name, args })) }),
    "I could not",
  );
  const { stderr } = await box.run(["-p", "go"], { env: env(service) });
  const path = `${await Deno.realPath(box.project)}/it'\\''s.txt`;
  const line =
    `To allow run_command, write_file without a question: --allow 'write(${path})', or see --allow and --mode\n`;
  assert(stderr.endsWith(line), stderr);
});

Deno.test("a cost is no longer than it is exact", async () => {
  await using box = await Box.create();
  await box.configure({ models: { "deepseek-flash": { price: { input: 0.1, output: 0.2 } } } });
  const usage = { prompt_tokens: 1e6, completion_tokens: 1e6, total_tokens: 2e6 };
  await using service = new FakeService(chatReply({ text: "x", usage }));
  const { stdout } = await box.run(["-p", "--output-format", "json", "go"], { env: env(service) });
  assertEquals(JSON.parse(stdout).total_cost_usd, 0.3);
});

Deno.test("an answer in text holds no control sequence, in a pipe neither", async () => {
  await using box = await Box.create();
  await using service = new FakeService("a\x1b[31mred\x1b[0m\x1b]0;title\x07 \x1bZz");
  const { stdout } = await box.run(["-p", "go"], { env: env(service) });
  assert(!stdout.includes("\x1b"), JSON.stringify(stdout));
  assertStringIncludes(stdout, "ared");
});

Deno.test("a schema that cannot be read is told in plain words", async () => {
  await using box = await Box.create({ "folder/a": "" });
  const problem = async (file: string) => (await box.run(["-p", "--json-schema", file, "hi"])).stderr;
  assertEquals(await problem("nope.json"), `Cannot read the JSON schema "nope.json": it does not exist\n`);
  assertEquals(await problem("folder"), `Cannot read the JSON schema "folder": it is a folder\n`);
  await Deno.writeTextFile(box.path("s.json"), '{"properties":{"a":{"type":"strin"}}}');
  assertStringIncludes(
    await problem("s.json"),
    'Cannot use the JSON schema "s.json": $.properties.a: "strin" is no type',
  );
});

Deno.test("one model call is told in the singular", async () => {
  await using box = await Box.create({ "a.txt": "" });
  await using service = new FakeService(chatReply({ calls: [{ id: "c1", name: "list_files", args: {} }] }));
  const { code, stderr } = await box.run(["-p", "--max-steps", "1", "go"], { env: env(service) });
  assertEquals(code, 4);
  assertStringIncludes(stderr, "after 1 model call: see --max-steps");
});

Deno.test("@file in the words of the command line adds the file, in what is piped in it names nothing", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n", "b.txt": "beta\n" });
  await using service = new FakeService("Done");
  const args = ["-p", "explain @a.txt and @nope.txt"];
  const { code, stderr } = await box.run(args, { env: env(service), stdin: "look at @b.txt" });
  assertEquals(code, 0);
  const sent = service.requests[0]!.body.messages.at(-1).content;
  assertStringIncludes(sent, "alpha");
  assert(sent.endsWith("\n\nlook at @b.txt"), sent);
  assert(!sent.includes("beta"), sent);
  assertStringIncludes(stderr, `"@nope.txt" is sent as it is: there is no such file`);
});

/** The closing object of a run in `json`, with its exit code. */
async function concluded(service: FakeService | undefined, args: string[], files: Record<string, string> = {}) {
  await using box = await Box.create(files);
  const options = service ? { env: env(service) } : {};
  const { code, stdout, stderr } = await box.run(["-p", "--output-format", "json", ...args], options);
  return { code, stderr, result: JSON.parse(stdout) };
}

Deno.test("a run that cannot begin prints its object too, and one line for people", async () => {
  const cases: [string[], string][] = [
    [["--bogus", "hi"], 'Unknown option "--bogus": see mini-agent --help'],
    [["-c", "hi"], "This folder has no session to go on with: see mini-agent sessions"],
    [["-m", "openai/x", "hi"], 'Cannot use "openai/x": no key, set OPENAI_API_KEY'],
    [[], "A prompt is missing: write mini-agent -p 'your question'"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, result } = await concluded(undefined, args);
    assertEquals([code, stderr], [2, `${message}\n`]);
    const { type, subtype, is_error, num_turns, permission_denials, stop_reason } = result;
    assertEquals([type, subtype, is_error, result.result], ["result", "error_during_execution", true, message]);
    assertEquals([num_turns, permission_denials, stop_reason], [0, [], null]);
  }
});

Deno.test("a reply whose limit was used up before it said anything is no answer", async () => {
  await using service = new FakeService(chatReply({ reasoning: "Hm, let me think", finish: "length" }));
  const { code, result } = await concluded(service, ["hi"]);
  assertEquals([code, result.is_error, result.stop_reason], [1, true, "max_tokens"]);
  assertEquals(result.result, "The output limit was used up before the answer began: see --max-tokens and --effort");
});

Deno.test("a refusal says that it is one, whatever the model says beside it", async () => {
  await using service = new FakeService(chatReply({ text: "I would rather", finish: "content_filter" }));
  const { code, result } = await concluded(service, ["hi"]);
  assertEquals([code, result.is_error, result.stop_reason], [1, true, "refusal"]);
  assertEquals(result.result, "The model refused to answer: I would rather");
});

Deno.test("an answer in JSON that the output limit cut is asked again, and then no success", async () => {
  const files = { "s.json": '{"type":"object"}' };
  const cut = chatReply({ text: '{"a":', finish: "length" });
  await using mended = new FakeService(cut, '{"a":1}');
  const { code, result } = await concluded(mended, ["--json-schema", "s.json", "hi"], files);
  assertEquals([code, result.subtype, result.result], [0, "success", '{"a":1}']);
  await using service = new FakeService(cut);
  const failed = await concluded(service, ["--json-schema", "s.json", "hi"], files);
  assertEquals([failed.code, failed.result.is_error, service.requests.length], [1, true, 2]);
  const why = "The answer does not fit the JSON schema: it was cut by the output limit, see --max-tokens";
  assertEquals(failed.result.result, why);
});

Deno.test({
  name: "an answer that cannot be written is a failure that says why",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using box = await Box.create();
    const command = `exec '${Deno.execPath()}' run --no-prompt --cached-only -A '${MAIN}' -p -m demo hi > /dev/full`;
    const shell = new Deno.Command("sh", {
      args: ["-c", command],
      cwd: box.project,
      env: { MINI_AGENT_HOME: box.home() },
      stdin: "null",
    });
    const { code, stderr } = await shell.output();
    assertEquals(code, 1);
    const why = "Cannot write the answer to standard output: No space left on device\n";
    assertStringIncludes(new TextDecoder().decode(stderr), why);
  },
});

Deno.test("stream-json tells of a retry, whose pieces before are void, and of a history made shorter", async () => {
  await using box = await Box.create();
  await box.configure({ retries: { baseMs: 1 } });
  const full = { prompt_tokens: 950_000, completion_tokens: 5 };
  await using service = new FakeService(
    { pieces: [chatChunk({ content: "half" })], end: "reset" },
    chatReply({ text: "One", usage: full }),
    "MARK",
    "Two",
  );
  const args = ["-p", "--output-format", "stream-json", "--include-partial-messages"];
  const linesOf = (text: string) => text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const first = linesOf((await box.run([...args, "first"], { env: env(service) })).stdout);
  const kinds = first.filter(({ type }) => type !== "stream_event").map(({ type, subtype }) => subtype ?? type);
  assertEquals(kinds, ["init", "api_retry", "assistant", "success"]);
  const at = first.findIndex(({ subtype }) => subtype === "api_retry");
  const shown = (lines: typeof first) => lines.map(({ event }) => event?.delta.text ?? "").join("");
  assertEquals([shown(first.slice(0, at)), shown(first.slice(at))], ["half", "One"]);
  const { attempt, max_retries, error, session_id } = first[at];
  assertEquals([attempt, max_retries, session_id], [1, 5, first[0].session_id]);
  assertStringIncludes(error, "the connection broke");
  const second = await box.run([...args, "-c", "second"], { env: env(service) });
  assertEquals(second.stderr.match(/^(Compacted|The cached part)/gm), ["Compacted"], "a compaction is told once");
  const boundary = linesOf(second.stdout).find(({ subtype }) => subtype === "compact_boundary");
  assertEquals(boundary.compact_metadata.trigger, "auto");
  assert(boundary.compact_metadata.pre_tokens > 950_000 && boundary.compact_metadata.post_tokens < 20_000);
});
