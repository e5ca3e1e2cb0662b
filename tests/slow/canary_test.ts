/** A canary key goes through everything that can go wrong, and is in nothing that is written or shown. */

import { assert, assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { chatReply, FakeService, refusal, type Step } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

const KEY = "canary+key/4711=zebra_99";
const BASE64 = btoa(KEY);
const FORMS = [
  KEY,
  encodeURIComponent(KEY),
  BASE64,
  BASE64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
];
const ECHO = `Bearer ${KEY}, ${encodeURIComponent(KEY)}, ${BASE64}, key=${KEY}`;

function finds(text: string): string[] {
  return FORMS.filter((form) => text.includes(form));
}

const run = (command: string) => chatReply({ calls: [{ id: "c1", name: "run_command", args: { command } }] });
const call = (name: string, args: unknown) => chatReply({ calls: [{ id: "c1", name, args }] });
/** Every text that the service sends holds the key, as an echo of what it was sent. */
const SCENES: [name: string, script: Step[], args: string[]][] = [
  ["a refused key", [refusal(401, { message: `bad key ${ECHO}` }, { "x-echo": ECHO })], []],
  ["a broken service", [refusal(500, { message: ECHO }, { "x-echo": ECHO })], ["--output-format", "json"]],
  ["a refusal that is no JSON", [{ status: 403, headers: { "content-type": "text/html" }, pieces: [ECHO] }], []],
  ["a redirect", [{ status: 302, headers: { location: `http://127.0.0.1:1/?k=${encodeURIComponent(KEY)}` } }], []],
  ["an answer", [`It is ${ECHO}`], ["--output-format", "stream-json", "--include-partial-messages"]],
  ["a call without a tool", [call(`no_${KEY}`, { [KEY]: ECHO }), "Done"], ["--output-format", "stream-json"]],
  ["a file of the project", [call("read_file", { path: "keys.txt" }), "Done"], ["--output-format", "stream-json"]],
  ["a command", [run(`cat keys.txt; echo "$DEEPSEEK_API_KEY" ${KEY}; env; exit 3`), "Done"], ["--mode", "full"]],
  ["a long output", [run("for i in $(seq 400); do cat keys.txt; done"), "Done"], ["--mode", "full"]],
  ["an error of a tool", [call("edit_file", { path: KEY, old_string: ECHO, new_string: "x" }), "Done"], []],
  ["an address", [call("fetch_url", { url: `http://127.0.0.1:1/?k=${KEY}` }), "Done"], ["--mode", "full"]],
  ["a broken reply", [{ pieces: [`data: {"error": {"message": "${ECHO}"}}\n\n`], end: "reset" }], []],
];

Deno.test("a key is in no output, no session, no export and no result of a call, whatever happens", async () => {
  await using box = await Box.create({ "keys.txt": `${ECHO}\n` });
  await box.configure({ retries: { max: 1, baseMs: 1, maxMs: 2 } });
  const env = { DEEPSEEK_API_KEY: KEY };
  const shown = new Map<string, string>();
  const results: string[] = [];
  const note = async (name: string, args: string[], base: string) => {
    const { stdout, stderr } = await box.run(args, { env: { ...env, DEEPSEEK_BASE_URL: base } });
    shown.set(name, stdout + stderr);
  };
  for (const [name, script, args] of SCENES) {
    await using service = new FakeService(...script);
    await note(name, ["-p", ...args, `My key is ${ECHO}`], service.url);
    const messages: { role: string; content: string }[] = service.requests.at(-1)?.body.messages;
    results.push(...messages.filter(({ role }) => role === "tool").map(({ content }) => content));
    assert(service.requests.length > 0, name);
  }
  await note("a name that does not exist", ["-p", "hi"], "http://no-such-host.invalid/v1");
  const plain = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answering = (async () => {
    for await (const connection of plain) {
      await connection.write(new TextEncoder().encode("no TLS here\r\n")).catch(() => {});
      connection.close();
    }
  })();
  await note("a broken TLS", ["-p", "hi"], `https://127.0.0.1:${plain.addr.port}/v1`);
  plain.close();
  await answering;
  await note("a key in an option", ["-p", "--model", KEY, "--bogus", "hi"], "http://127.0.0.1:1");
  await note("the doctor", ["doctor"], "http://127.0.0.1:1");
  await note("permissions", ["permissions"], "http://127.0.0.1:1");
  await using service = new FakeService(`It is ${ECHO}`);
  const lines = ["My key", "/dump", "/usage", "/export out.html", "/export out.json", "/exit"].join("\n");
  const talk = await box.run([], { env: { ...env, DEEPSEEK_BASE_URL: service.url }, stdin: lines });
  shown.set("a conversation", talk.stdout + talk.stderr);
  const list = await box.run(["sessions"], { env });
  shown.set("the list of sessions", list.stdout);
  const ids = list.stdout.match(/^[\w-]{6,}/gm) ?? [];
  assert(ids.length > 5, list.stdout);
  for (const id of ids) {
    for (const args of [["show", id], ["export", id, "--json"], ["export", id, "--html"]]) {
      const { stdout, stderr } = await box.run(["sessions", ...args], { env });
      shown.set(`sessions ${args.join(" ")}`, stdout + stderr);
    }
  }
  for (const [name, text] of shown) assertEquals([name, finds(text)], [name, []], text.slice(0, 2000));
  for await (const { path, isFile } of walk(box.home(".."))) {
    if (!isFile || path.endsWith("keys.txt")) continue;
    assertEquals([path, finds(await Deno.readTextFile(path))], [path, []]);
  }
  assertEquals(results.length, 6, "what calls gave the model");
  for (const text of results) assertEquals(finds(text), [], text.slice(0, 500));
});
