import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService, type RecordedRequest, refusal } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

const KEY = "test-key-1234567890";
const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: KEY, DEEPSEEK_BASE_URL: service.url });
const call = (name: string, args: unknown, id = "c1") => chatReply({ calls: [{ id, name, args }] });
const folder = (box: Box) => box.home(".local/state/mini-agent/sessions");
const files = async (box: Box) => {
  const names = await Array.fromAsync(Deno.readDir(folder(box)), ({ name }) => name).catch(() => []);
  return names.filter((name) => name.endsWith(".jsonl")).sort();
};
const json = (text: string) => JSON.parse(text);
const texts = (request: RecordedRequest | undefined): string[] =>
  request?.body.messages.slice(1).map(({ content }: { content: string }) => content);

Deno.test("mini-agent -c and -r go on with a conversation, in the same bytes and under the same session", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n", "AGENTS.md": "Be brief." });
  await using service = new FakeService(call("read_file", { path: "a.txt" }), "One", "Two", "Three");
  const run = (...args: string[]) => box.run(["-p", "--output-format", "json", ...args], { env: env(service) });
  const first = json((await run("first")).stdout);
  await Deno.writeTextFile(box.path("AGENTS.md"), "Be long."); // what a session began with stays
  const second = json((await run("-c", "second")).stdout);
  const third = json((await run("-r", first.session_id.slice(0, 8), "third")).stdout);
  assertEquals([second.session_id, third.session_id], [first.session_id, first.session_id]);
  assertEquals(await files(box), [`${first.session_id}.jsonl`]);
  const [, b, c, d] = service.requests;
  for (const [earlier, later] of [[b, c], [c, d]]) {
    assertEquals(later?.body.tools, earlier?.body.tools);
    assertEquals(
      JSON.stringify(later?.body.messages).startsWith(JSON.stringify(earlier?.body.messages).slice(0, -1)),
      true,
    );
  }
  assertEquals(texts(d).at(-1), "third");
  assertEquals(third.num_turns, 4);
  assert(third.total_cost_usd > first.total_cost_usd);
});

Deno.test("mini-agent --fork goes on with a copy, and what is piped in is added there too", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two", "Three");
  const run = (args: string[], stdin = "") =>
    box.run(["-p", "--output-format", "json", ...args], { env: env(service), stdin });
  const first = json((await run(["first"])).stdout);
  const copy = json((await run(["-c", "--fork", "second"], "piped\n")).stdout);
  assertNotEquals(copy.session_id, first.session_id);
  assertEquals((await files(box)).length, 2);
  await run(["-r", first.session_id, "third"]);
  assertEquals(texts(service.requests[1]), ["first", "One", "second\n\npiped\n"]);
  assertEquals(texts(service.requests[2]), ["first", "One", "third"]);
});

Deno.test("mini-agent keeps nothing with --no-save, and says once that it may not", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two");
  await box.run(["-p", "--no-save", "first"], { env: env(service) });
  assertEquals(await files(box), []);
  const grants = ["--allow-read", "--allow-net", "--allow-env", `--allow-write=${box.project}`];
  const { code, stdout, stderr } = await box.run(["-p", "second"], { env: env(service), grants });
  assertEquals([code, stdout, await files(box)], [0, "Two\n", []]);
  assertEquals(stderr.match(/This session is not saved: no --allow-write=/g)?.length, 1);
});

Deno.test("mini-agent says what is wrong with a session that cannot be had", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One");
  const run = (...args: string[]) => box.run(["-p", ...args, "hi"], { env: env(service) });
  const cases: [string[], RegExp][] = [
    [["-c"], /This folder has no session/],
    [["-r", "abc"], /There is no session "abc"/],
    [["--fork"], /--fork needs a session to copy/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await run(...args);
    assertEquals([code, stderr.trim().split("\n").length], [2, 1]);
    assertMatch(stderr, message);
  }
  assertEquals(service.requests.length, 0);
});

Deno.test("mini-agent refuses a session that is in use, and --fork is the way out", async () => {
  await using box = await Box.create();
  const hold = Promise.withResolvers<void>();
  await using service = new FakeService("One", { pieces: [hold.promise] }, "Copy");
  await box.run(["-p", "first"], { env: env(service) });
  const running = box.start(["-p", "-c", "second"], { env: env(service) });
  await service.request(1);
  const refused = await box.run(["-p", "-c", "third"], { env: env(service) });
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, "--fork");
  const forked = await box.run(["-p", "-c", "--fork", "third"], { env: env(service) });
  assertEquals([forked.code, forked.stdout], [0, "Copy\n"]);
  running.kill("SIGKILL");
  hold.resolve();
  await running.result;
  assertEquals((await box.run(["-p", "-c", "fourth"], { env: env(service) })).code, 0);
});

Deno.test("mini-agent --max-cost counts what the session has cost before", async () => {
  await using box = await Box.create();
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 10, total_tokens: 1_000_010 };
  await using service = new FakeService(chatReply({ text: "Dear", usage, model: "deepseek-flash" }), "Two");
  await box.configure({ models: { "deepseek-flash": { price: { input: 1, output: 1 }, contextWindow: 9_000_000 } } });
  await box.run(["-p", "first"], { env: env(service) });
  const { code } = await box.run(["-p", "-c", "--max-cost", "1.001", "second"], { env: env(service) });
  assertEquals([code, service.requests.length], [5, 1]);
});

Deno.test("mini-agent works in the session's folder, wherever it is started", async () => {
  await using box = await Box.create({ "sub/a.txt": "alpha\n" });
  await using service = new FakeService("One", call("read_file", { path: "a.txt" }), "Two");
  const first = await box.run(["-p", "-C", "sub", "--output-format", "json", "first"], { env: env(service) });
  const id = json(first.stdout).session_id;
  const { stderr } = await box.run(["-p", "-r", id, "second"], { env: env(service) });
  assertStringIncludes(stderr, `belongs to "${box.path("sub")}": working there`);
  assertStringIncludes(texts(service.requests[2]).at(-1)!, "alpha");
});

Deno.test("mini-agent goes on with the model of the session, and with another one when it is told", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two", "Three");
  await box.run(["-p", "-m", "deepseek/my-model", "first"], { env: env(service) });
  await box.run(["-p", "-c", "second"], { env: env(service) });
  const { stderr } = await box.run(["-p", "-c", "-m", "deepseek/other", "third"], { env: env(service) });
  assertEquals(service.requests.map(({ body }) => body.model), ["my-model", "my-model", "other"]);
  assert(!stderr.includes("cached part")); // the service keeps a cache for each model; the bytes are the same
});

Deno.test("mini-agent says where the cached part ends when another mode changes the instructions", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two", "Three");
  await box.run(["-p", "first"], { env: env(service) });
  const changed = await box.run(["-p", "-c", "--mode", "edit", "second"], { env: env(service) });
  assertMatch(changed.stderr, /cached part of the conversation ends at byte \d+: the system prompt changed/);
  const same = await box.run(["-p", "-c", "--mode", "edit", "third"], { env: env(service) });
  assert(!same.stderr.includes("cached part"), same.stderr);
});

Deno.test("mini-agent sessions lists, shows, exports and removes, without a key in any of it", async () => {
  await using box = await Box.create({ "a.txt": "one\n" });
  const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "<two> & three" });
  await using service = new FakeService(edit, `It is <b>done</b> with ${KEY}`);
  const script = `Fix it, my key is ${KEY}`;
  const { stdout } = await box.run(["-p", "--mode", "edit", "--output-format", "json", script], { env: env(service) });
  const id = json(stdout).session_id;
  const run = (...args: string[]) => box.run(["sessions", ...args], { env: env(service) });
  const list = await run();
  assertMatch(list.stdout, new RegExp(`^${id.slice(0, 8)}  just now  .*project  1 turn  \\$0\\.\\d{4}\n`));
  assertStringIncludes(list.stdout, "Fix it, my key is [redacted] → It is <b>done</b>");
  const short = id.slice(0, 6);
  const [shown, exported, page, text] = [
    await run("show", short),
    await run("export", short, "--json"),
    await run("export", short, "--html"),
    await run("export", short),
  ];
  assertStringIncludes(shown.stdout, "edit_file");
  assertEquals(text.stdout, shown.stdout);
  const data = json(exported.stdout);
  assertEquals([data.id, data.turns, data.messages.length, data.damaged], [id, 1, 4, 0]);
  assertStringIncludes(page.stdout, '<span class="added">+ &lt;two&gt; &amp; three</span>');
  assertStringIncludes(page.stdout, "It is &lt;b&gt;done&lt;/b&gt;");
  assert(!/<script|src=|href=|url\(|@import/.test(page.stdout), "the page loads or runs something");
  const file = await Deno.readTextFile(`${folder(box)}/${id}.jsonl`);
  for (const sink of [file, list.stdout, shown.stdout, exported.stdout, page.stdout]) assert(!sink.includes(KEY));
  assertEquals((await run("rm", short)).code, 0);
  assertEquals([(await run()).stdout, await files(box)], ["(no sessions)\n", []]);
  for (const args of [["nonsense"], ["show"], ["rm", "abc"], ["show", short, "x"]]) {
    assertEquals((await run(...args)).code, 2);
  }
});

Deno.test("mini-agent sessions says of a session without a reply only what was asked", async () => {
  await using box = await Box.create();
  await using service = new FakeService(refusal(401, "no"));
  await box.run(["-p", "Is it there?"], { env: env(service) });
  assertMatch((await box.run(["sessions"])).stdout, /^\S+ .*\n +Is it there\?\n$/);
});

Deno.test("mini-agent keeps an output that was cut, and the model may read on in it without asking", async () => {
  await using box = await Box.create();
  const seen: string[] = [];
  await using service = new FakeService(call("run_command", { command: "seq 1 20000" }), ({ body }) => {
    const { content } = body.messages.at(-1);
    seen.push(content);
    const [, path = "", offset = ""] = /all of it is in (\S+): read_file with offset (\d+)/.exec(content) ?? [];
    return call("read_file", { path, offset: Number(offset), limit: 3 }, "c2");
  }, ({ body }) => {
    seen.push(body.messages.at(-1).content);
    return "Done";
  });
  const { code } = await box.run(["-p", "--allow", "run(seq *)", "count"], { env: env(service) });
  assertEquals(code, 0);
  const [, next = ""] = /(\d+)\n\[\d+ characters/.exec(seen[0]!) ?? [];
  assertStringIncludes(seen[1]!, String(Number(next) + 1));
});

Deno.test("a conversation goes to another session of its folder, and not to one of another folder", async () => {
  await using box = await Box.create({ "sub/.keep": "" });
  await using service = new FakeService("One", "Elsewhere", "Two");
  const start = async (...args: string[]) =>
    json((await box.run(["-p", "--output-format", "json", ...args], { env: env(service) })).stdout).session_id;
  const [here, elsewhere] = [await start("first"), await start("-C", "sub", "other")];
  const stdin = [`/resume ${elsewhere}`, `/resume ${here.slice(0, 8)}`, "/resume " + here, "second", ""].join("\n");
  const { stdout } = await box.run([], { env: env(service), stdin });
  assertStringIncludes(stdout, `The session belongs to "${box.path("sub")}"`);
  assertStringIncludes(stdout, `Going on with session ${here.slice(0, 8)}: 2 messages`);
  assertStringIncludes(stdout, "This is the session that you are in");
  assertEquals(texts(service.requests[2]), ["first", "One", "second"]);
  assertEquals((await files(box)).length, 2);
});

Deno.test("mini-agent asks for JSON in the run that wants it, and not when the session goes on", async () => {
  await using box = await Box.create();
  await Deno.writeTextFile(box.path("s.json"), '{"type":"object"}');
  await using service = new FakeService("{}", "One", "Two");
  await box.run(["-p", "--json-schema", "s.json", "--append-system-prompt", "Be brief", "first"], {
    env: env(service),
  });
  await box.run(["-p", "-c", "second"], { env: env(service) });
  await box.run(["-p", "-c", "third"], { env: env(service) });
  const systems = service.requests.map(({ body }) => body.messages[0].content);
  assertEquals(systems.map((system) => system.includes("must be only JSON")), [true, false, false]);
  assertEquals(systems[2], systems[1]);
});

Deno.test("mini-agent replay runs a session again, without network or key", async () => {
  await using box = await Box.create({ "a.txt": "one\n" });
  const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
  await using service = new FakeService(edit, call("read_file", { path: "a.txt" }, "c2"), "Done", "More");
  await box.run(["-p", "--mode", "edit", "first"], { env: env(service) });
  await box.run(["-p", "--mode", "edit", "-c", "second"], { env: env(service) });
  await Deno.writeTextFile(box.path("a.txt"), "mine\n");
  const [file = ""] = await files(box);
  const same = await box.run(["replay", file.slice(0, 8)]);
  assertEquals([same.code, same.stdout], [0, "4 requests, all as recorded\n"]);
  assertEquals([await Deno.readTextFile(box.path("a.txt")), service.requests.length], ["mine\n", 4]);
  const text = await Deno.readTextFile(`${folder(box)}/${file}`);
  const other = text.split("\n").filter((line) => !line.includes('"toolUseId":"c2"')).join("\n");
  await Deno.writeTextFile(`${folder(box)}/${file}`, other.replace('"id":"c2"', '"id":"c2","invalid":"cut off"'));
  const differs = await box.run(["replay", file.slice(0, 8)]);
  assertEquals(differs.code, 1);
  assertMatch(differs.stdout, /^Request 3 differs in message 5, character \d+\n- .*\n\+ .*cut off/);
});

Deno.test("mini-agent replay tells of one request and one damaged record in the singular", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One");
  await box.run(["-p", "first"], { env: env(service) });
  const [file = ""] = await files(box);
  await Deno.writeTextFile(`${folder(box)}/${file}`, "{torn\n", { append: true });
  const { stdout } = await box.run(["replay", file.slice(0, 8)]);
  assertEquals(stdout, "1 request, as recorded (1 damaged record was skipped)\n");
});

Deno.test("/effort changes how much the next request lets the model think, and names the wrong word", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two");
  const stdin = ["first", "/effort bogus", "/effort max", "second", ""].join("\n");
  const { stdout } = await box.run(["--effort", "low"], { env: env(service), stdin });
  assertStringIncludes(stdout, 'There is no effort "bogus": it is one of off, low, high, max');
  assertStringIncludes(stdout, "Effort: max");
  assertEquals(service.requests.map(({ body }) => body.reasoning_effort), [
    "low",
    "max",
  ]);
});

Deno.test("/diff shows a file in its own encoding, and /undo takes a new one away", async () => {
  await using box = await Box.create();
  await Deno.writeFile(box.path("a.txt"), new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  await using service = new FakeService(
    call("edit_file", { path: "a.txt", old_string: "caf", new_string: "CAF" }),
    call("write_file", { path: "new.txt", content: "x" }),
    "Done",
  );
  const stdin = ["first", "/diff", "/undo", ""].join("\n");
  const { stdout } = await box.run(["--mode", "edit"], { env: env(service), stdin });
  assertStringIncludes(stdout, "- café\n+ CAFé\n");
  assertStringIncludes(stdout, "Restored a.txt\nRemoved new.txt\n");
  assertEquals(await Deno.readFile(box.path("a.txt")), new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]));
});

Deno.test("a conversation that was cleared, taken back or made shorter is not told as a lost cache too", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two", "Three", "Shorter", "Four");
  const stdin = ["first", "/reset", "second", "/rewind 2 talk", "third", "/compact", "fourth", ""].join("\n");
  const { stdout } = await box.run([], { env: env(service), stdin });
  assertEquals(service.requests.length, 5);
  assertStringIncludes(stdout, "Four");
  assert(!stdout.includes("cached part"), stdout);
});

Deno.test("a conversation undoes, rewinds, forks, renames, compacts and exports by command", async () => {
  await using box = await Box.create({ "a.txt": "one\n" });
  const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
  await using service = new FakeService(edit, "Done", "Second answer", "Shorter", "Third answer");
  const lines = [
    "first",
    "/diff",
    "/undo",
    "/undo",
    "second",
    "/rewind",
    "/rename My title",
    "/fork",
    "/compact tests",
  ];
  const exports = ["/export out.html", "/export out.html", "/export no/folder.html"];
  const stdin = [...lines, "third", "/resume", ...exports, "/rewind 9", ""].join("\n");
  const { code, stdout } = await box.run(["--mode", "edit"], { env: env(service), stdin });
  assertEquals(code, 0);
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "one\n");
  const expected = [
    "- one",
    "+ two",
    "Restored a.txt",
    "There are no changes to take back",
    "  1  first",
    "  2  second",
    "Title: My title",
    "a copy of",
    "Compacted the conversation",
    "My title",
    "Wrote ",
    'out.html": something stands there',
    'folder.html": its folder does not',
    'There is no turn "9"',
  ];
  let at = 0;
  for (const text of expected) {
    const found = stdout.indexOf(text, at);
    assert(found >= 0, `"${text}" is not printed in its place:\n${stdout.slice(at)}`);
    at = found;
  }
  assertStringIncludes(texts(service.requests[2]).at(-1)!, "taken back your changes to these files: a.txt");
  assertStringIncludes(texts(service.requests[3]).at(-1)!, "tests");
  assertStringIncludes(await Deno.readTextFile(box.path("out.html")), "<title>My title</title>");
  assertEquals((await files(box)).length, 2);
});

Deno.test("mini-agent -c goes on with a session that lost its first line, or that a later version has written to", async () => {
  await using box = await Box.create();
  await using service = new FakeService("One", "Two", "Three");
  const run = (...args: string[]) => box.run(["-p", ...args], { env: env(service) });
  await run("first");
  const [name] = await files(box);
  const path = `${folder(box)}/${name}`;
  const change = async (make: (lines: string[]) => string[]) =>
    await Deno.writeTextFile(path, make((await Deno.readTextFile(path)).split("\n")).join("\n"));
  const later = '{"at":"2030-01-01T00:00:00.000Z","type":"from_the_future"}';
  await change(([header = "", ...records]) => [header.replace('"version":1', '"version":9'), later, ...records]);
  const second = await run("-c", "second");
  assertStringIncludes(second.stderr, "A later version of mini-agent has written to the session: 1 record was skipped");
  await change(([header = "", ...records]) => [header.slice(0, 30), ...records]);
  const third = await run("-c", "third");
  assertStringIncludes(third.stderr, "The session's file is damaged: 1 record was skipped");
  assertEquals(texts(service.requests[2]), ["first", "One", "second", "Two", "third"]);
});
