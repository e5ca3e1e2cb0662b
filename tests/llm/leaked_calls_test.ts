import { assert, assertEquals } from "@std/assert";
import { leakedCalls } from "../../src/llm/leaked_calls.ts";

const dsml = (name: string) =>
  `<｜DSML｜invoke name="${name}">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n`;
const LEAKS: [text: string, before: string, names: string[]][] = [
  [`I look.\n\n<｜DSML｜function_calls>\n${dsml("a")}${dsml("b")}</｜DSML｜function_calls>`, "I look.", ["a", "b"]],
  [
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>a\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "",
    ["a"],
  ],
  [
    '<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>\n<tool_call>\n{"name": "b"}\n</tool_call>\n',
    "",
    ["a", "b"],
  ],
  ["Now:\n<tool_call>\n<function=a>\n<parameter=path>\nx\n</parameter>\n</function>\n</tool_call>", "Now:", ["a"]],
];

for (const [text, before, names] of LEAKS) {
  Deno.test(`leakedCalls() finds ${names} at the end of ${JSON.stringify(text.slice(0, 40))}`, () => {
    assertEquals(leakedCalls(text), { text: before, names });
    assertEquals(leakedCalls(`\`\`\`\n${text.trim()}\n\`\`\``), undefined, "in a code block");
    assertEquals(leakedCalls(`${text} is how it is written`), undefined, "in a sentence");
  });
}

Deno.test("leakedCalls() looks through hostile texts in no time", () => {
  const startedAt = performance.now();
  for (
    const part of ["<tool_call>{", "<｜DSML｜function_calls>", "<｜tool▁calls▁begin｜>", "<tool_call>{</tool_call>"]
  ) {
    leakedCalls(`${part.repeat(90_000 / part.length)}x>`);
  }
  assert(performance.now() - startedAt < 500);
});
