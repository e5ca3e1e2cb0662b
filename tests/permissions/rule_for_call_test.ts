import { assertEquals } from "@std/assert";
import { parseRule } from "../../src/permissions/rule_text.ts";
import { ruleForCall } from "../../src/permissions/rule_for_call.ts";
import { type Call, decide, type Policy } from "../../src/permissions/rules.ts";

const policy: Policy = {
  mode: "ask",
  rules: [],
  workspace: { cwd: "/w", roots: ["/w"], home: "/home/u" },
  sandboxed: false,
};
const run = (command: string): Call => ({ kind: "run", command, knownPrograms: true });
const write = (path: string): Call => ({
  kind: "write",
  path: {
    given: path,
    path,
    place: path.startsWith("/w/") ? "inside" : "outside",
    protected: false,
    secret: false,
    type: "file",
  },
});

Deno.test("ruleForCall() writes the exact words, which cover that call and no other", () => {
  const rule = ruleForCall(run("npm test"), policy)!;
  assertEquals(rule, "run(npm test)");
  const remembered = { ...policy, rules: [parseRule(rule, "allow", "a test")] };
  assertEquals(decide(run("npm test"), remembered).action, "allow");
  for (const command of ["npm run deploy", "npm test -- --x", "npm test; id", "npm test *", "npm  tests"]) {
    assertEquals([command, decide(run(command), remembered).action], [command, "ask"]);
  }
});

Deno.test("ruleForCall() quotes what has a meaning in a rule", () => {
  for (const command of ["git commit -m 'a b'", "grep '*' 'it'\\''s'", "echo '' ')'", "echo '*'", 'echo "a (b)"']) {
    const rule = ruleForCall(run(command), policy)!;
    const remembered = { ...policy, rules: [parseRule(rule, "allow", "a test")] };
    assertEquals([command, decide(run(command), remembered).action], [command, "allow"]);
    assertEquals(decide(run(`${command} x`), remembered).action, "ask");
  }
});

Deno.test("ruleForCall() writes paths, hosts and tools", () => {
  assertEquals(ruleForCall(write("/w/src/a b.ts"), policy), "write(/w/src/a b.ts)");
  assertEquals(ruleForCall(write("/etc/hosts"), policy), "write(/etc/hosts)");
  assertEquals(ruleForCall({ kind: "net", url: new URL("https://docs.example/a") }, policy), "net(docs.example:443)");
  assertEquals(ruleForCall({ kind: "net", url: new URL("http://[::1]:8080/a") }, policy), "net([::1]:8080)");
  assertEquals(ruleForCall({ kind: "mcp", server: "a", name: "b", readOnly: false }, policy), "mcp(a/b)");
  assertEquals(ruleForCall({ kind: "mcp", server: "a", name: "b/c d", readOnly: false }, policy), "mcp(a/b/c d)");
  for (const name of ["*", "b*", "b ", "b\u202e", "b\nc"]) {
    assertEquals(ruleForCall({ kind: "mcp", server: "a", name, readOnly: false }, policy), undefined);
  }
});

Deno.test("ruleForCall() offers nothing where no rule would be enough or exact", () => {
  for (const command of ["npm test; id", "echo $x", "sh", "python3", "npm test > f", "echo 'a"]) {
    assertEquals([command, ruleForCall(run(command), policy)], [command, undefined]);
  }
  assertEquals(ruleForCall({ kind: "run", command: "make x", knownPrograms: false }, policy), undefined);
  for (const path of ["/w/a*", "/w/[id].ts", "/w/a?"]) assertEquals(ruleForCall(write(path), policy), undefined);
  const asking = { ...policy, rules: [parseRule("write(./a)", "ask", "a test")] };
  assertEquals(ruleForCall(write("/w/a"), asking), undefined);
  assertEquals(ruleForCall({ kind: "none" }, policy), undefined);
});
