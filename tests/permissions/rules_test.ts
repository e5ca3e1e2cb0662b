import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Mode } from "../../src/permissions/grants.ts";
import { privateUrlAllowed } from "../../src/permissions/net_rules.ts";
import { hiddenGlobs } from "../../src/permissions/hidden_globs.ts";
import type { ResolvedPath } from "../../src/permissions/paths.ts";
import { parseRule, parseRules, type RuleAction, RuleError } from "../../src/permissions/rule_text.ts";
import { type Call, decide, type Policy } from "../../src/permissions/rules.ts";

const workspace = { cwd: "/w", roots: ["/w"], home: "/home/u", readable: ["/data/kept"] };

/** A policy with rules written as `deny run(rm *)`. */
function policy(mode: Mode, rules: string[] = [], sandboxed = true): Policy {
  const parsed = rules.map((rule) => {
    const [action = "", ...text] = rule.split(" ");
    return parseRule(text.join(" "), action as RuleAction, "a test");
  });
  return { mode, rules: parsed, workspace, sandboxed };
}

function path(given: string, changes: Partial<ResolvedPath> = {}): ResolvedPath {
  const canonical = given.startsWith("/") ? given : `/w/${given}`;
  const place = canonical.startsWith("/w/") ? "inside" : "outside";
  return { given, path: canonical, place, protected: false, secret: false, type: "file", ...changes };
}

const read = (...args: Parameters<typeof path>): Call => ({ kind: "read", path: path(...args) });
const write = (...args: Parameters<typeof path>): Call => ({ kind: "write", path: path(...args) });
const run = (command: string, more: { needs?: "network" | "outside"; knownPrograms?: boolean } = {}): Call => ({
  kind: "run",
  command,
  knownPrograms: true,
  ...more,
});
const net = (url: string, addresses?: string[]): Call => ({
  kind: "net",
  url: new URL(url),
  ...(addresses && { addresses }),
});
const mcp = (name: string, readOnly = false): Call => ({ kind: "mcp", server: "files", name, readOnly });

function actions(call: Call, rules: string[] = [], sandboxed = true): string {
  const modes = ["plan", "ask", "edit", "full"] as const;
  return modes.map((mode) => decide(call, policy(mode, rules, sandboxed)).action).join(" ");
}

Deno.test("decide() without rules says what the mode says: plan, ask, edit, full", () => {
  assertEquals(actions({ kind: "none" }), "allow allow allow allow");
  assertEquals(actions(read("a")), "allow allow allow allow");
  assertEquals(actions(read("/etc/passwd")), "ask ask ask allow");
  assertEquals(actions(read("/data/kept/1.txt")), "allow allow allow allow");
  assertEquals(actions(read(".env", { secret: true })), "ask ask ask allow");
  assertEquals(actions(write("a")), "deny ask allow allow");
  assertEquals(actions(write("/out/a")), "deny ask ask allow");
  assertEquals(actions(write(".git/config", { protected: true })), "deny ask ask allow");
  assertEquals(actions(write("a", { links: 2 })), "deny ask ask allow");
  assertEquals(actions(write(".env", { secret: true })), "deny ask ask allow");
  assertEquals(actions(write(".env", { secret: true, type: "absent" })), "deny ask allow allow");
  assertEquals(actions(write("a", { type: "other" })), "deny deny deny deny");
  assertEquals(actions(run("npm test")), "deny ask allow allow");
  assertEquals(actions(run("npm test"), [], false), "deny ask ask allow");
  assertEquals(actions(run("npm ci", { needs: "network" })), "deny ask ask allow");
  assertEquals(actions(run("npm ci", { needs: "outside" })), "deny ask ask allow");
  assertEquals(actions(run("git log -n 5")), "allow ask allow allow");
  assertEquals(actions(run("git log -n 5"), [], false), "deny ask ask allow");
  assertEquals(actions(net("https://docs.example/x")), "ask ask ask allow");
  assertEquals(actions(mcp("write")), "deny ask ask allow");
  assertEquals(actions(mcp("list", true)), "ask ask ask allow");
});

Deno.test("decide() gives a reason that a person understands", () => {
  const reason = (call: Call, mode: Mode = "edit", rules: string[] = []) => decide(call, policy(mode, rules)).reason;
  assertEquals(reason(write("a", { links: 3 })), "the file has 3 names: the others would keep the old content");
  assertEquals(reason(run("rm x"), "full", ["deny run(rm *)"]), "the deny rule run(rm *)");
  assertStringIncludes(reason(run("echo 'a")), "a quote is not closed");
  assertStringIncludes(reason(run("$x"), "full", ["deny run(rm *)"]), "may fall under the deny rule run(rm *)");
  assertStringIncludes(reason(run("rm x"), "plan"), `"rm" is not in the list`);
  assertStringIncludes(reason(net("http://127.0.0.1:8080/")), "net(127.0.0.1:8080)");
});

Deno.test("deny wins over ask, ask over allow, allow over the mode, in any order", () => {
  const rules = ["allow run(npm test)", "ask run(npm test)", "deny run(npm test)"];
  for (const list of [rules, rules.toReversed()]) {
    assertEquals(actions(run("npm test"), list), "deny deny deny deny");
    const others = list.filter((rule) => !rule.startsWith("deny"));
    assertEquals(actions(run("npm test"), others), "deny ask ask ask");
  }
  assertEquals(actions(run("npm test"), ["allow run(npm test)"], false), "deny allow allow allow");
  assertEquals(actions(write("a"), ["allow write(./**)"]), "deny allow allow allow");
  assertEquals(actions(net("https://docs.example/x"), ["allow net(docs.example)"]), "allow allow allow allow");
  assertEquals(actions(mcp("write"), ["allow mcp(files/*)"]), "deny allow allow allow");
  assertEquals(actions(mcp("list", true), ["deny mcp(files/list)"]), "deny deny deny deny");
});

Deno.test("a rule about a server's tool means it by the server's own name; one that forbids, however it is written", () => {
  assertEquals(actions(mcp("a/b c"), ["allow mcp(files/a/b c)"]), "deny allow allow allow");
  assertEquals(actions(mcp("a/b c"), ["allow mcp(files/a_b_c)"]), "deny ask ask allow");
  assertEquals(actions(mcp("a/b c"), ["deny mcp(files/A_b_c)"]), "deny deny deny deny");
  assertEquals(actions(mcp("list", true), ["ask mcp(FILES/list)"]), "ask ask ask ask");
  assertEquals(actions(mcp("list", true), ["allow mcp(files/*)"]), "allow allow allow allow");
  assertEquals(actions(mcp("list"), ["allow mcp(file/*)", "deny mcp(files/lists)"]), "deny ask ask allow");
});

const LISTED = ["allow run(git status)", "allow run(ls *)", "allow run(echo *)", "deny run(rm *)", "deny run(curl *)"];

Deno.test("allow rules for commands cover one plain command and nothing more", () => {
  const ask = policy("ask", LISTED);
  for (
    const text of [
      "git status",
      "ls",
      "ls -la src",
      "echo 'a; rm b'",
      "git status 2>&1",
      'echo "$(:)"'.replace("$(:)", "x"),
    ]
  ) {
    assertEquals([text, decide(run(text), ask).action], [text, "allow"]);
  }
  const texts = [
    ...[
      "git status; id",
      "git status && id",
      "git status || id",
      "git status | id",
      "git status & id",
      "git status\nid",
    ],
    ...[
      "git status\rid",
      "echo $(id)",
      "echo `id`",
      "cat <(id)",
      "echo a > ~/.bashrc",
      "echo a >> f",
      "echo a >| f",
      "cat <> f",
    ],
    ...[
      "cat <<E\n$(id)\nE",
      "git statusfoo",
      "git -c core.fsmonitor=x status",
      "git -C OUT status",
      "GIT_SSH_COMMAND=x git status",
    ],
    ...["./git status", "/tmp/git status", "git status -s", "lsof", "ls\u00a0x", "echo ~", "ls *"],
  ];
  for (const text of texts) assertEquals([text, decide(run(text), ask).action], [text, "ask"]);
  assertEquals(decide(run("git status", { knownPrograms: false }), ask).action, "ask");
  assertEquals(decide(run("ls", { needs: "network" }), ask).action, "ask");
  assertEquals(decide(run("ls", { needs: "outside" }), policy("edit", ["allow run-net(ls)"])).action, "ask");
  assertEquals(decide(run("ls", { needs: "network" }), policy("edit", ["allow run-net(ls)"])).action, "allow");
  assertEquals(decide(run("ls", { needs: "outside" }), policy("edit", ["allow run-outside(ls)"])).action, "allow");
});

Deno.test("deny rules for commands hold anywhere in the text, in every mode", () => {
  const texts = ["git status; rm -rf x", "ls && rm x", "ls || rm x", "ls | rm x", "ls & rm x", "ls\nrm x", "ls\rrm x"];
  for (const text of [...texts, "(ls; rm x)", "{ ls; rm x; }", "echo $(rm x)", "sudo curl x", "/bin/rm x"]) {
    assertEquals([text, actions(run(text), LISTED)], [text, "deny deny deny deny"]);
  }
  for (const text of ["$x", "r? x", "bash", "echo rm x | sh", 'eval "$x"', "alias ls=rm\nls x"]) {
    assertEquals([text, actions(run(text), LISTED)], [text, "deny ask ask ask"]);
  }
  assertEquals(actions(run("npm ci", { needs: "network" }), ["deny run-net(npm *)"]), "deny deny deny deny");
  assertEquals(actions(run("npm ci"), ["deny run-net(npm *)"]), "deny ask allow allow");
  assertEquals(actions(run("anything"), ["deny run(*)"]), "deny deny deny deny");
});

Deno.test("a command that cannot be read is denied with a reason, in every mode", () => {
  for (const text of ["echo 'a", "a\0b", "a\ud800", "x".repeat(1 << 20)]) {
    assertEquals(actions(run(text)), "deny deny deny deny");
  }
});

Deno.test("path rules match by segments, deny and ask either spelling, allow only both", () => {
  const edit = (rules: string[]) => (call: Call) => decide(call, policy("edit", rules)).action;
  const denySecrets = edit(["deny read(./secrets)", "deny write(./src/**/gen)", "deny read(~/x/*.key)"]);
  for (const given of ["secrets", "secrets/a/b", "SECRETS/a", "./x/../secrets/a"]) {
    assertEquals([given, denySecrets(read(given, { path: `/w/${given}` }))], [given, "deny"]);
  }
  assertEquals(denySecrets(read("link/a", { path: "/w/secrets/a" })), "deny");
  assertEquals(denySecrets(read("secrets/a", { path: "/w/elsewhere/a" })), "deny");
  assertEquals(denySecrets(read("secrets2/a")), "allow");
  assertEquals(denySecrets(write("src/gen/a.ts")), "deny");
  assertEquals(denySecrets(write("src/a/b/gen")), "deny");
  assertEquals(denySecrets(write("src/generic")), "allow");
  assertEquals(denySecrets(read("~/x/a.key", { path: "/home/u/x/a.key", place: "outside" })), "deny");
  assertEquals(denySecrets(read("~/x/b/a.key", { path: "/home/u/x/b/a.key", place: "outside" })), "ask");
  const allow = edit(["allow read(/etc/*.conf)"]);
  assertEquals(allow(read("/etc/a.conf")), "allow");
  assertEquals(allow(read("/etc/a.conf", { path: "/etc/shadow" })), "ask");
  assertEquals(allow(read("/tmp/l", { path: "/etc/a.conf" })), "ask");
  assertEquals(allow(read("/etc/x/a.conf")), "ask");
  assertEquals(allow(read("/ETC/a.conf")), "ask");
  assertEquals(edit(["deny write(./caf\u00e9/**)"])(write("cafe\u0301/x")), "deny");
});

Deno.test("a wide allow rule does not open what is protected, secret or has several names; one that names it does", () => {
  const ask = (rule: string) => (call: Call) => decide(call, policy("ask", [rule])).action;
  const hook = write(".git/hooks/x", { protected: true });
  const workflow = write(".github/workflows/ci.yml", { protected: true });
  assertEquals(ask("allow write(./**)")(write("a/b")), "allow");
  assertEquals(ask("allow write(./**)")(hook), "ask");
  assertEquals(ask("allow write(/**)")(hook), "ask");
  assertEquals(ask("allow write(./.git/hooks/x)")(hook), "allow");
  assertEquals(ask("allow write(./.github/workflows/*.yml)")(workflow), "allow");
  assertEquals(ask("allow write(./**)")(write("a", { links: 2 })), "ask");
  assertEquals(ask("allow write(./a)")(write("a", { links: 2 })), "allow");
  const env = read(".env.local", { secret: true });
  assertEquals(ask("allow read(./**)")(env), "ask");
  assertEquals(ask("allow read(./.env*)")(env), "allow");
  assertEquals(ask("allow read(/**)")(read("/home/u/.ssh/id_rsa", { secret: true })), "ask");
});

Deno.test("hiddenGlobs() names what rules forbid to read or ask about", () => {
  const { rules } = policy("edit", [
    "deny read(./a)",
    "ask read(./b/**)",
    "allow read(/c)",
    "deny write(./d)",
    "deny run(x)",
  ]);
  assertEquals(hiddenGlobs(rules), ["./a", "./b/**"]);
});

Deno.test("what may not be read may not be changed either, unless it does not exist", () => {
  const judge = (rules: string[], changes: Partial<ResolvedPath> = {}) =>
    decide(write("private/a", changes), policy("edit", rules)).action;
  assertEquals(judge(["deny read(./private)"]), "deny");
  assertEquals(judge(["ask read(./private)"]), "ask");
  assertEquals(judge(["deny read(./private)"], { type: "absent" }), "allow");
  assertEquals(judge(["allow read(./private/**)", "ask write(./private)"]), "ask");
});

Deno.test("a deny rule below ~ still matches where the home folder is not known", () => {
  const { home: _, ...homeless } = workspace;
  const rules = [parseRule("read(~/x/**)", "deny", "a test"), parseRule("read(~/y/**)", "allow", "a test")];
  const judge = (call: Call) => decide(call, { ...policy("edit"), rules, workspace: homeless }).action;
  assertEquals(judge(read("/home/u/x/a")), "deny");
  assertEquals(judge(read("/home/u/y/a")), "ask");
});

Deno.test("net rules name hosts and ports", () => {
  const ask = (rules: string[]) => (url: string) => decide(net(url), policy("ask", rules)).action;
  const allow = ask(["allow net(docs.example)", "allow net(*.cdn.example)", "allow net(api.example:8443)"]);
  const allowed = [
    "https://docs.example/a",
    "http://DOCS.example",
    "https://a.cdn.example",
    "https://api.example:8443/",
  ];
  for (const url of allowed) assertEquals([url, allow(url)], [url, "allow"]);
  const asked = ["https://docs.example:8443/", "https://cdn.example", "https://xdocs.example", "https://api.example/"];
  for (const url of asked) assertEquals([url, allow(url)], [url, "ask"]);
  const deny = ask(["deny net(bad.example)", "deny net(*.bad.example)"]);
  for (const url of ["https://bad.example/", "https://bad.example:99/", "http://x.bad.example/"]) {
    assertEquals(deny(url), "deny");
  }
  assertEquals(actions(net("https://x.example"), ["deny net(*)"]), "deny deny deny deny");
  assertEquals(actions(net("https://x.example"), ["ask net(x.example)"]), "ask ask ask ask");
});

Deno.test("private and odd addresses are refused before anybody is asked", () => {
  const refused = [
    ...[
      "http://169.254.169.254/",
      "http://localhost/",
      "http://2130706433/",
      "http://[::ffff:127.0.0.1]/",
      "http://10.0.0.1/",
    ],
    ...["http://intranet/", "http://localhost./", "http://127.1:8080/"],
  ];
  for (const url of refused) assertEquals([url, actions(net(url)).startsWith("deny deny deny")], [url, true]);
  for (
    const url of ["file:///etc/passwd", "data:,x", "ftp://x.example/", "http://u:p@x.example/", "http://x.example./"]
  ) {
    assertEquals([url, actions(net(url), ["allow net(x.example)"])], [url, "deny deny deny deny"]);
  }
  assertEquals(actions(net("http://name.example/", ["8.8.8.8", "127.0.0.1"])), "deny deny deny allow");
  assertEquals(actions(net("http://name.example/", ["8.8.8.8"])), "ask ask ask allow");
});

Deno.test("a net rule that forbids or asks holds for every spelling of its address, one that allows for its own", () => {
  const judge = (rule: string, url: string, addresses?: string[]) =>
    decide(net(url, addresses), policy("full", [rule])).action;
  const same = ["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]:99/", "http://localhost/", "http://a.localhost/"];
  for (const url of [...same, "http://127.1/"]) {
    assertEquals([url, judge("deny net(127.0.0.1)", url)], [url, "deny"]);
    assertEquals([url, judge("ask net(127.0.0.1)", url)], [url, "ask"]);
  }
  assertEquals(judge("deny net([::1])", "http://localhost/"), "deny");
  assertEquals(judge("deny net(localhost)", "http://127.0.0.1/"), "deny");
  assertEquals(judge("deny net([::ffff:1.2.3.4])", "http://1.2.3.4/"), "deny");
  assertEquals(judge("deny net(1.2.3.4)", "http://name.example/", ["8.8.8.8", "1.2.3.4"]), "deny");
  assertEquals(judge("deny net([2001:db8::1])", "http://name.example/", ["2001:0db8:0::1"]), "deny");
  assertEquals(judge("deny net(127.0.0.1:80)", "http://localhost:81/"), "allow");
  assertEquals(judge("deny net(127.0.0.2)", "http://localhost/"), "allow");
  const allowed = policy("edit", ["allow net(1.2.3.4)"]);
  assertEquals(decide(net("http://name.example/", ["1.2.3.4"]), allowed).action, "ask");
});

Deno.test("a private address is fetched only under an allow rule that names host and port", () => {
  const url = "http://127.0.0.1:8080/x";
  assertEquals(actions(net(url), ["allow net(127.0.0.1:8080)"]), "allow allow allow allow");
  assertEquals(actions(net(url), ["allow net(127.0.0.1)"]), "deny deny deny allow");
  assertEquals(actions(net("http://a.localhost:80/"), ["allow net(*.localhost:80)"]), "deny deny deny allow");
  assertEquals(actions(net("http://localhost:80/"), ["allow net(*.localhost:80)"]), "deny deny deny allow");
  assertEquals(actions(net(url), ["allow net(127.0.0.1:8080)", "deny net(127.0.0.1)"]), "deny deny deny deny");
  assert(!privateUrlAllowed(new URL(url), policy("edit")));
  assert(privateUrlAllowed(new URL(url), policy("full")));
});

Deno.test("parseRule() refuses what does not mean something for certain, and names its place", () => {
  const bad: [rule: string, reason: string][] = [
    ...["", "run", "run(", "run()", "run( )", "run git", "(x)", "RUN(ls)", "bash(ls)"].map((rule) =>
      [rule, ""] as [string, string]
    ),
    ["run(ls; rm x)", `it holds ";"`],
    ["run(ls > x)", `it holds ">"`],
    ["run(echo $x)", "not literal"],
    ["run(ls *x)", "not literal"],
    ["run(ls * x)", "not literal"],
    ["run(echo 'a)", "a quote is not closed"],
    ["read(src/**)", "begins with"],
    ["read(../x)", "begins with"],
    ["write(./a/../b)", `".."`],
    ["write(./{a,b})", "stand for other characters"],
    ["read(./[ab])", "stand for other characters"],
    ["net(http://x.example/)", "host"],
    ["net(x.example/a)", "host"],
    ["net(a*.example)", "host"],
    ["net(x.example:99999)", "port"],
    ["mcp(files)", "server/tool"],
    ["ls", "for example run(npm test)"],
    ["mcp(*/x)", "whole tool name"],
    ["run(l\u200bs)", "cannot be seen"],
  ];
  for (const [rule, reason] of bad) {
    const { message } = assertThrows(() => parseRule(rule, "deny", "config.json, permissions.deny[3]"), RuleError);
    assertStringIncludes(
      message,
      `Cannot read the deny rule ${JSON.stringify(rule)} in config.json, permissions.deny[3]: `,
    );
    assertStringIncludes(message, reason);
  }
  assertThrows(
    () => parseRules({ allow: ["run(ls)", "run(python *)"] }, "config.json"),
    RuleError,
    "permissions.allow[1]",
  );
});

Deno.test("parseRule() refuses to allow an interpreter or wrapper as a whole", () => {
  const bare = [
    ...[
      "python",
      "python3.12",
      "node",
      "sh",
      "env",
      "xargs",
      "find",
      "sudo",
      "ssh",
      "git",
      "npm",
      "docker",
      "make",
      "bash",
    ],
    ...["/usr/bin/python3", "perl", "deno", "awk", "tar", "timeout", "eval"],
  ];
  for (const name of bare) {
    assertThrows(() => parseRule(`run(${name})`, "allow", "--allow"), RuleError);
    assertThrows(() => parseRule(`run(${name} *)`, "allow", "--allow"), RuleError);
    parseRule(`run(${name} *)`, "deny", "--deny");
  }
  for (
    const rule of [
      "run(*)",
      "run(find . *)",
      "run(env A=b *)",
      "run(git -C x *)",
      "run(node -e *)",
      "run(sudo apt *)",
      "net(*)",
    ]
  ) {
    assertThrows(() => parseRule(rule, "allow", "--allow"), RuleError);
  }
  for (
    const rule of [
      "run(npm test)",
      "run(git status *)",
      "run(python -m pytest *)",
      "run(timeout 10 npm test)",
      "run(ls *)",
    ]
  ) {
    parseRule(rule, "allow", "--allow");
  }
});
