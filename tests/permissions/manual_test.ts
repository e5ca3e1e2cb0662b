import { assert, assertEquals } from "@std/assert";
import { parseRule } from "../../src/permissions/rule_text.ts";

const manual = await Deno.readTextFile(new URL("../../docs/permissions.md", import.meta.url));

Deno.test("every line that the manual prints never prompts, loads no remote code and holds no blanket grant", () => {
  const lines = manual.split("\n").filter((line) => /^ {4}deno /.test(line));
  assertEquals(lines.length, 5);
  for (const line of lines) {
    const flags = line.split(" ").filter((word) => word.startsWith("-"));
    assert(flags.includes("--no-prompt"), line);
    assert(flags.includes("--no-remote") || flags.includes("--cached-only"), line);
    assert(!flags.some((flag) => /^(?:-A|--allow-(?:all|ffi|import|sys))/.test(flag)), line);
  }
});

Deno.test("every rule that the manual shows can be read", () => {
  const rules = manual.matchAll(/`((?:read|write|run|run-net|run-outside|net|mcp)\([^`]*\))`/g);
  const refused = new Set(["run(python *)", "run(sh)", "run(find *)", "run(npm *)"]);
  let count = 0;
  for (const [, rule] of rules) {
    count++;
    parseRule(rule!, refused.has(rule!) ? "deny" : "allow", "the manual");
  }
  assert(count > 15);
});
