import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { Jobs } from "../../src/tools/jobs.ts";
import { endAllProcesses } from "../../src/tools/process.ts";
import { runCommandTool } from "../../src/tools/run_command.ts";
import { type ToolContext, ToolError } from "../../src/tools/tool.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

async function run(command: string, options: { input?: object; context?: Partial<ToolContext> } = {}) {
  const cwd = options.context?.cwd ?? "/";
  const context = newToolContext({ cwd, ...options.context });
  return await runCommandTool(new Jobs()).execute({ command, ...options.input }, context);
}

Deno.test("run_command gives the output and the exit status", async () => {
  assertEquals(await run("echo hello; echo oops >&2"), { content: "hello\noops\nexit 0" });
});

Deno.test("run_command marks a failure and names a signal", async () => {
  assertEquals(await run("false"), { content: "(no output)\nexit 1", isError: true });
  assertEquals(await run("kill -TERM $$"), { content: "(no output)\nexit 143 (SIGTERM)", isError: true });
  const crash = "(sh -c 'kill -SEGV $$'; exit $?) 2>/dev/null";
  assertEquals(await run(crash), { content: "(no output)\nexit 139 (SIGSEGV)", isError: true });
});

Deno.test("run_command says that there was no output", async () => {
  await using dir = await tempDir();
  assertEquals(await run("mkdir -p newdir", { context: { cwd: dir.path } }), { content: "(no output)\nexit 0" });
  assert((await Deno.stat(dir.join("newdir"))).isDirectory);
});

Deno.test("run_command keeps the order of output and errors", async () => {
  const script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done";
  const lines = [1, 2, 3, 4, 5].flatMap((i) => [`out ${i}`, `err ${i}`]);
  assertEquals((await run(script)).content, [...lines, "exit 0"].join("\n"));
});

Deno.test("run_command shows a syntax error of the shell", async () => {
  const output = await run("echo 'unfinished");
  assertMatch(output.content, /[Uu]nterminated|unexpected EOF/);
  assertEquals(output.isError, true);
});

Deno.test("run_command runs a command that begins with a dash or holds its own $0", async () => {
  assertMatch((await run("-n; echo $0 $#")).content, /\nsh 0\nexit 0$/);
});

Deno.test("run_command has input at its end, no terminal, no editor and no pager", async () => {
  assertEquals((await run("cat; echo eof; test -t 0 && echo tty || echo notty")).content, "eof\nnotty\nexit 0");
  const content = (await run("tty; echo $TERM $PAGER $GIT_PAGER; ( : < /dev/tty ) 2>/dev/null || echo none")).content;
  assertEquals(content, "not a tty\ndumb cat cat\nnone\nexit 0");
});

Deno.test("run_command fails with a word about it where git wants an editor", async () => {
  await using dir = await tempDir({ "a.txt": "x" });
  const script = "git init -q . && git add . && git -c user.name=a -c user.email=a@b.example commit";
  const output = await run(script, { context: { cwd: dir.path } });
  assertStringIncludes(output.content, "There is no editor: give the text as an argument");
  assertEquals(output.isError, true);
});

Deno.test("run_command hands on the context's environment", async () => {
  const child = { env: { PATH: "/usr/bin:/bin", GREETING: "hello" } };
  assertEquals((await run("echo $GREETING $HOME", { context: { child } })).content, "hello\nexit 0");
});

Deno.test("run_command gives what a terminal would have left", async () => {
  const script = String
    .raw`printf '\033[31mred\033[0m\n\033[2J\033[?1049h\033]0;title\007\033]52;c;aGk=\007\n10%%\r50%%\r100%%\ndone\n'`;
  assertEquals((await run(script)).content, "red\n\n100%\ndone\nexit 0");
});

Deno.test("run_command joins a character that was cut in two, and shows what is no text", async () => {
  const script = String.raw`printf '\377\376\000A\n'; printf '\303'; sleep 0.1; printf '\251\n'`;
  assertEquals((await run(script)).content, "\ufffd\ufffd\u2400A\né\nexit 0");
});

Deno.test("run_command returns when the foreground ends, and says what runs on", async () => {
  const start = performance.now();
  const output = await run("sleep 610 & echo started");
  assertEquals(output, { content: "started\nexit 0, a process that it started runs on in the background" });
  assert(performance.now() - start < 2000);
  await endAllProcesses();
});

Deno.test("run_command marks a command that was ended at the time limit", async () => {
  const output = await run("echo before; sleep 611", { input: { timeout_ms: 200 } });
  assertEquals(output, {
    content: "before\ntimed out after 0.2 s: the command and all it started were ended",
    isError: true,
  });
});

Deno.test("run_command throws the signal's reason when it is interrupted", async () => {
  const interrupt = new AbortController();
  const reason = new DOMException("stop", "AbortError");
  const onOutput = () => interrupt.abort(reason);
  const context = { signal: interrupt.signal, onOutput };
  await assertRejects(() => run("echo begun; sleep 612", { context }), DOMException, "stop");
  await endAllProcesses();
});

Deno.test("run_command shows the output without control sequences while it runs", async () => {
  const shown: string[] = [];
  const script = String.raw`printf '\033[31mone\n'; sleep 0.1; printf '\033]0;t'; sleep 0.1; printf '\007\rtwo\n'`;
  await run(script, { context: { onOutput: (text) => void shown.push(text) } });
  assertEquals(shown, ["one\n", "two\n"]);
});

Deno.test("run_command cuts a long output and keeps all of it", async () => {
  let kept = "";
  const keepOutput = (text: string) => {
    kept = text;
    return Promise.resolve("/kept/1.txt");
  };
  const { content } = await run("seq 1 20000", { context: { keepOutput } });
  assertEquals(kept.split("\n").length, 20000);
  assert(content.length <= 30_000 && content.length > 28_000, String(content.length));
  assertMatch(content, /^1\n2\n/);
  assertMatch(content, /\n20000\nexit 0$/);
  const [, next, offset] =
    content.match(/\n(\d+)\n\[.* lines left out; all of it is in \/kept\/1\.txt: read_file with offset (\d+)/) ?? [];
  assertEquals(Number(offset), Number(next) + 1);
});

Deno.test("run_command refuses what no shell could run", async () => {
  await assertRejects(() => run(" \n"), ToolError, "Cannot run the command: it is empty");
  await assertRejects(() => run("echo a\0b"), ToolError, "Cannot run the command: it holds a NUL character");
  await assertRejects(() => run(`: ${"x".repeat(1_000_000)}`), ToolError, "write a script and run that");
});

const sandboxed = (inner: string): Partial<ToolContext> => ({
  child: {
    env: { PATH: "/usr/bin:/bin" },
    sandbox: (command, { env, network }) => ({
      command: ["sh", "-c", inner, "sh", ...command],
      env: { ...env, NETWORK: String(network) },
    }),
  },
});

Deno.test("run_command runs in the sandbox with its own environment, and leaves it only after a yes", async () => {
  const context = sandboxed('echo confined; exec "$@"');
  assertEquals((await run("echo $NETWORK $PAGER", { context })).content, "confined\nfalse cat\nexit 0");
  assertEquals(
    (await run("echo $NETWORK", { context: { ...context, needs: "network" } })).content,
    "confined\ntrue\nexit 0",
  );
  const asked = await run("echo $NETWORK", { context, input: { needs: "outside" } });
  assertEquals(asked.content, "confined\nfalse\nexit 0");
  assertEquals((await run("echo out", { context: { ...context, needs: "outside" } })).content, "out\nexit 0");
});

Deno.test("run_command names what the sandbox moved aside, up to twenty paths", async () => {
  const after = (count: number): Partial<ToolContext> => ({
    child: {
      env: { PATH: "/usr/bin:/bin" },
      sandbox: (command, { env }) => ({
        command: [...command],
        env: { ...env },
        settled: () =>
          Promise.resolve({
            moved: Array.from({ length: count }, (_, i) => `/w/${i}/.git`),
            changed: [],
            unwatched: 0,
          }),
      }),
    },
  });
  const { content } = await run("true", { context: after(1) });
  assertMatch(content, /^\(no output\)\nMoved aside to "….quarantined-1", since .*\n\/w\/0\/\.git\nexit 0$/);
  assertMatch((await run("true", { context: after(30) })).content, /\n\/w\/19\/\.git\nand 10 more\nexit 0$/);
});

Deno.test("run_command throws when the sandbox does not start", async () => {
  const context = sandboxed("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
  await assertRejects(() => run("echo never", { context }), Error, "Cannot start the sandbox: bwrap: No permissions");
});

Deno.test({
  name: "run_command says that nothing outlives a command in the sandbox",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const note = "\nIn the sandbox nothing outlives its command: start with background what is to run on";
    const context = sandboxed('exec "$@"');
    const said = async (command: string, more: Partial<ToolContext> = {}) =>
      (await run(command, { context: { ...context, ...more } })).content.endsWith(`exit 0${note}`);
    assertEquals(await said("true & echo started"), true);
    assertEquals(await said("(nohup true >/dev/null 2>&1 &)"), true);
    assertEquals(await said("true & wait"), false, "it has waited for it");
    assertEquals(await said("echo 'a & b' 2>&1 && true"), false, "no operator");
    assertEquals(await said("true & echo started", { needs: "outside" }), false, "it did not run in it");
    await endAllProcesses();
  },
});

Deno.test("run_command says that the working folder is gone, and how to get it back", async () => {
  await using dir = await tempDir({ "sub/a.txt": "" });
  const context = { cwd: dir.join("sub") };
  await run('rm -r "$PWD"', { context });
  for (const background of [false, true]) {
    const error = await assertRejects(() => run("pwd", { context, input: { background } }), ToolError);
    assertEquals(
      error.message,
      `Cannot run the command: the working folder "${dir.join("sub")}" is gone; write_file makes it again`,
    );
  }
});

Deno.test("run_command says that a command was written for another shell", async () => {
  const said = "sh: 1: Bad substitution";
  const note = "\nThe shell is sh: run what is written for bash as bash -c '…'\nexit ";
  assertStringIncludes((await run(`echo '${said}'; exit 2`)).content, `${said}${note}2`);
  assertStringIncludes((await run("echo 'sh: 1: [[: not found'")).content, `${note}0`);
  assertEquals((await run("echo 'sh: 1: nosuch: not found'")).content, "sh: 1: nosuch: not found\nexit 0");
});

Deno.test("run_command says when the sandbox may be the reason of a failure", async () => {
  const context = sandboxed('exec "$@"');
  const files = await run("echo 'touch: cannot touch x: Read-only file system' >&2; exit 1", { context });
  assertMatch(files.content, /needs "outside"\nexit 1$/);
  const network = await run("echo 'curl: (6) Could not resolve host: a.example'; exit 6", { context });
  assertMatch(network.content, /needs "network"\nexit 6$/);
  const plain = await run("echo 'curl: (6) Could not resolve host: a.example'; exit 6");
  assert(!plain.content.includes("needs"));
});
