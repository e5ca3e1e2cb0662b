import { assertEquals, assertThrows } from "@std/assert";
import { parseCommandLine } from "../../src/cli/args.ts";
import { ConfigError } from "../../src/llm/errors.ts";

Deno.test("parseCommandLine() joins several words to one prompt", () => {
  assertEquals(parseCommandLine(["what", "is", "here?"]).prompt, "what is here?");
  assertEquals(parseCommandLine(["-p", "42"]).prompt, "42");
  assertEquals(parseCommandLine(["-p", "007"]).prompt, "007");
  assertEquals(parseCommandLine(["-p", "true"]).prompt, "true");
  assertEquals(parseCommandLine([]).prompt, undefined);
  assertEquals(parseCommandLine(["-p", "  "]).prompt, undefined);
});

Deno.test("parseCommandLine() takes a list or a rule that a prompt begins with for words, an option with a blank not", () => {
  for (const text of ["- fix this\n- and that", "-- so it is", "---\ntitle: x\n---", "---"]) {
    assertEquals(parseCommandLine(["-p", text]).prompt, text);
  }
  assertEquals(parseCommandLine(["-p", "hi", "--append-system-prompt", "- be brief"]).appendSystemPrompt, "- be brief");
  assertThrows(() => parseCommandLine(["-p", "--mode edit"]), ConfigError, 'Unknown option "--mode edit"');
  assertEquals(parseCommandLine(["-p", "-"]).promptFromStdin, true);
});

Deno.test("parseCommandLine() ends the options at --", () => {
  const { prompt, subcommand, print } = parseCommandLine(["-p", "--", "--help", "-x"]);
  assertEquals([prompt, subcommand, print], ["--help -x", undefined, true]);
  assertEquals(parseCommandLine(["--", "doctor"]).prompt, "doctor");
  assertEquals(parseCommandLine(["--", "true"]).prompt, "true");
});

Deno.test("parseCommandLine() takes the very first word as a subcommand, with its own switches", () => {
  assertEquals(parseCommandLine(["sessions", "export", "abc", "--html"]).subcommand, {
    name: "sessions",
    args: ["export", "abc"],
    html: true,
    json: false,
  });
  assertEquals(parseCommandLine(["permissions", "--mode", "plan"]).mode, "plan");
  assertEquals(parseCommandLine(["-p", "doctor"]).prompt, "doctor");
  assertEquals(parseCommandLine(["ask", "the", "doctor"]).prompt, "ask the doctor");
  assertThrows(() => parseCommandLine(["hello", "--html"]), ConfigError, `Unknown option "--html"`);
});

Deno.test("parseCommandLine() reads values, lists and switches in any place", () => {
  const options = parseCommandLine(
    ["-m", "deepseek/x", "fix", "--mode=edit", "it", "--allow", "run(ls *)", "--allow=read(/a)", "--max-steps", "7"]
      .concat(["--max-cost", "0.5", "--effort", "off", "-C", "/tmp", "--no-save", "-", "--include-partial-messages"]),
  );
  assertEquals(options, {
    help: false,
    version: false,
    print: false,
    prompt: "fix it",
    promptFromStdin: true,
    model: "deepseek/x",
    effort: "off",
    cwd: "/tmp",
    addDirs: [],
    mode: "edit",
    allow: ["run(ls *)", "read(/a)"],
    deny: [],
    continue: false,
    fork: false,
    save: false,
    maxSteps: 7,
    maxCost: 0.5,
    outputFormat: "text",
    includePartialMessages: true,
    trust: false,
  });
});

Deno.test("parseCommandLine() takes help and version for options only as the one and only word", () => {
  assertEquals(parseCommandLine(["help"]).help, true);
  assertEquals(parseCommandLine(["version"]).version, true);
  assertEquals(parseCommandLine(["help", "me"]).prompt, "help me");
  assertEquals(parseCommandLine(["-p", "help"]).prompt, "help");
});

const MISTAKES: [string[], string][] = [
  [["--bogus"], `Unknown option "--bogus": see mini-agent --help`],
  [["--bogus=1"], `Unknown option "--bogus": see mini-agent --help`],
  [["--mdoe=plan"], `Unknown option "--mdoe": did you mean --mode?`],
  [["--nosave"], `Unknown option "--nosave": did you mean --no-save?`],
  [["-z"], `Unknown option "-z": see mini-agent --help`],
  [["--mode"], `Option "--mode" needs a value: write --mode=VALUE`],
  [["--allow"], `Option "--allow" needs a value: write --allow=VALUE`],
  [["-r", "-p"], `Option "--resume" needs a value: write --resume=VALUE`],
  [["--max-steps", "-1"], `Option "--max-steps" needs a value, and "-1" looks like an option: write --max-steps=VALUE`],
  [["-m", "-1"], `Option "--model" needs a value, and "-1" looks like an option: write --model=VALUE`],
  [["--max-cost=-1"], `Option "--max-cost" cannot be "-1": it is an amount in USD above 0, for example 0.50`],
  [["--output-format", "json", "hi"], `--output-format needs -p: a conversation is not printed as json`],
  [["--output-format=stream-json"], `--output-format needs -p: a conversation is not printed as stream-json`],
  [["--mode", "wild"], `Option "--mode" cannot be "wild": it is one of plan, ask, edit, full`],
  [["--output-format", "xml"], `Option "--output-format" cannot be "xml": it is one of text, json, stream-json`],
  [["--effort", "medium"], `Option "--effort" cannot be "medium": it is one of off, low, high, max`],
  [["--max-steps", "0"], `Option "--max-steps" cannot be "0": it is a whole number from 1 on`],
  [["--max-steps", "1e3"], `Option "--max-steps" cannot be "1e3": it is a whole number from 1 on`],
  [["--max-tokens", "many"], `Option "--max-tokens" cannot be "many": it is a whole number from 1 on`],
  [["--max-cost", "0"], `Option "--max-cost" cannot be "0": it is an amount in USD above 0, for example 0.50`],
  [["--max-cost", "1 $"], `Option "--max-cost" cannot be "1 $": it is an amount in USD above 0, for example 0.50`],
];

for (const [args, message] of MISTAKES) {
  Deno.test(`parseCommandLine() refuses ${args.join(" ")}`, () => {
    const error = assertThrows(() => parseCommandLine(args), ConfigError);
    assertEquals(error.message, message);
  });
}
