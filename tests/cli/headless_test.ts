import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

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
  assert(stderr.endsWith("To allow run_command without a question: see --allow and --mode\n"), stderr);
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
