import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exists } from "@std/fs/exists";
import { join } from "@std/path/join";
import { fromFileUrl } from "@std/path/from-file-url";
import { MODES, parseCommandLine, SUBCOMMANDS } from "../src/cli/args.ts";
import { BUILTIN_COMMANDS } from "../src/cli/builtin_commands.ts";
import { EXIT } from "../src/cli/exit_codes.ts";
import type { KeptConversation } from "../src/cli/kept_conversation.ts";
import { sessionCommands } from "../src/cli/session_commands.ts";
import { checkSettings } from "../src/cli/settings.ts";
import * as library from "../src/mod.ts";
import { decide, type Policy } from "../src/permissions/rules.ts";
import { isProtected, isSecret, type ResolvedPath } from "../src/permissions/paths.ts";
import { builtinTools } from "../src/tools/builtin.ts";
import { Box } from "./testing/program.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const read = (path: string) => Deno.readTextFile(join(ROOT, path));
const README = await read("README.md");
const PERMISSIONS = await read("docs/permissions.md");
const HOOKS = await read("docs/hooks.md");
const MCP = await read("docs/mcp.md");
const CONTRIBUTING = await read("CONTRIBUTING.md");
const HELP = await read("src/cli/help.txt");
const WORKSPACE = { cwd: "/w", roots: ["/w"] };

/** The text below a heading, up to the next one. */
function section(text: string, heading: string): string {
  const [, found] = text.split(`\n## ${heading}\n`);
  assert(found !== undefined, `There is no heading "${heading}"`);
  return found.split("\n## ")[0]!;
}

/** The cells of the tables in a text, without their heads. */
function tableRows(text: string): string[][] {
  const isHead = (line: string | undefined) => line !== undefined && /^\| -/.test(line);
  const lines = text.split("\n");
  return lines.filter((line, i) => line.startsWith("| ") && !isHead(line) && !isHead(lines[i + 1]))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** What stands in backticks in the first column of a section's tables. */
function named(text: string, heading: string): string[] {
  return tableRows(section(text, heading)).flatMap(([first = ""]) => Array.from(first.matchAll(/`([^`]+)`/g), codeOf));
}

function codeOf([, code = ""]: RegExpMatchArray): string {
  return code;
}

function sorted(words: Iterable<string>): string[] {
  return [...new Set(words)].sort();
}

/** The long options in a text. */
function longOptions(text: string): string[] {
  return sorted(Array.from(text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g), codeOf));
}

/** The options that the command line knows, from its source: the parser itself does not tell them. */
async function knownOptions(): Promise<{ everywhere: string[]; withSubcommand: string[] }> {
  const source = await read("src/cli/args.ts");
  const list = (name: string) => {
    const [, words] = new RegExp(`^const ${name} = \\[([^\\]]*)\\]`, "m").exec(source) ?? [];
    assert(words !== undefined, `There is no list ${name}`);
    return Array.from(words.matchAll(/"([^"]+)"/g), codeOf);
  };
  return {
    everywhere: [...list("VALUES"), ...list("LISTS"), ...list("SWITCHES")],
    withSubcommand: list("SUBCOMMAND_SWITCHES"),
  };
}

Deno.test("the help names every option that is built, and no other", async () => {
  const { everywhere } = await knownOptions();
  assertEquals(longOptions(HELP), sorted(everywhere));
});

Deno.test("the README's options are those of the program", async () => {
  const { everywhere, withSubcommand } = await knownOptions();
  const options = named(README, "Options");
  assertEquals(longOptions(options.join(" ")), sorted(everywhere));
  for (const short of options.filter((option) => /^-\w$/.test(option))) assertMatch(HELP, new RegExp(` ${short}, --`));
  for (const option of withSubcommand) assertStringIncludes(section(README, "Sessions"), `--${option}`);
});

Deno.test("the README's and the permissions' command lines are such that the program takes", () => {
  const lines = [...README.split("\n"), ...PERMISSIONS.split("\n")]
    .map((line) => /^ {4}(?:mini-agent|.*run\.sh|deno run .*mini-agent\.js)( .*)?$/.exec(line)?.[1])
    .filter((rest) => rest !== undefined);
  assert(lines.length >= 15, "Too few lines were found");
  for (const line of lines) {
    const [command = ""] = line.split(/ [#|<] /);
    parseCommandLine(Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word!));
  }
});

Deno.test("the launch lines of the permissions close what they say", () => {
  const lines = PERMISSIONS.split("\n").filter((line) => line.startsWith("    deno run "));
  assertEquals(lines.length, 5);
  for (const line of lines) {
    assertMatch(line, / --no-prompt --no-remote /);
    assert(!/ (?:-A|--allow-all) /.test(line), line);
  }
});

Deno.test("the README's commands are those of a conversation, with their other names", () => {
  const commands = [...BUILTIN_COMMANDS, ...sessionCommands({} as KeptConversation)];
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const words = named(README, "In the terminal").map((code) => code.split(" ")[0]!.replace(/^\//, ""));
  assertEquals(sorted(words), sorted(names));
  for (const text of [README, PERMISSIONS]) {
    for (const [, name = ""] of text.matchAll(/`\/([a-z]+)\b[^`/]*`/g)) {
      assert(names.includes(name) || ["proc", "dev", "tmp", "run"].includes(name), `There is no /${name}`);
    }
  }
});

Deno.test("the README's tools are those that there are", () => {
  assertEquals(named(README, "Tools"), builtinTools().map(({ name }) => name));
});

Deno.test("the README's configuration keys are those that are read, at every depth", async () => {
  const [, checks = ""] = /^const CHECKS[^=]*= \{$([^]*?)^\};$/m.exec(await read("src/cli/settings.ts")) ?? [];
  const unused = ["theme"];
  const keys = Array.from(checks.matchAll(/^ {2}(\w+):/gm), codeOf);
  assertEquals(sorted([...named(README, "Configuration"), ...unused]), sorted(keys));
  for (const key of unused) assertStringIncludes(section(README, "Not there yet"), `\`${key}\``);
  for (const [, key] of checks.matchAll(/(\w+):/g)) assertStringIncludes(README, `\`${key}\``);
});

Deno.test("the README's example of a configuration is one that is taken whole", () => {
  const [, example = ""] = /^( {4}\{$[^]*?^ {4}\}$)/m.exec(section(README, "Configuration")) ?? [];
  assertEquals(checkSettings(JSON.parse(example), "config.json", "user").notices, []);
});

Deno.test("the README's exit codes are all that there are, and the help has those that are no signal's", () => {
  const codes = Object.values(EXIT).map(String);
  const cells = tableRows(section(README, "In scripts")).flatMap(([first = ""]) => first.split(" · "));
  assertEquals(sorted(cells), sorted(codes));
  const [, ends = ""] = /^Exit: (.*)$/m.exec(HELP) ?? [];
  assertEquals(sorted(ends.match(/\d+/g) ?? []), sorted(codes.filter((code) => Number(code) < 128)));
});

Deno.test("what the README calls not there yet ends with a usage error, and the rest of the commands is in the help", async () => {
  await using box = await Box.create();
  const missing = section(README, "Not there yet");
  const unbuilt = SUBCOMMANDS.filter((name) => missing.includes(`\`${name}\``));
  const built = SUBCOMMANDS.filter((name) => !unbuilt.includes(name));
  const [, words = ""] = /^ {2}mini-agent COMMAND +(.*)$/m.exec(HELP) ?? [];
  assertEquals(sorted(words.replaceAll("ID", "").match(/\w+/g) ?? []), sorted(built));
  for (const name of built) assertMatch(README, new RegExp(`\`(?:mini-agent )?${name}\`|mini-agent ${name} `));
  const results = await Promise.all(unbuilt.map((word) => box.run([word])));
  for (const { code, stderr } of results) {
    assertEquals(code, EXIT.usage);
    assertStringIncludes(stderr, "is not built yet");
  }
});

Deno.test("the README's table of modes says what the rules do", () => {
  const rows = tableRows(section(README, "Permissions"));
  assertEquals(rows.map(([mode = ""]) => mode.replace(" (default)", "")), MODES.map((mode) => `\`${mode}\``));
  const file: ResolvedPath = {
    given: "a.ts",
    path: "/w/a.ts",
    place: "inside",
    protected: false,
    secret: false,
    type: "file",
  };
  const command = { kind: "run", command: "npm test", knownPrograms: true } as const;
  for (const [i, mode] of MODES.entries()) {
    const policy: Policy = { mode, rules: [], workspace: WORKSPACE, sandboxed: false };
    const sandboxed = { ...policy, sandboxed: true };
    const [, reads, edits, confined, free, fetches] = rows[i]!;
    assertSays(reads, decide({ kind: "read", path: file }, policy).action);
    assertSays(edits, decide({ kind: "write", path: file }, policy).action);
    if (mode !== "full") assertSays(confined, decide(command, sandboxed).action);
    assertSays(free, decide(command, policy).action);
    assertSays(fetches, decide({ kind: "net", url: new URL("https://docs.example/") }, policy).action);
  }
  const confined = (mode: typeof MODES[number]): Policy => ({ mode, rules: [], workspace: WORKSPACE, sandboxed: true });
  assertEquals(decide({ ...command, command: "git status" }, confined("plan")).action, "allow");
  assertEquals(decide({ ...command, needs: "network" }, confined("edit")).action, "ask");
  assertEquals(decide({ ...command, needs: "outside" }, confined("edit")).action, "ask");
});

const CELLS = { allow: /^yes/, ask: /^asks/, deny: /^not offered|others are refused$/ };

function assertSays(cell: string | undefined, action: keyof typeof CELLS): void {
  assertMatch(cell ?? "", CELLS[action]);
}

/** A pattern, or what the text names as no secret. */
function isExcluded(name: string): boolean {
  return name.includes("*") || name === ".env.example";
}

Deno.test("the permissions' protected and secret names are such", () => {
  const names = (start: string) => {
    const [paragraph = ""] = PERMISSIONS.split(`\n**${start}**`)[1]!.split("\n\n");
    return Array.from(paragraph.matchAll(/`([^`]+)`/g), codeOf).filter((name) => !isExcluded(name));
  };
  assert(names("Protected").length > 10 && names("Secret").length > 8);
  for (const name of names("Protected")) assert(isProtected(`/w/sub/${name}`, WORKSPACE), name);
  for (const name of names("Secret")) assert(isSecret(`/w/sub/${name}`, WORKSPACE), name);
});

Deno.test("what the documents link to and name is there", async () => {
  const { tasks } = JSON.parse(await read("deno.json"));
  for (
    const [folder, text] of [[".", README], [".", CONTRIBUTING], ["docs", PERMISSIONS], ["docs", HOOKS], [
      "docs",
      MCP,
    ]] as const
  ) {
    for (const [, target = "", anchor] of text.matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]*))?\)/g)) {
      assert(await exists(join(ROOT, folder, target)), target);
      if (anchor === undefined) continue;
      const headings = Array.from((await read(join(folder, target))).matchAll(/^#+ (.*)$/gm), codeOf);
      assert(headings.some((heading) => heading.toLowerCase().replaceAll(" ", "-") === anchor), anchor);
    }
    for (const [, path = ""] of text.matchAll(/(?<![\w./])((?:scripts|src|tests)\/[\w/]+\.(?:ts|sh|txt))/g)) {
      assert(path.includes("NAME") || await exists(join(ROOT, path)), path);
    }
    for (const [, task = ""] of text.matchAll(/deno task ([\w:]+)/g)) assert(Object.hasOwn(tasks, task), task);
  }
});

Deno.test("the README's example of the library imports what the library has", () => {
  const [, names = ""] = /import \{ ([^}]*) \} from "\.\/src\/mod\.ts"/.exec(README) ?? [];
  assert(names !== "");
  for (const name of names.split(", ")) assert(Object.hasOwn(library, name), name);
});
