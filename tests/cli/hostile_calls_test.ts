/**
 * Calls that must not get through, made by a scripted model against the whole program: once with the sandbox and once
 * without it.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path/dirname";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box, type ProgramOptions } from "../testing/program.ts";
import { HAS_SANDBOX } from "../testing/sandbox_ground.ts";

type Call = [name: string, args: Record<string, unknown>, answer: RegExp];

const KEY = "zebra-key-1234567890";

/** Plays the calls in one reply, and gives what each was answered. */
async function play(box: Box, calls: readonly Call[], mode: string, options: ProgramOptions = {}) {
  const asked = calls.map(([name, args], i) => ({ id: `c${i}`, name, args }));
  await using service = new FakeService(chatReply({ calls: asked }), "Done");
  const env = { DEEPSEEK_API_KEY: KEY, DEEPSEEK_BASE_URL: service.url };
  const args = ["-p", "--no-save", "--mode", mode, "--output-format", "stream-json", "go"];
  const { code, stdout, stderr } = await box.run(args, { ...options, env });
  const messages = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const results = messages.filter(({ type }) => type === "user").flatMap(({ message }) => message.content);
  return { code, stderr, answers: results.map(({ is_error, content }) => ({ isError: is_error as boolean, content })) };
}

/** A project with ways out of it, beside a folder with a marker, and a folder whose name begins like the project's. */
async function hostileBox(config: unknown) {
  const box = await Box.create({
    "a/b.txt": "inside\n",
    ".git/config": "[core]\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "sub/x": "",
  });
  await box.configure(config);
  const base = dirname(box.project);
  for (const folder of ["out", "project-evil"]) {
    await Deno.mkdir(`${base}/${folder}`);
    await Deno.writeTextFile(`${base}/${folder}/s`, "marker");
  }
  await Deno.symlink("../out/s", box.path("l"));
  await Deno.symlink(".git", box.path("g"));
  await Deno.symlink("loop", box.path("loop"));
  await Deno.link(`${base}/out/s`, box.path("hard"));
  await new Deno.Command("mkfifo", { args: [box.path("pipe")] }).output();
  await Deno.writeTextFile(box.path("sparse"), "");
  await Deno.truncate(box.path("sparse"), 10e9);
  return {
    box,
    out: `${base}/out`,
    async assertIntact() {
      for (const folder of ["out", "project-evil"]) {
        assertEquals(Array.from(Deno.readDirSync(`${base}/${folder}`), ({ name }) => name), ["s"]);
        assertEquals(await Deno.readTextFile(`${base}/${folder}/s`), "marker");
      }
      assertEquals(await Deno.readTextFile(box.path(".git/config")), "[core]\n");
      assertEquals(Array.from(Deno.readDirSync(box.path(".git")), ({ name }) => name).toSorted(), ["HEAD", "config"]);
    },
  };
}

const OUTSIDE = /outside the workspace/;
const PROTECTED = /protected/;

function fileCalls(out: string): Call[] {
  const edit = (path: string, answer: RegExp): Call => [
    "edit_file",
    { path, old_string: "marker", new_string: "x" },
    answer,
  ];
  const write = (path: string, answer: RegExp): Call => ["write_file", { path, content: "x" }, answer];
  const read = (path: string, answer: RegExp): Call => ["read_file", { path }, answer];
  const ways = ["../out/s", `${out}/s`, "./a/../../out/s", "../project-evil/s", "l"];
  return [
    ...ways.flatMap((path) => [read(path, OUTSIDE), write(path, OUTSIDE), edit(path, OUTSIDE)]),
    write("../project-evil/x", OUTSIDE),
    write("../out/new/x", OUTSIDE),
    ["list_files", { path: "../out" }, OUTSIDE],
    ["search_files", { pattern: "marker", path: "../out" }, OUTSIDE],
    ["find_files", { pattern: "*", path: "../out" }, OUTSIDE],
    write("g/config", PROTECTED),
    write("sub/../.git/hooks/x", PROTECTED),
    write("sub/.git/config", PROTECTED),
    ...["loop", "loop/x", "x".repeat(5000), "a\0b", "a\nb"].flatMap((path) => [
      read(path, /circle|too long|control character/),
      write(path, /circle|too long|control character/),
    ]),
    write("hard", /2 names|hard link/),
    edit("hard", /2 names|hard link/),
    ...["pipe", "/dev/zero", "/proc/self/environ", "a"].flatMap((path) => [
      read(path, /a device, a pipe|system's own|folder/),
      write(path, /a device, a pipe|system's own|folder/),
    ]),
    edit("sparse", /too large|bytes|binary/),
  ];
}

const COMMANDS: readonly string[] = [
  "echo x > ../out/s",
  "echo x > l",
  "echo x > ../project-evil/x",
  "ln ../out/s hard2 && echo x > hard2",
  "echo x >> g/config",
  "mkdir -p .git/hooks && echo x > .git/hooks/x",
];

for (const sandbox of ["auto", "off"] as const) {
  Deno.test({
    name: `no call of a model leaves the workspace or reaches what is protected, sandbox ${sandbox}`,
    ignore: sandbox === "auto" && !HAS_SANDBOX,
    async fn() {
      const { box, out, assertIntact } = await hostileBox({ sandbox });
      await using _ = box;
      const calls = fileCalls(out);
      const started = performance.now();
      const { code, answers } = await play(box, calls, "edit");
      const ms = performance.now() - started;
      assertEquals([code, answers.length], [3, calls.length]);
      for (const [i, { isError, content }] of answers.entries()) {
        const [name, args, expected] = calls[i]!;
        const shown = `${name} ${JSON.stringify(args).slice(0, 80)}: ${content.slice(0, 300)}`;
        assert(isError && expected.test(content) && !content.includes("marker\n"), shown);
      }
      assert(ms < 10_000, `${calls.length} calls took ${ms} ms`);
      await assertIntact();
      const commands = COMMANDS.map((command): Call => ["run_command", { command }, /./]);
      const tried = await play(box, commands, "edit");
      for (const [i, { isError, content }] of tried.answers.entries()) {
        assert(isError, `${COMMANDS[i]}: ${content}`);
        if (sandbox === "off") assertMatch(content, /needs the user's permission .*sandbox/);
      }
      await assertIntact();
    },
  });
}

Deno.test({
  name: "a link that a command made in the sandbox leads a tool neither outside nor to what is protected",
  ignore: !HAS_SANDBOX,
  async fn() {
    const { box, assertIntact } = await hostileBox({});
    await using _ = box;
    const { answers } = await play(box, [
      ["run_command", { command: "ln -s .git g2; ln -s ../out o2; ln -s ../out/s sub/s2" }, /exit 0/],
      ["write_file", { path: "g2/config", content: "x" }, PROTECTED],
      ["write_file", { path: "o2/new", content: "x" }, OUTSIDE],
      ["read_file", { path: "sub/s2" }, OUTSIDE],
    ], "edit");
    assertMatch(answers[0]!.content, /exit 0/);
    for (const { isError, content } of answers.slice(1)) assert(isError, content);
    await assertIntact();
  },
});

Deno.test("without a sandbox the start line says so, edit mode runs no command unasked and plan mode offers none", async () => {
  await using box = await Box.create();
  const grants = ["--allow-read", "--allow-write", "--allow-run=sh", "--allow-net", "--allow-env"];
  const banner = await box.run(["--mode", "edit"], { grants, stdin: "/exit\n" });
  assertMatch(banner.stdout, /sandbox: none/);
  const { code, answers } = await play(box, [["run_command", { command: "touch made" }, /./]], "edit", { grants });
  assertEquals(code, 3);
  assertMatch(answers[0]!.content, /needs the user's permission/);
  const plan = await play(box, [["run_command", { command: "ls" }, /./]], "plan", { grants });
  assertMatch(plan.answers[0]!.content, /Unknown tool "run_command"/);
  assertEquals(Array.from(Deno.readDirSync(box.project)), []);
});

Deno.test({
  name: "a command leaves a nested repository as it is, and what it changes of other protected paths is told",
  ignore: !HAS_SANDBOX,
  async fn() {
    const { box } = await hostileBox({});
    await using _ = box;
    for (const [name, text] of [["HEAD", "ref: refs/heads/main\n"], ["config", "[core]\n"], ["hooks/x", "ours"]]) {
      await Deno.mkdir(dirname(box.path("sub/.git", name!)), { recursive: true });
      await Deno.writeTextFile(box.path("sub/.git", name!), text!);
    }
    await Deno.writeTextFile(box.path("sub/AGENTS.md"), "ours");
    const { answers } = await play(box, [
      ["run_command", { command: "echo x > sub/.git/hooks/post-commit; echo x >> sub/.git/config" }, /./],
      ["run_command", { command: "mv sub/.git sub/away" }, /./],
      ["run_command", { command: "echo theirs > sub/AGENTS.md" }, /./],
      ["run_command", { command: "true" }, /./],
    ], "edit");
    assertMatch(answers[0]!.content, /Read-only file system[^]*needs "outside"/);
    assertMatch(answers[1]!.content, /busy[^]*needs "outside"/);
    assertMatch(answers[2]!.content, /Changed while the command ran, though protected.*\n.*\/sub\/AGENTS\.md\nexit 0/);
    assertEquals(answers[3]!.content, "(no output)\nexit 0");
    assertEquals(await Deno.readTextFile(box.path("sub/.git/config")), "[core]\n");
    const names = Array.from(Deno.readDirSync(box.path("sub/.git")), ({ name }) => name).toSorted();
    assertEquals(names, ["HEAD", "config", "hooks"], "nothing is left");
  },
});

Deno.test("instructions of a project that are a link to a secret, or out of it, are not read", async () => {
  await using box = await Box.create({
    ".env": "A=the-secret-of-the-project",
    "sub/CLAUDE.md": "sub rules",
    "private/a": "the-private-one",
    "docs/rules.md": "linked rules",
  });
  await Deno.writeTextFile(box.home("outside"), "the-outside-one");
  await Deno.symlink(".env", box.path("AGENTS.md"));
  await using service = new FakeService("ok");
  const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
  const hostile = [".env", box.home("outside"), "private/a"];
  for (const target of [...hostile, "docs/rules.md"]) {
    await Deno.remove(box.path("AGENTS.md"));
    await Deno.symlink(target, box.path("AGENTS.md"));
    const { code } = await box.run(["-p", "--no-save", "--deny", "read(./private/**)", "hi"], { env });
    const sent = service.requests.at(-1)!.text;
    assertEquals([code, /the-\w+-o/.test(sent)], [0, false], target);
    assertEquals(sent.includes("linked rules"), !hostile.includes(target));
  }
});
