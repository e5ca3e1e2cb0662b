import { assert, assertEquals, assertMatch, assertNotMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { checkSettings } from "../../src/cli/settings.ts";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

const noBubblewrap = !await Deno.stat("/usr/bin/bwrap").then(({ isFile }) => isFile, () => false);

const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url });
const call = (name: string, args: unknown, id = "c1") => chatReply({ calls: [{ id, name, args }] });
const lastResult = (service: FakeService): string => service.requests.at(-1)?.body.messages.at(-1).content;
const write = (path: string) => call("write_file", { path, content: "x\n" });

/** Whether there is such a file in the project. */
async function has(box: Box, path: string): Promise<boolean> {
  return await Deno.stat(box.path(path)).then(() => true, () => false);
}

Deno.test("a blocked call is answered with the hook's reason, listed, and ends with 3", async () => {
  await using box = await Box.create();
  await box.configure({ hooks: { before_tool: [{ match: "write_*", command: "echo 'Ask Ada first' >&2; exit 2" }] } });
  await using service = new FakeService(write("a.txt"), "I could not");
  const args = ["-p", "--mode", "edit", "--output-format", "json", "write"];
  const { code, stdout, stderr } = await box.run(args, { env: env(service) });
  assertEquals(lastResult(service), "Error: Blocked by a hook: Ask Ada first");
  assertEquals([code, await has(box, "a.txt")], [3, false]);
  assertEquals(JSON.parse(stdout).permission_denials, [
    { tool_name: "write_file", tool_use_id: "c1", tool_input: { path: "a.txt", content: "x\n" } },
  ]);
  assertStringIncludes(stderr, "Denied: Blocked by a hook: Ask Ada first");
});

Deno.test("a hook sees only calls that are allowed, and what will run", async () => {
  await using box = await Box.create();
  const command = "cat >> seen";
  await box.configure({ hooks: { before_tool: [{ command }], after_tool: [{ command }] } });
  await using service = new FakeService(
    chatReply({
      calls: [
        { id: "c1", name: "write_file", args: { path: "../out.txt", content: "x" } },
        { id: "c2", name: "nothing_like_it", args: {} },
        { id: "c3", name: "write_file", args: { path: "in.txt", content: "zebra-key-1234567890" } },
      ],
    }),
    "Done",
  );
  await box.run(["-p", "--mode", "edit", "write"], { env: env(service) });
  const seen = (await Deno.readTextFile(box.path("seen"))).trim().split("\n").map((line) => JSON.parse(line));
  const cwd = await Deno.realPath(box.project);
  const common = { session_id: seen[0].session_id, cwd, permission_mode: "edit", tool_name: "write_file" };
  const input = { tool_input: { path: "in.txt", content: "zebra-key-1234567890" }, tool_use_id: "c3" };
  const { tool_response, ...after } = seen[1];
  assertEquals(seen[0], { hook_event_name: "before_tool", ...common, ...input });
  assertEquals(after, { hook_event_name: "after_tool", ...common, ...input, is_error: false });
  assertEquals(tool_response, service.requests[1]?.body.messages.at(-1).content);
  assertEquals(seen.length, 2);
});

Deno.test({
  name: "hooks run in the sandbox, without network and without keys",
  ignore: noBubblewrap,
  async fn() {
    await using box = await Box.create();
    await using listener = new FakeService("leaked");
    const outside = box.home("outside.txt");
    const command =
      `touch inside; touch ${outside}; mkdir -p sub/.vscode; curl -sS -m 2 ${listener.url}; env >&2; exit 2`;
    await box.configure({ hooks: { after_tool: [{ command }] } });
    await using service = new FakeService(write("a.txt"), "Done");
    const { stderr } = await box.run(["-p", "--mode", "edit", "write"], { env: env(service) });
    assertEquals([await has(box, "inside"), await has(box, "sub/.vscode")], [true, false]);
    assertMatch(stderr, /The after_tool hook "touch inside;.*": Moved aside [^]*sub\/\.vscode/);
    await assertRejects(() => Deno.stat(outside), Deno.errors.NotFound);
    assertEquals(listener.requests.length, 0);
    assertStringIncludes(lastResult(service), "A hook says:");
    assertStringIncludes(lastResult(service), "PATH=");
    assertNotMatch(lastResult(service), /zebra-key|API_KEY/);
  },
});

Deno.test({
  name: "hooks change nothing in plan mode",
  ignore: noBubblewrap,
  async fn() {
    await using box = await Box.create({ "a.txt": "alpha\n" });
    await box.configure({ hooks: { before_tool: [{ command: "touch made" }] } });
    await using service = new FakeService(call("read_file", { path: "a.txt" }), "Done");
    const { stderr } = await box.run(["-p", "--mode", "plan", "read"], { env: env(service) });
    assertEquals(await has(box, "made"), false);
    assertStringIncludes(lastResult(service), "Not run: a hook");
    assertStringIncludes(stderr, "Read-only file system");
  },
});

Deno.test("hooks keep what they need in a plan run without a sandbox", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await box.configure({ sandbox: "off", hooks: { before_tool: [{ command: "true" }] } });
  await using service = new FakeService(call("read_file", { path: "a.txt" }), "Done");
  const { code } = await box.run(["-p", "--mode", "plan", "read"], { env: env(service) });
  assertEquals(code, 0);
  assertStringIncludes(lastResult(service), "alpha");
});

Deno.test("where nothing may run, a guard stops the start and other hooks are named once", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(call("read_file", { path: "a.txt" }), "Done");
  const options = { grants: ["--allow-read", "--allow-net", "--allow-env"], env: env(service) };
  const guard = (match: string) => box.configure({ hooks: { before_tool: [{ match, command: "true" }] } });
  await guard("*_file");
  const refused = await box.run(["-p", "read"], options);
  assertEquals([refused.code, refused.stdout, service.requests.length], [2, "", 0]);
  const reason = "the before_tool hook for read_file cannot run (no --allow-run=sh), and it must not be passed by";
  assertEquals(refused.stderr, `Cannot start: ${reason}\n`);
  await guard("write_file|run_command");
  const read = await box.run(["-p", "read"], options);
  assertEquals([read.code, read.stderr.match(/Hooks cannot run: no --allow-run=sh/g)?.length], [0, 1]);
  assertStringIncludes(lastResult(service), "alpha");
});

Deno.test("a hook that fits no tool is named at the start, and a match that cannot be read stops it", async () => {
  await using box = await Box.create();
  const configure = (match: string) => box.configure({ hooks: { before_tool: [{ match, command: "true" }] } });
  await configure("Bash");
  const { stderr } = await box.run(["-p", "hi"]);
  assertStringIncludes(stderr, 'A hook never runs: "Bash" of before_tool fits no tool');
  await configure("run_[command");
  const { code, stderr: refused } = await box.run(["-p", "hi"]);
  assertEquals(code, 2);
  assertStringIncludes(refused, 'Cannot use "match" "run_[command" of a before_tool hook');
});

Deno.test("SIGINT in a hook ends a headless run with 130", async () => {
  await using box = await Box.create();
  await box.configure({ sandbox: "off", hooks: { turn_end: [{ command: "echo > begun; exec sleep 60" }] } });
  await using service = new FakeService("Done");
  using watcher = Deno.watchFs(box.project);
  const program = box.start(["-p", "hi"], { env: env(service) });
  for await (const { paths } of watcher) if (paths.some((path) => path.endsWith("/begun"))) break;
  program.kill("SIGINT");
  const { code, stderr } = await program.result;
  assertEquals([code, stderr], [130, "(interrupted)\n"]);
});

Deno.test("permissions and doctor name the hooks", async () => {
  await using box = await Box.create();
  await box.configure({ hooks: { before_tool: [{ command: "a" }, { command: "b" }], turn_end: [{ command: "c" }] } });
  const { stdout } = await box.run(["permissions"]);
  assertStringIncludes(stdout, "\n  hooks: 3 (before_tool 2, turn_end 1)\n");
  const narrow = await box.run(["permissions"], { grants: ["--allow-read", "--allow-env"] });
  assertStringIncludes(narrow.stdout, "\n  hooks: 3 (before_tool 2, turn_end 1), cannot run: no --allow-run=sh\n");
  const doctor = await box.run(["doctor"], { grants: ["--allow-read", "--allow-env"] });
  assertStringIncludes(doctor.stdout, "fail hooks: 3 (before_tool 2, turn_end 1), cannot run: no --allow-run=sh\n");
});

Deno.test("the example of docs/hooks.md does what it says", async () => {
  const page = await Deno.readTextFile(fromFileUrl(new URL("../../docs/hooks.md", import.meta.url)));
  const [, text = ""] = /```json\n([^]*?)```/.exec(page) ?? [];
  const example = JSON.parse(text);
  assertEquals(checkSettings(example, "config.json", "user").notices, []);
  await using box = await Box.create({ "src/.keep": "" });
  await box.configure({ ...example, sandbox: "off", permissions: { allow: ["run(echo *)"] } });
  await using service = new FakeService(
    call("run_command", { command: "echo git push" }, "c1"),
    call("run_command", { command: "echo fine" }, "c2"),
    call("write_file", { path: "src/a.ts", content: "console.log(1);\n" }, "c3"),
    call("edit_file", { path: "src/a.ts", old_string: "console.log(1);", new_string: "" }, "c4"),
    "Done",
  );
  await box.run(["-p", "--mode", "edit", "go"], { env: env(service) });
  const results = service.requests.slice(1).map(({ body }) => body.messages.at(-1).content as string);
  assertEquals(results[0], "Error: Blocked by a hook: Leave pushing to me");
  assertEquals(results[1], "fine\nexit 0");
  assertStringIncludes(results[2]!, "\n\nA hook says: src/a.ts:1:console.log(1);");
  assert(!results[3]!.includes("hook"), results[3]);
  assertEquals((await Deno.readTextFile(box.path("turns.log"))).trim().split("\n").length, 1);
});
