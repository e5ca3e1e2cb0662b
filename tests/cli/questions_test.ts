import { assertEquals } from "@std/assert";
import { Questions } from "../../src/cli/questions.ts";

const never = new AbortController().signal;

Deno.test("questions are asked one at a time and in their order", async () => {
  const { questions, ask, announced } = start();
  const first = ask("first");
  const second = ask("second");
  assertEquals(announced, ["first"]);
  assertEquals(questions.current!.answer("no number"), false);
  assertEquals(questions.current!.answer("1"), true);
  assertEquals(announced, ["first", "second"]);
  questions.current!.answer("2");
  assertEquals([await first, await second], [1, 2]);
  assertEquals(questions.current, undefined);
});

Deno.test("an aborted signal ends its question without an answer, also while it waits", async () => {
  const { questions, ask, announced } = start();
  const controllers = [new AbortController(), new AbortController(), new AbortController()];
  const answers = controllers.map(({ signal }, i) => ask(`${i}`, signal));
  controllers[1]!.abort();
  assertEquals(await answers[1], undefined);
  assertEquals(announced, ["0"]);
  controllers[0]!.abort();
  assertEquals(await answers[0], undefined);
  assertEquals(announced, ["0", "2"]);
  questions.current!.cancel();
  assertEquals(await answers[2], undefined);
  assertEquals(await ask("late", AbortSignal.abort()), undefined);
  assertEquals(announced, ["0", "2"]);
});

Deno.test("whoever draws is told whenever another question is the current one", () => {
  let changes = 0;
  const questions = new Questions(() => changes++);
  const asked = { label: "?", hint: "", announce: () => {}, parse: (text: string) => text };
  void questions.ask(asked, never);
  void questions.ask(asked, never);
  assertEquals(changes, 1);
  questions.current!.answer("x");
  questions.current!.answer("x");
  assertEquals(changes, 3);
});

function start() {
  const announced: string[] = [];
  const questions = new Questions(() => {});
  const ask = (label: string, signal = never) =>
    questions.ask({
      hint: "",
      label,
      announce: () => announced.push(label),
      parse: (text) => Number.isNaN(Number(text)) ? undefined : Number(text),
    }, signal);
  return { questions, ask, announced };
}
