import { assertEquals } from "@std/assert";
import { StuckDetector } from "../../src/agent/stuck.ts";

/** How often each of these steps, one call of `read_file` each, has come in a row. */
function repeats(steps: readonly { input: unknown; result?: string }[]): number[] {
  const detector = new StuckDetector();
  return steps.map(({ input, result = "same" }, i) => {
    const id = `call_${i}`;
    return detector.add(
      [{ type: "tool_use", id, name: "read_file", input }],
      [{ type: "tool_result", toolUseId: id, content: result, isError: false }],
    );
  });
}

Deno.test("StuckDetector takes a call for the same whatever the order of its arguments", () => {
  const [one, other] = [{ input: { path: "a", limit: 1 } }, { input: { limit: 1, path: "a" } }];
  assertEquals(repeats([one, other, one, other, one]), [1, 2, 3, 4, 5]);
});

Deno.test("StuckDetector counts rounds of several calls, and begins anew with another result", () => {
  const [a, b] = [{ input: { path: "a" } }, { input: { path: "b" } }];
  assertEquals(repeats([a, b, a, b, a, b]), [1, 1, 1, 2, 2, 3]);
  assertEquals(repeats([a, a, { ...a, result: "other" }, a]), [1, 2, 1, 1]);
});
