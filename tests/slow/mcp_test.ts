import { assert, assertEquals } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { listed, logged, stdioServer } from "../testing/mcp_plan.ts";
import { TEST_ENV } from "../testing/processes.ts";
import { Box } from "../testing/program.ts";

const ALLOW = ["--allow", "mcp(s/*)"];

/** Waits for a server to have got such a message. */
async function sees(box: Box, wanted: string): Promise<void> {
  while (!(await logged(box.path("logs/log"))).some(({ method }) => method === wanted)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** How many processes run in the box's project. */
async function countIn(box: Box): Promise<number> {
  const script = 'for p in /proc/[0-9]*; do readlink "$p/cwd"; done 2>/dev/null | grep -cF "$1"';
  const args = ["-c", script, "sh", box.project];
  const { stdout } = await new Deno.Command("sh", { args, cwd: "/", env: TEST_ENV }).output();
  return Number(new TextDecoder().decode(stdout));
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
  for (let tries = 0; await countIn(box) > 0 && tries < 50; tries++) await new Promise((r) => setTimeout(r, 20));
  assertEquals(await countIn(box), 0);
});
