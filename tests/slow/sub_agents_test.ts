import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService, type Step } from "../testing/fake_service.ts";
import { countProcesses, uniqueSleep } from "../testing/processes.ts";
import { Box, type RunningProgram } from "../testing/program.ts";

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
