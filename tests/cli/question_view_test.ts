import { assertEquals } from "@std/assert";
import { answersTo, askRows, choiceHint, parseAnswer, parseChoice, questionRows } from "../../src/cli/question_view.ts";
import { newLook } from "../testing/look.ts";

Deno.test("a question shows the whole command, invisible characters named", () => {
  const command = "rm -rf \u202ebuild\u200b\n" + "x".repeat(30) + "\r\x1b[2J\u00a0end";
  const rows = questionRows({ tool: "run_command", subject: command, reason: "mode ask" }, newLook({ columns: 32 }));
  assertEquals(rows, [
    "Allow run_command? (mode ask)",
    "  rm -rf ⟨U+202E⟩build⟨U+200B⟩",
    "  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "  ⟨U+000D⟩⟨U+001B⟩[2J⟨U+00A0⟩end",
  ]);
});

Deno.test("a question about a change shows the change", () => {
  const display = { type: "diff", path: "a.txt", before: "old\n", after: "new\n" } as const;
  assertEquals(questionRows({ tool: "edit_file", subject: "a.txt", reason: "mode ask", display }, newLook()), [
    "Allow edit_file? (mode ask)",
    "  a.txt",
    "  - old",
    "  + new",
  ]);
});

Deno.test("a long command is asked about whole", () => {
  const subject = "echo 你好; ".repeat(5000);
  const rows = questionRows({ tool: "run_command", subject, reason: "mode ask" }, newLook());
  assertEquals(rows.slice(1).map((row) => row.slice(2)).join(""), subject);
});

const question = { tool: "run_command", subject: "npm test", reason: "mode ask" };
const parse = (text: string) => parseAnswer(text, { ...question, rule: "run(npm test)" });

Deno.test("always is on offer where a rule can be written, and the rule is shown", () => {
  const rule = "run(npm\u200b test)";
  assertEquals(questionRows({ ...question, rule }, newLook()).at(-1), "  always adds the rule run(npm⟨U+200B⟩ test)");
  assertEquals(answersTo({ ...question, rule }), {
    label: "[y]es, [s]ession, [a]lways, [n]o, or no and a reason: ",
    hint: "The answer is y, s, a, n, or n and a reason",
  });
  assertEquals(answersTo(question), {
    label: "[y]es, [s]ession, [n]o, or no and a reason: ",
    hint: "The answer is y, s, n, or n and a reason",
  });
  assertEquals(parseAnswer("a", question), undefined);
});

Deno.test("an answer is a word on offer, in any case, or a no with its reason", () => {
  assertEquals(parse("y"), { answer: "once" });
  assertEquals(parse(" YES "), { answer: "once" });
  assertEquals(parse("s"), { answer: "session" });
  assertEquals(parse("session"), { answer: "session" });
  assertEquals(parse("a"), { answer: "always" });
  assertEquals(parse("Always"), { answer: "always" });
  assertEquals(parse("n"), { answer: "no" });
  assertEquals(parse("no, use make"), { answer: "no", reason: "use make" });
  assertEquals(parse("n: two\nlines"), { answer: "no", reason: "two\nlines" });
});

Deno.test("what is not clearly a yes is no answer", () => {
  for (const text of ["", " ", "ye", "yes but not now", "always ask me", "say no", "1", "ok"]) {
    assertEquals(parse(text), undefined, text);
  }
});

Deno.test("a question of the model takes the number of an option or the person's own words", () => {
  assertEquals(askRows("Which\none?", ["red", "blue"], newLook()), ["Which", "one?", "  1. red", "  2. blue"]);
  assertEquals(choiceHint(["red", "blue"]), "The answer is a number from 1 to 2, or your own words");
  assertEquals(parseChoice("2", ["red", "blue"]), "blue");
  assertEquals(parseChoice("3", ["red", "blue"]), undefined);
  assertEquals(parseChoice("green", ["red", "blue"]), "green");
  assertEquals(parseChoice("42", []), "42");
  assertEquals(parseChoice("  ", []), undefined);
});
