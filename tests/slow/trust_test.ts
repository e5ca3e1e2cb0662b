import { assertEquals, assertNotMatch, assertStringIncludes } from "@std/assert";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";
import { hasScript, PseudoTerminal } from "../testing/pseudo_terminal.ts";

const ignore = !await hasScript();
const CONFIG = ".mini-agent/config.json";
const ASKS = /\[y\]es, until this changes, or \[N\]o: /;
const PROMPT = /\r\n> /;
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The program in a folder of the box, with everything of its own below one folder. */
function start(box: Box, folder: string, { args = [], grants = [] }: { args?: string[]; grants?: string[] } = {}) {
  const flags = ["-q", "--no-prompt", "--cached-only", "--no-check", ...FULL_GRANTS, ...grants];
  const words = [Deno.execPath(), "run", ...flags, MAIN, "--no-save", ...args];
  return new PseudoTerminal(`cd ${quote(folder)}; ${words.map(quote).join(" ")}; echo "[[exit $?]]"`, {
    MINI_AGENT_HOME: box.home("own"),
    DEEPSEEK_API_KEY: "",
    OPENAI_API_KEY: "",
    ANTHROPIC_API_KEY: "",
  });
}

/** Says a word, so that a turn ends, and leaves when it has. */
async function talk(terminal: PseudoTerminal, from = 0): Promise<string> {
  await terminal.until(PROMPT, from);
  await terminal.type("hi\r/exit\r");
  return await terminal.end();
}

const hooks = (command: string) => JSON.stringify({ hooks: { turn_end: [{ command }] } });
const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

Deno.test({ name: "a yes in the terminal is kept, and only for this folder and these words", ignore }, async () => {
  const command = "echo >> ran; : \u001b[2J\u202e";
  await using box = await Box.create({ [CONFIG]: hooks(command), [`sub/${CONFIG}`]: hooks(command) });
  const store = box.home("own/trust.json");
  const ran = box.path("ran");
  const count = async () => await exists(ran) ? (await Deno.readTextFile(ran)).length : 0;
  {
    await using terminal = start(box, box.project);
    const asked = await terminal.until(ASKS);
    assertStringIncludes(terminal.raw, "    echo >> ran; : ⟨U+001B⟩[2J⟨U+202E⟩\r\n");
    assertEquals([await exists(store), await count()], [false, 0]);
    await terminal.type("y\r");
    const raw = await talk(terminal, asked);
    assertNotMatch(raw, /not used/);
    assertEquals(await count(), 1);
  }
  const { mode } = await Deno.stat(store);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  assertEquals(Object.keys(JSON.parse(await Deno.readTextFile(store)).folders), [await Deno.realPath(box.project)]);
  {
    await using terminal = start(box, box.project);
    assertNotMatch(await talk(terminal), ASKS);
    assertEquals(await count(), 2);
  }
  await box.run(["-p", "--no-save", "hi"], { env: { MINI_AGENT_HOME: box.home("own") } });
  assertEquals(await count(), 3, "what was trusted in the terminal is trusted");
  const kept = await Deno.readTextFile(store);
  await Deno.writeTextFile(box.path(CONFIG), hooks("echo other >> ran"));
  {
    await using terminal = start(box, box.project);
    const asked = await terminal.until(ASKS);
    assertStringIncludes(terminal.raw, "has changed, and would run:");
    assertStringIncludes(terminal.raw, "    echo other >> ran\r\n");
    await terminal.type("\r");
    const raw = await talk(terminal, asked);
    assertStringIncludes(words(raw), "are not used, since they have changed since you trusted it");
  }
  assertEquals([await count(), await Deno.readTextFile(store)], [3, kept]);
  {
    await using terminal = start(box, box.path("sub"));
    const asked = await terminal.until(ASKS);
    await terminal.type("n\r");
    await talk(terminal, asked);
    assertEquals(await exists(box.path("sub/ran")), false);
  }
});

Deno.test({ name: "Ctrl+D, Ctrl+C and a hang-up at the question trust nothing", ignore }, async () => {
  await using box = await Box.create({ [CONFIG]: hooks("echo >> ran") });
  for (const key of ["\x04", "\x03"]) {
    await using terminal = start(box, box.project);
    const asked = await terminal.until(ASKS);
    await terminal.type(key);
    if (key === "\x04") await talk(terminal, asked);
    else assertStringIncludes(await terminal.end(), "^C");
  }
  {
    await using terminal = start(box, box.project);
    await terminal.until(ASKS);
  }
  assertEquals([await exists(box.home("own/trust.json")), await exists(box.path("ran"))], [false, false]);
});

Deno.test({ name: "--trust asks nothing, and a yes that cannot be kept counts for the run", ignore }, async () => {
  await using box = await Box.create({ [CONFIG]: hooks("echo >> ran") });
  {
    await using terminal = start(box, box.project, { args: ["--trust"] });
    assertNotMatch(await talk(terminal), ASKS);
  }
  assertEquals(await exists(box.home("own/trust.json")), false);
  await using terminal = start(box, box.project, { grants: [`--deny-write=${box.home("own")}`] });
  const asked = await terminal.until(ASKS);
  await terminal.type("yes\r");
  const raw = await talk(terminal, asked);
  assertStringIncludes(words(raw), "could not be kept: no --allow-write=");
  assertEquals(await Deno.readTextFile(box.path("ran")), "\n\n");
});

/** What is on the screen in one row, without colours: notices break at blanks. */
function words(raw: string): string {
  // deno-lint-ignore no-control-regex
  return raw.replaceAll(/\x1b\[[\d;]*m/g, "").replaceAll(/\s+/g, " ");
}
