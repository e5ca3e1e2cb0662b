import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService, type Step } from "../testing/fake_service.ts";
import { countProcesses, uniqueSleep } from "../testing/processes.ts";
import { Box, FULL_GRANTS, MAIN, type RunningProgram } from "../testing/program.ts";
import { hasScript, PseudoTerminal } from "../testing/pseudo_terminal.ts";

const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url });
const call = (name: string, args: unknown, id: string) => chatReply({ calls: [{ id, name, args }] });
const delegate = call("run_agent", { description: "change it", prompt: "CHILD: change it" }, "p1");

Deno.test("a program that is killed while a sub-agent works goes on, says so to the model, and can take its change back", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  const edit = { path: "a.txt", old_string: "alpha", new_string: "beta" };
  await using service = new FakeService(delegate, call("edit_file", edit, "k1"), { end: "silent" });
  const program = box.start(["-p", "--mode", "edit", "go"], { env: env(service) });
  await service.request(2);
  program.kill("SIGKILL");
  await program.result;
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "beta\n");

  await using second = new FakeService("Going on");
  const args = ["-p", "-c", "--mode", "edit", "--output-format", "json", "go on"];
  const { stdout } = await box.run(args, { env: env(second) });
  const { messages } = second.requests[0]!.body;
  assertEquals(messages.slice(0, 3), (service.requests[0]!.body.messages as unknown[]).concat(messages[2]));
  assertEquals(messages.length, 5);
  assertMatch(messages[3].content, /^Error: .*(not known|unknown|interrupted|may have)/i);
  assertEquals(messages[4], { role: "user", content: "go on" });
  assertEquals(JSON.parse(stdout).usage.input_tokens, 300); // the edit's request among them

  const undone = await box.run(["-c", "--mode", "edit"], { env: env(second), stdin: "/undo\n" });
  assertStringIncludes(undone.stdout, "a.txt");
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "alpha\n");
});

Deno.test("an interrupt ends what a sub-agent has started, and the run, also in the wait before a retry", async () => {
  const sleep = uniqueSleep();
  const places: [string, Step, (program: RunningProgram, service: FakeService) => Promise<unknown>][] = [
    ["a command", call("run_command", { command: `${sleep} & echo started; ${sleep}` }, "k1"), async () => {
      while (await countProcesses(sleep) < 2);
    }],
    ["a retry", { status: 503, pieces: ["{}"] }, (program) => program.prints("api_retry")],
    ["a reply", { end: "silent" }, (_program, service) => service.request(1)],
  ];
  for (const [where, step, isThere] of places) {
    await using box = await Box.create();
    await box.configure({ retries: { baseMs: 30_000, maxMs: 30_000 } });
    await using service = new FakeService(delegate, step);
    const program = box.start(["-p", "--mode", "full", "--output-format", "stream-json", "go"], { env: env(service) });
    await isThere(program, service);
    const at = performance.now();
    program.kill("SIGINT");
    const { code, stdout } = await program.result;
    assertEquals([code, JSON.parse(stdout.trim().split("\n").at(-1)!).result], [130, "(interrupted)"], where);
    assert(performance.now() - at < 2000, where);
    assertEquals(service.requests.length, 2, where);
  }
  assertEquals(await countProcesses(sleep), 0);
});

Deno.test({
  name: "in a terminal a sub-agent's question says who asks, Ctrl+C at one ends the turn, and the prompt works on",
  ignore: !await hasScript(),
}, async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  const edit = (id: string, from: string, to: string) =>
    call("edit_file", { path: "a.txt", old_string: from, new_string: to }, id);
  await using service = new FakeService(
    delegate,
    edit("k1", "alpha", "beta"),
    edit("k2", "beta", "gamma"),
    "Working on",
  );
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  const flags = ["-q", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS];
  const line = [Deno.execPath(), "run", ...flags, MAIN, "--no-save", "go"].map(quote).join(" ");
  await using terminal = new PseudoTerminal(`cd ${quote(box.project)}; ${line}; echo "[[exit $?]]"`, {
    MINI_AGENT_HOME: box.home("own"),
    ...env(service),
  });
  let at = await terminal.until(/Allow edit_file\? \(ask mode; asked by a sub-agent: change it\)/);
  await terminal.type("y\r");
  at = await terminal.until(/Allow edit_file/, at);
  await terminal.type("\x03");
  at = await terminal.until(/\(interrupted\)/, at);
  await terminal.type("and now?\r");
  await terminal.until(/Working on/, at);
  await terminal.type("/exit\r");
  assertMatch(await terminal.end(), /\[\[exit 0\]\]/);
  assertEquals(await Deno.readTextFile(box.path("a.txt")), "beta\n");
  const { messages } = service.requests.at(-1)!.body;
  assertMatch(messages.at(-2).content, /^Error: Interrupted by the user/);
  assertEquals(messages.at(-1), { role: "user", content: "and now?" });
});
