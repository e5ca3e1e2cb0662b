import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs/walk";
import { chatChunk, chatReply, FakeService, refusal } from "../testing/fake_service.ts";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";

async function hasBubblewrap(): Promise<boolean> {
  return await Deno.stat("/usr/bin/bwrap").then(({ isFile }) => isFile, () => false);
}

const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url });
const call = (name: string, args: unknown, id = "c1") => chatReply({ calls: [{ id, name, args }] });
const names = (request: { body: { tools?: { function: { name: string } }[] } } | undefined) =>
  request?.body.tools?.map((tool) => tool.function.name) ?? [];

Deno.test("mini-agent lists, reads and answers in a real folder without a key", async () => {
  await using box = await Box.create({ "README.md": "# Shop\n\nA tiny shop.\n", "main.ts": "" });
  const { code, stdout, stderr } = await box.run(["-p", "what is in this folder?"]);
  assertEquals(code, 0);
  assertStringIncludes(stdout, "A tiny shop.");
  assertStringIncludes(stdout, "demo model");
  assertStringIncludes(stderr, "⏺ list_files");
  assertStringIncludes(stderr, "⏺ read_file README.md");
});

Deno.test("the banner of a conversation without a key says so, and names the variables", async () => {
  await using box = await Box.create();
  const line = "demo model: no key, set one of DEEPSEEK_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY\n";
  assertStringIncludes((await box.run(["--no-save"])).stdout, line);
  assert(!(await box.run(["--no-save", "-m", "demo"])).stdout.includes("no key"));
});

Deno.test("mini-agent with --allow-read alone is a read-only agent", async () => {
  await using box = await Box.create({ "README.md": "# Shop\n" });
  const { code, stdout, stderr } = await box.run(["-p", "--output-format", "stream-json", "what is here?"], {
    grants: ["--allow-read"],
  });
  assertEquals(code, 0);
  const init = JSON.parse(stdout.split("\n")[0]!);
  assertEquals(init.tools, ["list_files", "read_file", "find_files", "search_files", "update_todos", "run_agent"]);
  assertStringIncludes(stderr, "read-only: no --allow-write");
});

Deno.test("mini-agent creates, edits and runs a program and reports the result", async () => {
  await using box = await Box.create();
  await using service = new FakeService(
    call("write_file", { path: "add.sh", content: "echo $((2 + 2))\n" }, "c1"),
    call("edit_file", { path: "add.sh", old_string: "2 + 2", new_string: "20 + 22" }, "c2"),
    call("run_command", { command: "sh add.sh" }, "c3"),
    (request) => `It prints ${/\b(\d+)\b/.exec(request.body.messages.at(-1).content)?.[1]}`,
  );
  const { code, stdout } = await box.run(["-p", "--mode", "full", "make a program"], { env: env(service) });
  assertEquals([code, stdout], [0, "It prints 42\n"]);
  assertEquals(await Deno.readTextFile(box.path("add.sh")), "echo $((20 + 22))\n");
});

Deno.test("mini-agent sends one prefix, no side request and no key in a body", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(call("read_file", { path: "a.txt" }), "Done");
  await box.run(["-p", "read it"], { env: env(service) });
  const [first, second] = service.requests;
  assertEquals(service.requests.length, 2);
  assertEquals(first?.headers.get("authorization"), "Bearer zebra-key-1234567890");
  assertEquals(first?.body.model, "deepseek-flash");
  assertEquals(second?.body.tools, first?.body.tools);
  assertEquals(second?.body.messages.slice(0, 2), first?.body.messages);
  const fixed = new TextEncoder().encode(JSON.stringify([first?.body.messages[0], first?.body.tools])).length;
  assert(fixed <= 7000, `The fixed prompt has ${fixed} bytes`);
  for (const { text } of service.requests) assert(!text.includes("zebra-key"));
});

Deno.test("mini-agent streams: the first text is out before the service sends its second piece", async () => {
  await using box = await Box.create();
  const seen = Promise.withResolvers<void>();
  await using service = new FakeService({
    pieces: [
      chatChunk({ content: "first" }),
      seen.promise,
      chatChunk({ content: " second" }, "stop"),
      "data: [DONE]\n\n",
    ],
  });
  const args = ["-p", "--output-format", "stream-json", "--include-partial-messages", "hi"];
  const program = box.start(args, { env: env(service) });
  await program.prints('"text":"first"');
  seen.resolve();
  const { code, stdout } = await program.result;
  assertEquals([code, JSON.parse(stdout.trim().split("\n").at(-1)!).result], [0, "first second"]);
});

Deno.test("mini-agent tells the figures of a run with a retry and unequal numbers", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  const usage = (hit: number, miss: number, out: number) => ({
    prompt_tokens: hit + miss,
    completion_tokens: out,
    prompt_cache_hit_tokens: hit,
    prompt_cache_miss_tokens: miss,
  });
  await using service = new FakeService(
    refusal(503, { message: "busy" }, { "retry-after-ms": "1" }),
    chatReply({ calls: [{ id: "c1", name: "read_file", args: { path: "a.txt" } }], usage: usage(0, 1000, 50) }),
    chatReply({ text: "Done", usage: usage(900, 300, 70) }),
  );
  await box.configure({ models: { m: { price: { input: 1, cacheRead: 0.1, output: 2 } } } });
  const { code, stdout, stderr } = await box.run(["-p", "--output-format", "json", "read it"], { env: env(service) });
  const result = JSON.parse(stdout);
  assertEquals(code, 0);
  assertEquals(service.requests.length, 3);
  assertMatch(stderr, /Retry 1 of 5 .*busy/);
  assertEquals(
    { ...result, session_id: "", duration_ms: 0, duration_api_ms: 0, total_cost_usd: 0 },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Done",
      session_id: "",
      num_turns: 2,
      duration_ms: 0,
      duration_api_ms: 0,
      total_cost_usd: 0,
      usage: {
        input_tokens: 1300,
        output_tokens: 120,
        cache_read_input_tokens: 900,
        cache_creation_input_tokens: 0,
      },
      permission_denials: [],
      stop_reason: "end_turn",
    },
  );
  assertEquals(result.total_cost_usd.toFixed(6), ((1300 * 1 + 900 * 0.1 + 120 * 2) / 1e6).toFixed(6));
  assert(result.duration_api_ms > 0 && result.duration_ms >= result.duration_api_ms, stdout);
  assertMatch(result.session_id, /^[\w-]{8,}$/);
});

Deno.test("mini-agent denies at once what nobody is there to allow, lists it and exits with 3", async () => {
  await using box = await Box.create();
  await using service = new FakeService(
    chatReply({
      calls: [
        { id: "c1", name: "write_file", args: { path: "probe.txt", content: "x" } },
        { id: "c2", name: "run_command", args: { command: "touch probe.txt" } },
      ],
    }),
    "I could not",
  );
  const { code, stdout } = await box.run(["-p", "--output-format", "json", "do it"], { env: env(service) });
  const result = JSON.parse(stdout);
  assertEquals([code, result.subtype, result.is_error], [3, "success", false]);
  assertEquals(result.permission_denials, [
    { tool_name: "write_file", tool_use_id: "c1", tool_input: { path: "probe.txt", content: "x" } },
    { tool_name: "run_command", tool_use_id: "c2", tool_input: { command: "touch probe.txt" } },
  ]);
  assertEquals(await Array.fromAsync(Deno.readDir(box.project)), []);
  assertStringIncludes(service.requests[1]?.body.messages.at(-1).content, "nobody is there to ask");
});

Deno.test("mini-agent in plan mode offers no tool that changes anything", async () => {
  await using box = await Box.create();
  await using service = new FakeService("Planned");
  await box.run(["-p", "--mode", "plan", "plan it"], { env: env(service) });
  const offered = names(service.requests[0]);
  assert(!offered.includes("write_file") && !offered.includes("edit_file"), offered.join());
});

Deno.test("mini-agent in edit mode writes inside without asking", async () => {
  await using box = await Box.create();
  await using service = new FakeService(call("write_file", { path: "a/b.txt", content: "x" }), "Done");
  const { code } = await box.run(["-p", "--mode", "edit", "write"], { env: env(service) });
  assertEquals([code, await Deno.readTextFile(box.path("a/b.txt"))], [0, "x"]);
});

Deno.test({
  name: "mini-agent in edit mode runs commands in the sandbox, without a question and without a way out",
  ignore: !await hasBubblewrap(),
  async fn() {
    await using box = await Box.create();
    await using listener = new FakeService("leaked");
    const outside = box.home("outside.txt");
    const command = `touch inside.txt; touch ${outside}; mkdir .vscode; curl -sS -m 2 ${listener.url}; env`;
    await using service = new FakeService(call("run_command", { command }), "Done");
    const { code } = await box.run(["-p", "--mode", "edit", "go"], { env: env(service) });
    const result = service.requests[1]?.body.messages.at(-1).content;
    assertEquals(code, 0, result);
    assertEquals((await Deno.stat(box.path("inside.txt"))).isFile, true, result);
    await assertRejects(() => Deno.stat(outside), Deno.errors.NotFound);
    await assertRejects(() => Deno.stat(box.path(".vscode")), Deno.errors.NotFound);
    assertEquals(listener.requests.length, 0);
    assert(!result.includes("zebra-key"), result);
  },
});

Deno.test("mini-agent speaks to a model without tools in plain text, if its entry says so", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await box.configure({ models: { "old-model": { tools: "text" } } });
  await using service = new FakeService(
    'Thought: look\nAction: read_file\nAction Input: {"path": "a.txt"}\nObservation: invented',
    "Thought: done\nFinal Answer: It says alpha",
  );
  const { stdout } = await box.run(["-p", "-m", "old-model", "read it"], { env: env(service) });
  const [first, second] = service.requests;
  assertEquals([first?.body.tools, first?.body.stop], [undefined, ["Observation:"]]);
  assertMatch(second?.text ?? "", /Observation: 1→alpha/);
  assert(!second?.text.includes("invented"));
  assertEquals(stdout, "It says alpha\n");
});

Deno.test("mini-agent searches pass by what a rule forbids to read", async () => {
  await using box = await Box.create({ "secret.txt": "needle one\n", "open.txt": "needle two\n" });
  await using service = new FakeService(call("search_files", { pattern: "needle" }), "Done");
  await box.run(["-p", "--mode", "full", "--deny", "read(./secret.txt)", "go"], { env: env(service) });
  const result = service.requests[1]?.body.messages.at(-1).content;
  assert(result.includes("needle two") && !result.includes("needle one"), result);
});

Deno.test("mini-agent does not start without a sandbox that the configuration requires", async () => {
  await using box = await Box.create();
  await box.configure({ sandbox: "require" });
  const grants = ["--allow-read", "--allow-write", "--allow-run=sh", "--allow-net", "--allow-env"];
  const without = await box.run(["-p", "--mode", "edit", "hi"], { grants });
  assertEquals([without.code, without.stdout], [2, ""]);
  assertMatch(without.stderr, /^Cannot start, since your configuration requires the sandbox: /);
  const full = await box.run(["-p", "--mode", "full", "hi"]);
  assertMatch(full.stderr, /full mode runs commands without it/);
});

Deno.test({
  name: "mini-agent keeps its files for their owner alone under an open umask",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using box = await Box.create();
    const run = ["run", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS, MAIN, "-p", "hi"];
    const { code } = await new Deno.Command("sh", {
      args: ["-c", 'umask 000; exec "$@"', "sh", Deno.execPath(), ...run],
      cwd: box.project,
      env: { HOME: box.home(), XDG_STATE_HOME: box.home("state") },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    assertEquals(code, 0);
    const modes = new Set<string>();
    for await (const { path, isFile } of walk(box.home("state", "mini-agent"))) {
      const { mode } = await Deno.stat(path);
      modes.add(`${isFile ? "file" : "folder"} ${((mode ?? 0) & 0o777).toString(8)}`);
    }
    assertEquals([...modes].sort(), ["file 600", "folder 700"]);
  },
});

Deno.test("mini-agent works on when it has given up what the run can never use", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(
    call("run_command", { command: "cat a.txt" }, "c1"),
    call("search_files", { pattern: "alpha" }, "c2"),
    call("write_file", { path: "b.txt", content: "beta" }, "c3"),
    "Done",
  );
  const { code } = await box.run(["-p", "--mode", "full", "go"], { env: env(service) });
  const results = service.requests.slice(1).map((request) => request.body.messages.at(-1).content);
  assertEquals([code, await Deno.readTextFile(box.path("b.txt"))], [0, "beta"]);
  assertMatch(results[0], /^alpha/);
  assertMatch(results[1], /a\.txt:1:alpha/);
});

Deno.test("mini-agent keeps to a configured cost limit when the model changes", async () => {
  await using box = await Box.create();
  await box.configure({ maxCost: 1 });
  await using service = new FakeService("Done");
  const { stdout } = await box.run([], { env: env(service), stdin: "/model unpriced\n/model\n" });
  assertStringIncludes(stdout, 'no price is known for "unpriced"');
  assertStringIncludes(stdout, "Model: deepseek/deepseek-flash");
});

Deno.test("mini-agent adds what is piped in to the prompt", async () => {
  await using box = await Box.create();
  await using service = new FakeService("Done");
  await box.run(["-p", "explain"], { env: env(service), stdin: "line one\nline two\n" });
  assertEquals(service.requests[0]?.body.messages[1].content, "explain\n\nline one\nline two\n");
});

Deno.test("mini-agent starts without piped input that does not come, and says so", async () => {
  await using box = await Box.create();
  await using service = new FakeService("Done");
  const { code, stderr } = await box.run(["-p", "explain"], { env: env(service), stdin: null });
  assertEquals([code, service.requests[0]?.body.messages[1].content], [0, "explain"]);
  assertStringIncludes(stderr, "Standard input gave nothing within a second");
});

Deno.test("mini-agent ends quietly when the reader of its output has gone", async () => {
  await using box = await Box.create();
  const gone = Promise.withResolvers<void>();
  const text = "many words ".repeat(20_000);
  await using service = new FakeService({
    pieces: [chatChunk({ content: "first" }), gone.promise, chatChunk({ content: text }, "stop"), "data: [DONE]\n\n"],
  });
  const args = ["-p", "--output-format", "stream-json", "--include-partial-messages", "hi"];
  const program = box.start(args, { env: env(service) });
  await program.prints("first");
  await program.closeStdout();
  gone.resolve();
  const { code, stderr } = await program.result;
  assertEquals([code, stderr], [141, ""]);
});

for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test(`mini-agent gives a result and exits with ${expected} on ${signal}`, async () => {
    await using box = await Box.create();
    await using service = new FakeService({ pieces: [chatChunk({ content: "slow" })], end: "stall" });
    const program = box.start(["-p", "--output-format", "json", "hi"], { env: env(service) });
    const request = await service.request(0);
    program.kill(signal);
    const { code, stdout } = await program.result;
    assertEquals([code, JSON.parse(stdout).is_error, JSON.parse(stdout).result], [expected, true, "(interrupted)"]);
    await request.aborted;
    assertEquals(service.requests.length, 1);
  });
}

const FAILURES: [string, Parameters<typeof refusal>, number, RegExp][] = [
  ["401", [401, { message: "bad key" }], 1, /DEEPSEEK_API_KEY/],
  ["402", [402, { message: "Insufficient Balance" }], 1, /top.?up/i],
  ["404", [404, { message: "no such model" }], 1, /no such model/],
];

for (const [name, args, expected, message] of FAILURES) {
  Deno.test(`mini-agent says in one line what a ${name} means`, async () => {
    await using box = await Box.create();
    await using service = new FakeService(refusal(...args));
    const { code, stdout, stderr } = await box.run(["-p", "hi"], { env: env(service) });
    assertEquals([code, stdout, service.requests.length], [expected, "", 1]);
    assertMatch(stderr, message);
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
    assert(!stderr.includes("zebra-key-1234567890"));
  });
}

Deno.test("mini-agent exits with 75 when the service is unavailable after all retries", async () => {
  await using box = await Box.create();
  await box.configure({ retries: { max: 2, baseMs: 1, maxMs: 2 } });
  await using service = new FakeService(refusal(500, { message: "broken" }));
  const { code, stdout } = await box.run(["-p", "--output-format", "json", "hi"], { env: env(service) });
  const { subtype, is_error, result } = JSON.parse(stdout);
  assertEquals([code, service.requests.length, subtype, is_error], [75, 3, "error_during_execution", true]);
  assertStringIncludes(result, "broken");
});

Deno.test("mini-agent names a reply that is a web page", async () => {
  await using box = await Box.create();
  await using service = new FakeService({
    headers: { "content-type": "text/html" },
    pieces: ["<!DOCTYPE html><html><body>Log in</body></html>"],
  });
  const { code, stderr } = await box.run(["-p", "hi"], { env: env(service) });
  assertEquals(code === 1 || code === 75, true);
  assertMatch(stderr, /web page|HTML/i);
  assert(!stderr.includes("<body>"), stderr);
});

const USAGE: [string[], Record<string, string>, RegExp][] = [
  [["--bogus"], {}, /^Unknown option "--bogus"/],
  [["-p"], {}, /^A prompt is missing/],
  [["-p", "-C", "no-such-folder", "hi"], {}, /^--cwd "no-such-folder" cannot be used: it does not exist/],
  [["-p", "hi"], { DEEPSEEK_API_KEY: "a\nb" }, /DEEPSEEK_API_KEY/],
  [["-p", "hi"], { DEEPSEEK_API_KEY: "k", DEEPSEEK_BASE_URL: "ftp://x" }, /base URL "ftp:/],
  [["-p", "-m", "nothing", "hi"], {}, /no provider's key is set/],
  [["-p", "--allow", "run(python *)", "hi"], {}, /run\(python \*\)/],
  [["-p", "--max-cost", "1", "-m", "unpriced", "hi"], { DEEPSEEK_API_KEY: "k" }, /no price is known for "unpriced"/],
];

for (const [args, variables, message] of USAGE) {
  Deno.test(`mini-agent ${args.join(" ")} ${JSON.stringify(variables)} is a usage error in one line`, async () => {
    await using box = await Box.create();
    const { code, stdout, stderr } = await box.run(args, { env: variables });
    assertEquals([code, stdout], [2, ""], stderr);
    assertMatch(stderr, message);
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
    assert(!stderr.includes("a\nb"));
  });
}

Deno.test("mini-agent --version and --help work without any permission", async () => {
  await using box = await Box.create();
  const version = await box.run(["--version"], { grants: [] });
  assertMatch(version.stdout, /^mini-agent \d+\.\d+\.\d+\n$/);
  const help = await box.run(["-h"], { grants: [] });
  assertEquals([version.code, help.code, help.stderr], [0, 0, ""]);
  assert(help.stdout.split("\n").length <= 24 && help.stdout.split("\n").every((line) => line.length <= 80));
});

Deno.test("/permissions tells what the mode may do, its rules, and the line that starts a process with as much", async () => {
  await using box = await Box.create({ "a.txt": "x" });
  const typed = "/permissions\n/mode edit\n/permissions\n";
  const grants = ["--allow-read", "--allow-env"];
  const { stdout, code } = await box.run(["--no-save", "--allow", "run(npm test)"], { stdin: typed, grants });
  assertEquals(code, 0);
  const [, asks = "", edits = ""] = stdout.split("Mode ");
  for (const text of [asks, edits]) {
    assertStringIncludes(text, "  write: nothing\n");
    assertStringIncludes(text, "  rule: allow run(npm test)\n");
    assertMatch(text, /^ {2}read-only: no --allow-write.*\(write_file, edit_file\)$/m);
    assertMatch(text, /^ {2}deno run --quiet --no-prompt .*--allow-write=\S+ /m);
  }
  assert(asks.startsWith("ask in ") && edits.includes("edit in "), stdout);
});

Deno.test({
  name: "mini-agent permissions prints no control character of a folder's name",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using box = await Box.create({ "a\x1b[2J\u202eb/c": "" });
    const { code, stdout } = await box.run(["permissions", "--cwd", "a\x1b[2J\u202eb"]);
    assertEquals([code, /[^\n -~⟨⟩]/.exec(stdout)?.[0]], [0, undefined]);
    assertStringIncludes(stdout, "/a⟨U+001B⟩[2J⟨U+202E⟩b\n");
  },
});

Deno.test("mini-agent permissions prints a line that works as it is printed", async () => {
  await using box = await Box.create({ "README.md": "# Shop\n" });
  const { code, stdout } = await box.run(["permissions", "--mode", "plan"]);
  assertEquals(code, 0);
  const line = stdout.split("\n").find((text) => text.startsWith("  deno run "));
  const [, flags = ""] = /^ {2}deno run (.*) (?:'.*main\.ts'|\S+main\.ts)$/.exec(line ?? "") ?? [];
  const grants = flags.split(" ").filter((flag) => /^--(allow|deny)-/.test(flag));
  assertEquals(
    grants.some((flag) => /^--allow-(run(?!=\S*\/bwrap$)|ffi|all)|^-A$|^--allow-net/.test(flag)),
    false,
    line,
  );
  assert(flags.includes("--no-prompt") && flags.includes("--cached-only"), line);
  const run = await box.run(["-p", "--mode", "plan", "what is here?"], { grants });
  assertEquals(run.code, 0, run.stderr);
  assertStringIncludes(run.stdout, "# Shop");
});

Deno.test("mini-agent expands nothing of a project's .env and shows no secret", async () => {
  await using box = await Box.create({
    ".env":
      "AGENT_MODEL=$SECRET_THING-${HOME}\nA=${A}\nDEEPSEEK_BASE_URL=http://127.0.0.1:1\nHTTPS_PROXY=http://127.0.0.1:1\n",
  });
  await using service = new FakeService("Done");
  const { code, stdout, stderr } = await box.run(["-p", "hi"], {
    env: { ...env(service), SECRET_THING: "canary-4711" },
  });
  assertEquals([code, service.requests[0]?.body.model], [0, "$SECRET_THING-${HOME}"]);
  assert(![stdout, stderr, ...service.requests.map((r) => r.text)].join().includes("canary-4711"));
});

Deno.test("mini-agent gives JSON that fits a schema, after one repair round", async () => {
  await using box = await Box.create({ "schema.json": '{"type": "object", "required": ["n"]}' });
  await using service = new FakeService('{"m": 1}', '```json\n{"n": 2}\n```');
  const { code, stdout } = await box.run(["-p", "--json-schema", "schema.json", "count"], { env: env(service) });
  assertEquals([code, stdout], [0, '{"n":2}\n']);
  assertMatch(service.requests[1]?.body.messages.at(-1).content, /does not fit the JSON schema/);
});

Deno.test("mini-agent stops before a session costs more than its limit", async () => {
  await using box = await Box.create();
  await using service = new FakeService("Done");
  const args = ["-p", "--output-format", "json", "--max-cost", "0.000001", "hi"];
  const { code, stdout, stderr } = await box.run(args, { env: env(service) });
  assertEquals([code, JSON.parse(stdout).subtype, service.requests.length], [5, "error_max_budget_usd", 0]);
  assertMatch(stderr, /^The next request may cost up to \$0\.\d{4}: the limit is \$0\.000001$/m);
});
