import { assertEquals, assertStringIncludes } from "@std/assert";
import type { LoopOptions } from "../../src/cli/inputs.ts";
import { LineLoop } from "../../src/cli/line_loop.ts";
import { LineReader } from "../../src/cli/line_reader.ts";
import { PlainUI } from "../../src/cli/plain_ui.ts";
import { Questions } from "../../src/cli/questions.ts";
import { newLook } from "../testing/look.ts";
import { newLongTurn, newLoopOptions } from "../testing/session.ts";

Deno.test("each line is a turn, and the end of the input leaves with 0", async () => {
  const { run, sent, input, written } = start();
  input.enqueue("hello\n\n/reset\r\nlast line");
  input.close();
  assertEquals(await run(), 0);
  assertEquals(sent, ["hello", "last line"]);
  assertEquals(written(), "banner\n> \n> \n> \n(conversation cleared)\n> \n> \n");
});

Deno.test("a line that ends in a backslash goes on in the next", async () => {
  const { run, sent, input } = start();
  input.enqueue("one\\\ntwo\\\nthree\n");
  input.close();
  await run();
  assertEquals(sent, ["one\ntwo\nthree"]);
});

Deno.test("/exit leaves the rest of the input unread", async () => {
  const { run, sent, input } = start({ firstInput: "first" });
  input.enqueue("/exit\nhello\n");
  assertEquals(await run(), 0);
  assertEquals(sent, ["first"]);
});

Deno.test("Ctrl+C ends the turn and not the program", async () => {
  const turn = newLongTurn();
  const { run, loop, input } = start({ send: turn.send });
  input.enqueue("long\n/exit\n");
  const code = run();
  const signal = await turn.started;
  loop.cancel();
  assertEquals(signal.aborted, true);
  assertEquals(await code, 0);
});

Deno.test("at the prompt Ctrl+C says how to leave, and a second one within a second leaves", async () => {
  const { run, loop, clock, written } = start();
  const code = run();
  await Promise.resolve();
  loop.cancel();
  clock.ms += 1000;
  loop.cancel();
  assertEquals(written().match(/Ctrl\+C again leaves/g)?.length, 2);
  clock.ms += 999;
  loop.cancel();
  assertEquals(await code, 0);
});

Deno.test("a signal ends the turn and the loop with its exit code", async () => {
  const turn = newLongTurn();
  const { run, loop, input } = start({ send: turn.send });
  input.enqueue("long\n");
  const code = run();
  await turn.started;
  loop.end(143);
  assertEquals(await code, 143);
});

Deno.test("a question is answered by the next lines, until one is clear", async () => {
  const { run, ui, input, written, setSend } = start({}, true);
  const question = { tool: "run_command", subject: "ls", reason: "mode ask" };
  const decisions: unknown[] = [];
  setSend(async (_message, signal) => {
    decisions.push(await ui.confirm!(question, signal));
    decisions.push(await ui.ask!("Which?", ["red", "blue"], signal));
  });
  input.enqueue("go\nmaybe\ny\n2\n/exit\n");
  assertEquals(await run(), 0);
  assertEquals(decisions, [{ answer: "once" }, "blue"]);
  assertStringIncludes(
    written(),
    "Allow run_command? (mode ask)\n  ls\n[y]es, [s]ession, [n]o, or no and a reason: " +
      "The answer is y, s, n, or n and a reason\n[y]es",
  );
});

Deno.test("a line that comes after its question was ended is the next input", async () => {
  const { run, loop, ui, input, sent, setSend } = start({}, true);
  const asked = Promise.withResolvers<void>();
  let turns = 0;
  setSend(async (message, signal) => {
    sent.push(message);
    if (turns++ > 0) return;
    const decision = ui.confirm!({ tool: "run_command", subject: "ls", reason: "mode ask" }, signal);
    asked.resolve();
    assertEquals(await decision, { answer: "no" });
  });
  input.enqueue("go\n");
  const code = run();
  await asked.promise;
  loop.cancel();
  input.enqueue("next\n/exit\n");
  assertEquals(await code, 0);
  assertEquals(sent, ["go", "next"]);
});

Deno.test("the end of the input is a no to an open question", async () => {
  const { run, ui, input, setSend } = start({}, true);
  let decision: unknown;
  setSend(async (_message, signal) => {
    decision = await ui.confirm!({ tool: "run_command", subject: "ls", reason: "mode ask" }, signal);
  });
  input.enqueue("go\n");
  input.close();
  assertEquals(await run(), 0);
  assertEquals(decision, { answer: "no" });
});

Deno.test("lines are read whole, however they are cut, without their line ends", async () => {
  const bytes = new TextEncoder().encode("你好\r\n\nlast é");
  for (let cut = 0; cut <= bytes.length; cut++) {
    const parts = [bytes.slice(0, cut), bytes.slice(cut)].filter((part) => part.length > 0);
    const lines = new LineReader({
      read(buffer) {
        const part = parts.shift();
        if (part) buffer.set(part);
        return Promise.resolve(part?.length ?? null);
      },
    });
    const read = [await lines.next(), await lines.next(), await lines.next(), await lines.next()];
    assertEquals(read, ["你好", "", "last é", undefined], `cut at ${cut}`);
  }
});

Deno.test("an input that cannot be read is at its end", async () => {
  const lines = new LineReader({ read: () => Promise.reject(new Error("gone")) });
  assertEquals(await lines.next(), undefined);
});

function start(overrides: Partial<LoopOptions> = {}, canAsk = false) {
  const input = newInput();
  let written = "";
  const write = (text: string) => void (written += text);
  const clock = { ms: 10_000 };
  const questions = canAsk ? new Questions(() => void loop.answer()) : undefined;
  const ui = new PlainUI({ write, look: () => newLook(), questions });
  const options = newLoopOptions(overrides);
  const loop = new LineLoop(options, {
    lines: new LineReader(input),
    view: ui,
    write,
    echoes: false,
    questions,
    now: () => clock.ms,
  });
  return {
    loop,
    ui,
    input,
    clock,
    sent: options.sent,
    run: () => loop.run(),
    written: () => written,
    setSend: (send: LoopOptions["send"]) => void (options.send = send),
  };
}

/** Standard input for tests: bytes come when they are enqueued. */
function newInput() {
  const stream = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1000 });
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
  return {
    enqueue: (text: string) => void writer.write(new TextEncoder().encode(text)),
    close: () => void writer.close(),
    async read(buffer: Uint8Array): Promise<number | null> {
      const { value } = await reader.read();
      if (value) buffer.set(value);
      return value?.length ?? null;
    },
  };
}
