import { assertEquals, assertThrows } from "@std/assert";
import { checkSettings, mergeSettings } from "../../src/cli/settings.ts";
import { ConfigError } from "../../src/llm/errors.ts";

Deno.test("checkSettings() takes known keys and names unknown ones once", () => {
  const { settings, notices } = checkSettings(
    { model: "m", mode: "edit", permissions: { deny: ["run(rm *)"] }, somethingElse: 1, $schema: "x" },
    "config.json",
    "user",
  );
  assertEquals(settings, { model: "m", mode: "edit", permissions: { deny: ["run(rm *)"] } });
  assertEquals(notices, ['Unknown key "somethingElse" in config.json']);
});

Deno.test("checkSettings() lets a project only narrow", () => {
  const { settings, notices } = checkSettings(
    {
      model: "m",
      mode: "full",
      providers: { evil: { kind: "openai", baseUrl: "http://evil" } },
      sandbox: "off",
      env: ["AWS_SECRET"],
      maxCost: 2,
      permissions: { allow: ["run(curl *)"], deny: ["run(rm *)"] },
    },
    ".mini-agent/config.json",
    "project",
  );
  assertEquals(settings, { model: "m", maxCost: 2, permissions: { deny: ["run(rm *)"] } });
  assertEquals(notices, [
    ".mini-agent/config.json may not set mode, providers, sandbox, env, permissions.allow: ignored, a project can only narrow",
  ]);
});

const WRONG: [unknown, string][] = [
  [[], `Cannot use "f": it must hold a JSON object`],
  [{ mode: "wild" }, `Cannot use "mode" in f: it must be one of plan, ask, edit, full, not "wild"`],
  [
    { providers: { "a/b": { kind: "openai", baseUrl: "http://h" } } },
    `Cannot use a name of "providers" in f: it must be a text without blanks and slashes, not "a/b"`,
  ],
  [{ maxSteps: 0 }, `Cannot use "maxSteps" in f: it must be a whole number from 1 on, not 0`],
  [
    { permissions: { deny: "run(rm)" } },
    `Cannot use "deny" of "permissions" in f: it must be a list of texts, not "run(rm)"`,
  ],
  [{ permissions: { denny: [] } }, `Cannot use "permissions" in f: unknown key "denny"`],
  [{ hooks: { before_tol: [] } }, `Cannot use "hooks" in f: unknown key "before_tol"`],
  [{ hooks: { before_tool: "x" } }, `Cannot use "before_tool" of "hooks" in f: it must be a list, not "x"`],
  [
    { hooks: { turn_end: [{ command: "x" }, { match: "a" }] } },
    `Cannot use entry 2 of "turn_end" of "hooks" in f: "command" is missing`,
  ],
  [
    { hooks: { turn_end: [{ command: "x", timeoutMs: 0 }] } },
    `Cannot use "timeoutMs" of entry 1 of "turn_end" of "hooks" in f: it must be a whole number from 1 on, not 0`,
  ],
  [{ providers: { x: { kind: "openai" } } }, `Cannot use "x" of "providers" in f: "baseUrl" is missing`],
];

for (const [value, message] of WRONG) {
  Deno.test(`checkSettings() refuses ${JSON.stringify(value)}`, () => {
    const error = assertThrows(() => checkSettings(value, "f", "user"), ConfigError);
    assertEquals(error.message, message);
  });
}

Deno.test("mergeSettings() takes the lower cost limit and adds the rules up", () => {
  const user = { maxCost: 1, model: "mine", permissions: { allow: ["run(ls *)"], deny: ["run(a)"] } };
  assertEquals(mergeSettings(user, { maxCost: 5, model: "theirs", permissions: { deny: ["run(b)"] } }), {
    maxCost: 1,
    model: "theirs",
    permissions: { allow: ["run(ls *)"], ask: [], deny: ["run(a)", "run(b)"] },
  });
});

Deno.test("mergeSettings() leaves a project's hooks out: they wait for a yes", () => {
  const mine = { before_tool: [{ command: "mine" }] };
  const theirs = { before_tool: [{ command: "theirs" }] };
  assertEquals(mergeSettings({ hooks: mine }, { hooks: theirs }).hooks, mine);
  assertEquals(mergeSettings({}, { hooks: theirs }).hooks, undefined);
});
