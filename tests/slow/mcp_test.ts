import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { serverSpec, startServers } from "../testing/mcp_host.ts";
import { listed, logged, stdioServer } from "../testing/mcp_plan.ts";
import { TEST_ENV } from "../testing/processes.ts";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";
import { hasScript, PseudoTerminal } from "../testing/pseudo_terminal.ts";

const ALLOW = ["--allow", "mcp(s/*)"];

/** Waits for a server to have got such a message. */
async function sees(box: Box, wanted: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if ((await logged(box.path("logs/log"))).some(({ method }) => method === wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The server was never asked for "${wanted}"`);
}

/** How many processes run in the box's project. */
async function countIn(box: Box): Promise<number> {
  const script = 'for p in /proc/[0-9]*; do readlink "$p/cwd"; done 2>/dev/null | grep -cF "$1"';
  const args = ["-c", script, "sh", box.project];
  const { stdout } = await new Deno.Command("sh", { args, cwd: "/", env: TEST_ENV }).output();
  return Number(new TextDecoder().decode(stdout));
}

/** Waits a second at most until no process is left. */
async function nobodyIn(box: Box): Promise<void> {
  for (let tries = 0; await countIn(box) > 0 && tries < 50; tries++) await new Promise((r) => setTimeout(r, 20));
  assertEquals(await countIn(box), 0);
}

Deno.test("an interrupt ends a call of a server's tool at once, and nothing outlives the program", async () => {
  await using box = await Box.create({ "logs/.keep": "" });
  for (const sandbox of [true, false]) {
    await Deno.remove(box.path("logs/log")).catch(() => {});
    const server = stdioServer({ pages: [[listed("hang")]], log: box.path("logs/log") });
    await box.configure({ mcpServers: { s: { ...server, sandbox } } });
    const call = chatReply({ calls: [{ id: "c1", name: "mcp__s__hang", args: {} }] });
    await using service = new FakeService(call, "never");
    const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
    const program = box.start(["-p", "--no-save", ...ALLOW, "go"], { env });
    await sees(box, "tools/call");
    assert(await countIn(box) > 0);
    const at = performance.now();
    program.kill("SIGINT");
    const { code } = await program.result;
    assertEquals(code, 130);
    assert(performance.now() - at < 1000);
    assertEquals(await countIn(box), 0);
  }
});

Deno.test("a server that floods its output is given up in time, in bounded memory, and leaves time for the rest", async () => {
  const floods = ["yes", "yes {", "cat /dev/zero", "yes >&2"];
  const specs = floods.map((script, i) =>
    serverSpec(`s${i}`, { command: ["sh", "-c", `exec ${script}`], env: {}, cwd: "/" }, { startTimeoutMs: 500 })
  );
  const before = Deno.memoryUsage().rss;
  const at = performance.now();
  await using started = await startServers(specs);
  assert(performance.now() - at < 3000);
  assert(Deno.memoryUsage().rss - before < 128 * 1024 * 1024);
  assertEquals(started.servers.tools, []);
  assertEquals(started.host.notes.filter((note) => note.includes(": its tools are missing")).length, floods.length);
});

Deno.test("an interrupt during the start ends the program", async () => {
  await using box = await Box.create({ "logs/.keep": "" });
  await box.configure({ mcpServers: { s: stdioServer({ pages: [], log: box.path("logs/log"), mute: true }) } });
  for (const args of [["-p", "hi"], [], ["mcp"]]) {
    await Deno.remove(box.path("logs/log")).catch(() => {});
    const program = box.start(args, { stdin: null });
    await sees(box, "initialize");
    program.kill("SIGINT");
    assertEquals((await program.result).code, 130);
    assertEquals(await countIn(box), 0);
  }
});

Deno.test("a call is interrupted within 200 ms in a conversation, and the next one works", async () => {
  await using box = await Box.create({ "logs/.keep": "" });
  const server = stdioServer({ pages: [[listed("hang"), listed("echo")]], log: box.path("logs/log") });
  await box.configure({ mcpServers: { s: server } });
  const call = (name: string) => chatReply({ calls: [{ id: name, name: `mcp__s__${name}`, args: {} }] });
  await using service = new FakeService(call("hang"), call("echo"), "all done");
  const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
  const program = box.start(["--no-save", ...ALLOW], { env, stdin: "go\nagain\n" });
  await sees(box, "tools/call");
  const at = performance.now();
  program.kill("SIGINT");
  await program.prints("(interrupted)");
  assert(performance.now() - at < 400); // its own start and ours are in it
  await program.prints("all done");
  const { code } = await program.result;
  assertEquals(code, 0);
  assert((await logged(box.path("logs/log"))).some(({ method }) => method === "notifications/cancelled"));
  assertEquals(await countIn(box), 0);
});

Deno.test("a killed program leaves no server in the sandbox behind", async () => {
  await using box = await Box.create({ "logs/.keep": "" });
  const server = stdioServer({ pages: [[listed("hang")]], log: box.path("logs/log") });
  await box.configure({ mcpServers: { s: server } });
  const call = chatReply({ calls: [{ id: "c1", name: "mcp__s__hang", args: {} }] });
  await using service = new FakeService(call, "never");
  const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
  const program = box.start(["-p", "--no-save", ...ALLOW, "go"], { env });
  await sees(box, "tools/call");
  program.kill("SIGKILL");
  await program.result;
  await nobodyIn(box);
});

const noTerminal = !await hasScript();
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The program in a terminal, with everything of its own below one folder. */
function atTerminal(box: Box, env: Record<string, string>): PseudoTerminal {
  const flags = ["-q", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS];
  const line = [Deno.execPath(), "run", ...flags, MAIN, "--no-save"].map(quote).join(" ");
  return new PseudoTerminal(`cd ${quote(box.project)}; ${line}; echo "[[exit $?]]"`, {
    MINI_AGENT_HOME: box.home("own"),
    DEEPSEEK_API_KEY: "zebra-key-1234567890",
    ...env,
  });
}

Deno.test({
  name: "in a terminal a project's server is asked about once, and so is its tool",
  ignore: noTerminal,
  async fn() {
    await using box = await Box.create({ "logs/.keep": "" });
    const server = stdioServer({ pages: [[listed("find.it")]], log: box.path("logs/log") });
    await Deno.mkdir(box.path(".mini-agent"));
    await Deno.writeTextFile(box.path(".mini-agent/config.json"), JSON.stringify({ mcpServers: { s: server } }));
    const call = chatReply({ calls: [{ id: "c1", name: "mcp__s__find_it", args: { say: "\u202ehi" } }] });
    await using service = new FakeService(call, "all done", call, "done again");
    {
      await using terminal = atTerminal(box, { DEEPSEEK_BASE_URL: service.url });
      await terminal.until(/Trust this project\?/);
      assertStringIncludes(terminal.raw, 'MCP server "s"');
      assertEquals(await logged(box.path("logs/log")), [], "it is not started before the answer");
      await terminal.type("y\r");
      await terminal.until(/1 of MCP servers/);
      assertStringIncludes(terminal.raw, "Starting MCP servers: s\r\n");
      await terminal.until(/\r\n> /);
      await terminal.type("go\r");
      await terminal.until(/\[a\]lways/);
      assertMatch(terminal.raw, /"find\.it" \{"say":"⟨U\+202E⟩hi"\}/);
      await terminal.type("a\r");
      await terminal.until(/all done/);
      await terminal.type("/exit\r");
      assertMatch(await terminal.end(), /\[\[exit 0\]\]/);
    }
    assertEquals(JSON.parse(await Deno.readTextFile(box.home("own/permissions.json"))), { allow: ["mcp(s/find.it)"] });
    await using again = atTerminal(box, { DEEPSEEK_BASE_URL: service.url });
    await again.until(/\r\n> /);
    await again.type("go\r");
    await again.until(/done again/);
    await again.type("/exit\r");
    assertNotMatch(await again.end(), /Trust this|\[a\]lways/);
    assertEquals(await countIn(box), 0);
  },
});

Deno.test({
  name: "Ctrl+C in a terminal ends the program while its servers start",
  ignore: noTerminal,
  async fn() {
    await using box = await Box.create({ "logs/.keep": "" });
    await Deno.mkdir(box.home("own"));
    const server = stdioServer({ mute: true, log: box.path("logs/log") });
    await Deno.writeTextFile(box.home("own/config.json"), JSON.stringify({ mcpServers: { s: server } }));
    await using terminal = atTerminal(box, { DEEPSEEK_BASE_URL: "http://127.0.0.1:1" });
    await sees(box, "initialize");
    await terminal.type("\x03");
    await terminal.end(); // the shell goes too, and says nothing of our exit
    await nobodyIn(box);
  },
});
