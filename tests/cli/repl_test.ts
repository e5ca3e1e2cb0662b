import { assertEquals } from "@std/assert";
import type { LoopOptions } from "../../src/cli/inputs.ts";
import { KeyDecoder } from "../../src/cli/keys.ts";
import { Repl } from "../../src/cli/repl.ts";
import { newLongTurn, newLoopOptions } from "../testing/session.ts";
import { newTerminal } from "../testing/terminal.ts";

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const ESCAPE = "\x1b";
const UP = "\x1b[A";

Deno.test("a line is sent with Enter, stays on the screen, and the prompt comes back", async () => {
  const { type, settled, seen, sent, leave } = start();
  type("hello 你好");
  assertEquals(seen(), ["banner", "", "> hello 你好"]);
  type("\r");
  await settled();
  assertEquals(sent, ["hello 你好"]);
  assertEquals(seen(), ["banner", "", "> hello 你好", "", ">"]);
  assertEquals(await leave(), 0);
});

Deno.test("a paste of several lines is one draft and is sent once", async () => {
  const { type, settled, seen, sent, leave } = start();
  type("\x1b[200~line one\r\tline two\nline three\r\x1b[201~");
  assertEquals(sent, []);
  assertEquals(seen().slice(2, 5), ["> line one", "      line two", "  line three"]);
  type("\r");
  await settled();
  assertEquals(sent, ["line one\n\tline two\nline three"]);
  await leave();
});

Deno.test("blank lines are not sent", async () => {
  const { type, settled, sent, leave } = start();
  type("\r  \r");
  await settled();
  assertEquals(sent, []);
  await leave();
});

Deno.test("the input of the command line is the first one", async () => {
  const { settled, sent, leave } = start({ firstInput: "from the start" });
  await settled();
  assertEquals(sent, ["from the start"]);
  await leave();
});

Deno.test("Ctrl+C ends the turn and not the program, and the next input works", async () => {
  const turn = newLongTurn();
  const said: string[] = [];
  const { type, settled, leave, exited } = start({
    send: (message, signal) => said.push(message) === 1 ? turn.send(message, signal) : Promise.resolve(),
  });
  type("long\r");
  const signal = await turn.started;
  type(CTRL_C);
  assertEquals(signal.aborted, true);
  await settled();
  type("next\r");
  await settled();
  assertEquals(said, ["long", "next"]);
  assertEquals(exited(), false);
  await leave();
});

Deno.test("at an empty prompt Ctrl+C says how to leave, and a second one within a second leaves", async () => {
  const { type, seen, clock, exited, code } = start();
  type(CTRL_C);
  assertEquals(seen().at(-1), "Ctrl+C again leaves, as Ctrl+D and /exit do");
  clock.ms += 1000;
  type(CTRL_C);
  await Promise.resolve();
  assertEquals(exited(), false);
  clock.ms += 999;
  type(CTRL_C);
  assertEquals(await code, 0);
});

Deno.test("Ctrl+C empties a draft first", async () => {
  const { type, seen, leave } = start();
  type(`a draft${CTRL_C}`);
  assertEquals(seen().at(-1), ">");
  await leave();
});

Deno.test("Ctrl+D leaves at an empty prompt, and in the middle of a turn ends the turn too", async () => {
  const turn = newLongTurn();
  const { type, code } = start({ send: turn.send });
  type("long\r");
  const signal = await turn.started;
  type(CTRL_D);
  assertEquals(await code, 0);
  assertEquals(signal.aborted, true);
});

Deno.test("SIGTERM and SIGHUP end the turn and the program with their exit codes, SIGINT is a Ctrl+C", async () => {
  for (const [name, want] of [["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    const turn = newLongTurn();
    const { repl, type, code } = start({ send: turn.send });
    type("long\r");
    const signal = await turn.started;
    repl.onSignal("SIGINT");
    assertEquals(signal.aborted, true);
    repl.onSignal(name);
    assertEquals(await code, want);
  }
});

Deno.test("what is typed while it works waits, is seen, and is sent when the turn has ended", async () => {
  const turn = newLongTurn();
  const said: string[] = [];
  const { type, settled, seen, leave } = start({
    send: (message, signal) => said.push(message) === 1 ? turn.send(message, signal) : Promise.resolve(),
  });
  type("first\r");
  await turn.started;
  type("second\rthird\r");
  assertEquals(seen().slice(-3), ["queued: second (Esc takes it back)", "queued: third (Esc takes it back)", ">"]);
  turn.end();
  await settled();
  assertEquals(said, ["first", "second", "third"]);
  assertEquals(seen().filter((row) => row.startsWith("> ")), ["> first", "> second", "> third"]);
  await leave();
});

Deno.test("Esc takes a waiting input back into the draft, and then ends the turn", async () => {
  const turn = newLongTurn();
  const { type, settled, seen, leave } = start({ send: turn.send });
  type("first\r");
  const signal = await turn.started;
  type("second\r");
  type(ESCAPE, true);
  assertEquals(seen().at(-1), "> second");
  assertEquals(signal.aborted, false);
  type(ESCAPE, true);
  assertEquals(signal.aborted, true);
  await settled();
  await leave();
});

Deno.test("whoever ends a turn gets what waited back into the draft, unsent", async () => {
  const turn = newLongTurn();
  const { type, settled, seen, sent, leave } = start({ send: turn.send });
  type("first\r");
  await turn.started;
  type(`second\rthird\rdraft${CTRL_C}`);
  await settled();
  assertEquals(seen().slice(-3), ["> second", "  third", "  draft"]);
  assertEquals(sent, []);
  await leave();
});

Deno.test("commands run, and none reaches the model", async () => {
  const { type, settled, seen, sent, leave } = start();
  type("/reset\r/nope\r");
  await settled();
  assertEquals(seen().slice(2), [
    "> /reset",
    "(conversation cleared)",
    "",
    "> /nope",
    'Unknown command "/nope": did you mean /mode?',
    "",
    ">",
  ]);
  assertEquals(sent, []);
  await leave();
});

Deno.test("/exit leaves, and nothing that waited behind it runs", async () => {
  const { type, sent, code } = start();
  type("/exit\rhello\r");
  assertEquals(await code, 0);
  assertEquals(sent, []);
});

Deno.test("a turn that fails shows why, and the next input works", async () => {
  const said: string[] = [];
  const { type, settled, seen, leave } = start({
    send: (message) => said.push(message) === 1 ? Promise.reject(new Error("Cannot reach it")) : Promise.resolve(),
  });
  type("one\r");
  await settled();
  assertEquals(seen().slice(2), ["> one", "", "Cannot reach it", "", ">"]);
  type("two\r");
  await settled();
  assertEquals(said, ["one", "two"]);
  await leave();
});

Deno.test("a question takes the keys: answers are read until one is clear", async () => {
  const { ui, type, seen, leave } = start();
  const decision = ui.confirm({ tool: "run_command", subject: "ls", reason: "mode ask" }, never);
  assertEquals(seen().slice(-2), ["[y]es, [s]ession, [n]o, or no and a reason:", ">"]);
  type("maybe\r");
  assertEquals(seen().at(-1), "The answer is y, s, n, or n and a reason");
  type("no, use make\r");
  assertEquals(await decision, { answer: "no", reason: "use make" });
  assertEquals(seen().at(-1), ">");
  await leave();
});

Deno.test("Esc is a no, and Ctrl+C at a question ends the turn", async () => {
  const turn = newLongTurn();
  const { ui, type, settled, leave } = start({ send: turn.send });
  type("go\r");
  const signal = await turn.started;
  const question = { tool: "run_command", subject: "ls", reason: "mode ask" };
  const first = ui.confirm(question, signal);
  type(ESCAPE, true);
  assertEquals(await first, { answer: "no" });
  const second = ui.confirm(question, signal);
  type(CTRL_C);
  assertEquals(signal.aborted, true);
  assertEquals(await second, { answer: "no" });
  await settled();
  await leave();
});

Deno.test("a question does not take the keys of someone who is in the middle of writing", async () => {
  const turn = newLongTurn();
  const { ui, type, seen, clock, settled, leave } = start({ send: turn.send });
  type("go\r");
  const signal = await turn.started;
  type("and then sa");
  const decision = ui.confirm({ tool: "run_command", subject: "ls", reason: "mode ask" }, signal);
  clock.ms += 500;
  type("y");
  assertEquals(seen().at(-1), "> and then say");
  clock.ms += 1000;
  type("y\r");
  assertEquals(await decision, { answer: "once" });
  assertEquals(seen().at(-1), "> and then say");
  turn.end();
  await settled();
  await leave();
});

Deno.test("Tab completes commands and files", async () => {
  const paths = ["src/one.ts", "src/other.ts", "a\x1b[2J.txt"];
  const { type, settled, seen, leave } = start({
    completePath: (start) => Promise.resolve(paths.filter((path) => path.startsWith(start))),
  });
  type("/us\t");
  await settled();
  assertEquals(seen().at(-1), "> /usage");
  type("\x15see @s\t");
  await settled();
  assertEquals(seen().slice(-3), ["> see @src/o", "  src/one.ts", "  src/other.ts"]);
  type("\t\t");
  assertEquals(seen().slice(-3), ["> see @src/other.ts", "  src/one.ts", "▸ src/other.ts"]);
  type(`${CTRL_C}@a\t`);
  await settled();
  assertEquals(seen().at(-1), "> @a⟨U+001B⟩[2J.txt");
  await leave();
});

Deno.test("inputs join the history of this and later sessions", async () => {
  const lines: string[] = [];
  const { type, settled, seen, leave } = start({
    history: { load: () => Promise.resolve(""), append: (line) => Promise.resolve(void lines.push(line)) },
  }, ["earlier"]);
  type("new\r");
  await settled();
  assertEquals(lines, ['"new"\n']);
  type(UP);
  assertEquals(seen().at(-1), "> new");
  type(UP);
  assertEquals(seen().at(-1), "> earlier");
  type("\x12new");
  assertEquals(seen().at(-1), 'search "new": new');
  await leave();
});

Deno.test("Ctrl+Z suspends, or says why it cannot", async () => {
  const { type, seen, leave } = start();
  type("\x1a");
  assertEquals(seen().at(-1), "Cannot suspend: no permission to run programs");
  await leave();
});

const never = new AbortController().signal;

function start(overrides: Partial<LoopOptions> = {}, history: string[] = []) {
  const clock = { ms: 10_000 };
  const { ui, live, questions, seen } = newTerminal({ rows: 60 });
  const options = newLoopOptions(overrides);
  const repl = new Repl(options, {
    screen: live,
    questions,
    view: ui,
    history,
    suspend: () => false,
    now: () => clock.ms,
  });
  let exited = false;
  const code = repl.run().finally(() => {
    exited = true;
    ui.endTurn();
    live.close();
  });
  /** Types bytes; `flush` ends the waiting for the rest of a sequence. */
  const type = (keys: string, flush = false) => {
    const decoder = new KeyDecoder();
    repl.onKeys(decoder.push(new TextEncoder().encode(keys)));
    if (flush) repl.onKeys(decoder.flush());
  };
  return {
    repl,
    ui,
    sent: options.sent,
    clock,
    code,
    seen,
    exited: () => exited,
    type,
    /** Everything that can happen without further input has happened. */
    settled: () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
    leave() {
      type(`${CTRL_C}${CTRL_C}${CTRL_D}`);
      return code;
    },
  };
}
