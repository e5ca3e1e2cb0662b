import { assertEquals } from "@std/assert";
import { Inputs, type LoopOptions } from "../../src/cli/inputs.ts";
import { newLook } from "../testing/look.ts";
import { newLoopOptions } from "../testing/session.ts";

const never = new AbortController().signal;

Deno.test("a message is sent as it was written, but for blanks at its end", async () => {
  const { run, sent, log } = start();
  await run("  two\n lines \n");
  assertEquals(sent, ["  two\n lines"]);
  assertEquals(log, ["start", "end"]);
});

Deno.test("a message that begins with a path is no command", async () => {
  const { run, sent } = start();
  await run("/etc/hosts holds what?");
  assertEquals(sent, ["/etc/hosts holds what?"]);
});

Deno.test("files that a message names are added before it is sent", async () => {
  const { run, sent } = start({ addFiles: (message) => Promise.resolve(`${message}\n<file>`) });
  await run("see @a.txt");
  assertEquals(sent, ["see @a.txt\n<file>"]);
});

Deno.test("a command of the person's own runs as typed, is shown, and goes with the next message, once", async () => {
  const ran: string[] = [];
  const { run, sent, log } = start({
    runShell: (command, { onOutput }) => {
      ran.push(command);
      onOutput("ou");
      return Promise.resolve("out\x1b[2J\n");
    },
  });
  await run("!ls -l | head");
  assertEquals(ran, ["ls -l | head"]);
  assertEquals(log, ["run ls -l | head", "output ou", "print out", "end"]);
  assertEquals(sent, []);
  await run("what is this?");
  await run("and this?");
  assertEquals(sent, ["I ran this command myself:\n\n$ ls -l | head\nout\x1b[2J\n\nwhat is this?", "and this?"]);
});

Deno.test("without permission to run programs a command of the person's own says so", async () => {
  const { run, log } = start();
  await run("!ls");
  assertEquals(log, ["error Cannot run a command of your own: no permission to run programs", "end"]);
});

Deno.test("a command may say something to the model", async () => {
  const { run, sent } = start({
    commands: [{ name: "init", summary: "", run: (args) => ({ message: `Describe ${args}` }) }],
  });
  assertEquals(await run("/init it all"), false);
  assertEquals(sent, ["Describe it all"]);
});

Deno.test("a lone / or ! is no message, and says what is missing", async () => {
  const { run, sent, log } = start();
  await run(" / ");
  await run("!");
  assertEquals(sent, []);
  assertEquals(log, [
    "error A command has a name behind the /: /help lists them",
    "end",
    "error A command of your own stands behind the !, as in !ls",
    "end",
  ]);
});

Deno.test("only /exit leaves", async () => {
  const { run } = start();
  assertEquals(await run("/exit"), true);
  assertEquals(await run("/usage"), false);
  assertEquals(await run("exit"), false);
});

Deno.test("what fails is shown, and what was ended is interrupted and no error", async () => {
  const { run, log } = start({ send: () => Promise.reject(new Error("Cannot reach it")) });
  await run("hello");
  await run("hello", AbortSignal.abort());
  assertEquals(log, ["start", "error Cannot reach it", "end", "start", "print (interrupted)", "end"]);
});

function start(overrides: Partial<LoopOptions> = {}) {
  const log: string[] = [];
  const options = newLoopOptions(overrides);
  const inputs = new Inputs(options, {
    look: () => newLook(),
    print: (text) => log.push(`print ${text}`),
    showError: (message) => log.push(`error ${message}`),
    startTurn: () => log.push("start"),
    startCommand: (command) => {
      log.push(`run ${command}`);
      return (output) => log.push(`output ${output}`);
    },
    endTurn: () => log.push("end"),
  });
  return { run: (input: string, signal = never) => inputs.run(input, signal), sent: options.sent, log };
}
