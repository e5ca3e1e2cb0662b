import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";
import { hasScript, PseudoTerminal } from "../testing/pseudo_terminal.ts";

const ignore = !await hasScript();
const ASKS = /\[y\]es/;
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

Deno.test({
  name: "always stores the exact words on the person's side, and covers that command and no other",
  ignore,
}, async () => {
  await using box = await Box.create({ "a/x": "" });
  const run = (command: string, i: number) =>
    chatReply({ calls: [{ id: `c${i}`, name: "run_command", args: { command } }] });
  const commands = ["ls a", "ls a", "ls a -R", "ls a; touch made", "ls a > made", "touch \u202emade"];
  await using service = new FakeService(...commands.map(run), "Done");
  const env = { MINI_AGENT_HOME: box.home("own"), DEEPSEEK_API_KEY: "zebra-key-1234567890" };
  const flags = ["-q", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS];
  const line = [Deno.execPath(), "run", ...flags, MAIN, "--no-save", "go"].map(quote).join(" ");
  await using terminal = new PseudoTerminal(`cd ${quote(box.project)}; ${line}; echo "[[exit $?]]"`, {
    ...env,
    DEEPSEEK_BASE_URL: service.url,
  });
  let at = await terminal.until(ASKS);
  await terminal.type("a\r");
  for (const command of commands.slice(2)) {
    at = await terminal.until(ASKS, at);
    if (command.startsWith("ls")) assertStringIncludes(terminal.raw.slice(0, at), command);
    await terminal.type("n\r");
  }
  assertStringIncludes(terminal.raw, "touch ⟨U+202E⟩made");
  await terminal.until(/Done/, at);
  await terminal.type("/exit\r");
  assertMatch(await terminal.end(), /\[\[exit 0\]\]/);
  const results = service.requests.slice(1).map(({ body }) => body.messages.at(-1).content as string);
  assertEquals(results.map((result) => /exit 0/.test(result)), [true, true, false, false, false, false]);
  assertEquals(JSON.parse(await Deno.readTextFile(box.home("own/permissions.json"))), { allow: ["run(ls a)"] });
  assertEquals(Array.from(Deno.readDirSync(box.project), ({ name }) => name), ["a"], "nothing stands in the project");
  // and in the next run, where nobody is there to ask
  await using next = new FakeService(run("ls a", 0), run("ls a -R", 1), "Done");
  const later = await box.run(["-p", "--no-save", "go"], { env: { ...env, DEEPSEEK_BASE_URL: next.url } });
  const [first, second] = next.requests.slice(1).map(({ body }) => body.messages.at(-1).content as string);
  assertEquals([later.code, /exit 0/.test(first!), /nobody is there/.test(second!)], [3, true, true]);
});
