import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { hasScript, PseudoTerminal } from "../testing/pseudo_terminal.ts";

const program = fromFileUrl(import.meta.resolve("../testing/terminal_program.ts"));
const config = fromFileUrl(import.meta.resolve("../../deno.json"));
/** A path as a word of a shell line, also within single quotes. */
const word = (path: string) => path.replaceAll(/[^\w@%+=:,./-]/g, "\\$&");
const run = `${word(Deno.execPath())} run --quiet -A --config ${word(config)} ${word(program)}`;
/** Writes the program's process id, so that signals can be sent, then its exit code and the terminal's settings. */
const watched = `sh -c 'echo "[[pid $$]]"; exec ${run}'; echo "[[exit $?]]"; stty -a`;
const ignore = !await hasScript();
// deno-lint-ignore no-control-regex
const MOVES = /\x1b\[[\d;?]*[ABCDGHJKhl]/;

Deno.test({ name: "an input is answered, and leaving gives the terminal back", ignore }, async () => {
  await using terminal = new PseudoTerminal(watched);
  await terminal.until(/> /);
  await terminal.type("hello\r");
  await terminal.until(/You said .{4}hello/);
  await terminal.type("half a line\x15/exit\r");
  assertGivenBack(await terminal.end(), 0);
});

Deno.test({ name: "SIGTERM and SIGHUP give the terminal back, also in the middle of a turn", ignore }, async () => {
  for (
    const [signal, code, busy] of [["SIGTERM", 143, false], ["SIGTERM", 143, true], ["SIGHUP", 129, false]] as const
  ) {
    await using terminal = new PseudoTerminal(watched);
    await terminal.until(/> /);
    if (busy) {
      await terminal.type("wait\r");
      await terminal.until(/waiting/);
    }
    Deno.kill(pidOf(terminal), signal);
    assertGivenBack(await terminal.end(), code);
  }
});

Deno.test({ name: "an error that nobody catches gives the terminal back before it is told", ignore }, async () => {
  await using terminal = new PseudoTerminal(watched);
  await terminal.until(/> /);
  await terminal.type("throw\r");
  const raw = await terminal.end();
  assertGivenBack(raw, 1);
  assertStringIncludes(raw.slice(raw.indexOf("\x1b[?2004l")), "while drawing");
});

Deno.test({ name: "Ctrl+C ends the turn and the prompt works on", ignore }, async () => {
  await using terminal = new PseudoTerminal(watched);
  await terminal.until(/> /);
  await terminal.type("wait\r");
  const waiting = await terminal.until(/waiting/);
  await terminal.type("\x03");
  const interrupted = await terminal.until(/\(interrupted\)/, waiting);
  await terminal.type("next\r");
  await terminal.until(/You said .{4}next/, interrupted);
  await terminal.type("\x04");
  assertGivenBack(await terminal.end(), 0);
});

Deno.test({ name: "a stop gives the terminal to the shell, and fg draws the prompt again", ignore }, async () => {
  await using terminal = new PseudoTerminal(
    `set -m; ${run}; echo "[[stopped]]"; stty -a; fg; echo "[[exit $?]]"; stty -a`,
  );
  await terminal.until(/> /);
  await terminal.type("a draft\x1a");
  const stopped = await terminal.until(/\[\[stopped\]\][^]*?-?echoprt[^\n]*\n/);
  assertMatch(terminal.raw.slice(terminal.raw.indexOf("[[stopped]]"), stopped), /(?<!-)\bicanon\b/);
  await terminal.until(/> a draft/, stopped);
  await terminal.type("!\r");
  await terminal.until(/a draft!/, stopped);
  await terminal.type("\x15\x04");
  assertGivenBack(await terminal.end(), 0);
});

Deno.test({ name: "a paste of 1 MiB is one input", ignore }, async () => {
  await using terminal = new PseudoTerminal(`${run}; echo "[[exit $?]]"; stty -a`);
  await terminal.until(/> /);
  await terminal.type(`\x1b[200~${"word ".repeat(210_000)}\x1b[201~the end`);
  await terminal.until(/the end/);
  await terminal.type("\r");
  await terminal.until(/\(1050007 characters\)/);
  await terminal.type("\x04");
  assertGivenBack(await terminal.end(), 0);
});

Deno.test({ name: "a dumb terminal gets plain lines, without any control sequence", ignore }, async () => {
  await using terminal = new PseudoTerminal(`${run}; echo "[[exit $?]]"`, { TERM: "dumb" });
  await terminal.until(/> /);
  await terminal.type("hello\r");
  await terminal.until(/You said \*\*hello\*\*/);
  await terminal.type("\x04");
  const raw = await terminal.end();
  assertStringIncludes(raw, "[[exit 0]]");
  assertEquals(raw.includes("\x1b"), false);
});

Deno.test({ name: "NO_COLOR leaves the line editor and takes the colours", ignore }, async () => {
  await using terminal = new PseudoTerminal(`${run}; echo "[[exit $?]]"; stty -a`, { NO_COLOR: "1" });
  await terminal.until(/> /);
  await terminal.type("hello\r");
  await terminal.until(/You said hello/);
  await terminal.type("\x04");
  const raw = await terminal.end();
  assertMatch(raw, MOVES);
  // deno-lint-ignore no-control-regex
  assertNotMatch(raw, /\x1b\[\d+m/);
});

Deno.test("input from a pipe is read line by line, and its end leaves with 0", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", "--config", config, program],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("hello\nagain"));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertStringIncludes(text, "You said **hello**\n");
  assertStringIncludes(text, "You said **again**\n");
  assertEquals(text.includes("\x1b"), false);
});

function pidOf({ raw }: PseudoTerminal): number {
  return Number(/\[\[pid (\d+)\]\]/.exec(raw)![1]);
}

/** The program has ended with a code and left the terminal as it was. */
function assertGivenBack(raw: string, code: number): void {
  const [before, after = ""] = raw.split(/\[\[exit \d+\]\]/);
  assertStringIncludes(raw, `[[exit ${code}]]`);
  for (const setting of ["icanon", "echo", "isig", "icrnl", "opost"]) {
    assertMatch(after, new RegExp(`(?<![-\\w])${setting}\\b`), setting);
  }
  const on = before!.lastIndexOf("\x1b[?2004h");
  assertEquals(before!.indexOf("\x1b[?2004l", on) > on, true, "bracketed paste is off");
  assertEquals(before!.lastIndexOf("\x1b[?25l") <= before!.lastIndexOf("\x1b[?25h"), true, "the cursor is shown");
}
