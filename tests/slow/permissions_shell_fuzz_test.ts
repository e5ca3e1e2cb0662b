import { assert, assertEquals } from "@std/assert";
import { matchCommand } from "../../src/permissions/command_match.ts";
import { commandsIn } from "../../src/permissions/shell_commands.ts";
import { ShellSyntaxError } from "../../src/permissions/shell_text.ts";
import { readCommand } from "../../src/permissions/shell_words.ts";

/** Shells that are there; each reads some texts in its own way. */
const SHELLS = await Promise.all(
  ["sh", "dash", "bash", "busybox"].map(async (name) => {
    const command = name === "busybox" ? [name, "sh"] : [name];
    try {
      const { success } = await new Deno.Command(command[0]!, { args: [...command.slice(1), "-c", "true"] }).output();
      return success ? [command] : [];
    } catch {
      return [];
    }
  }),
).then((found) => found.flat());

const PIECES = [
  ...[
    "mark",
    "mark ",
    "\nmark\n",
    "mark x",
    ";mark;",
    "'",
    '"',
    "\\",
    "`",
    "$(",
    ")",
    "(",
    "{",
    "}",
    "$((",
    "))",
    "((",
    "\n",
    "\n",
  ],
  ...[
    " ",
    " ",
    ";",
    "&",
    "|",
    "&&",
    "#",
    " #",
    "\\\n",
    "\\'",
    '\\"',
    "\\`",
    "\r",
    "\t",
    "!",
    "*",
    "~",
    "=",
    "a",
    "E",
    "$",
    "$'",
    '$"',
  ],
  ...[
    "<<E\n",
    "\nE\n",
    "E\n",
    "<<'E'\n",
    '<<"E"\n',
    "<<-E\n",
    "\tE\n",
    "<<F;cat <<E\n",
    "F\n",
    "<<",
    "<<<",
    "<(",
    ">(",
    ">f ",
    "2>",
    "&>",
  ],
  ...[
    "case x in x)",
    "case a in (a)",
    ";;",
    " esac",
    "if ",
    " then ",
    " fi",
    "while ",
    " do ",
    " done",
    "for i in a;",
    "f() ",
    "f",
  ],
  ...[
    "[[ ",
    " ]]",
    "[ ",
    "]",
    "a[1",
    "]=3",
    "$[",
    "${x:-",
    "${x#",
    "${#",
    "$#",
    "$x",
    '"$x"',
    "x=mark ",
    "x='mark' ",
    "${",
    "m",
    "ark",
  ],
  ...[
    "echo ",
    "cat ",
    "eval ",
    "sh -c ",
    "env ",
    "nice ",
    "time ",
    "exec ",
    "trap ",
    "let ",
    "command ",
    "{a,",
    "printf %s ",
  ],
];

/** The same numbers every time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

function* texts(seed: number, count: number): Generator<string> {
  const random = numbers(seed);
  const next = (below: number) => random.next().value! % below;
  for (let i = 0; i < count; i++) {
    yield Array.from({ length: 3 + next(14) }, () => PIECES[next(PIECES.length)]).join("");
  }
}

/** A folder with programs that write down that they ran, and a function that runs a text in a shell. */
async function withPrograms(
  run: (ran: (shell: string[], text: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const base = await Deno.makeTempDir();
  const log = `${base}/log`;
  await Deno.mkdir(`${base}/bin`);
  await Deno.mkdir(`${base}/cwd`);
  await Deno.writeTextFile(`${base}/bin/mark`, `#!/bin/sh\nprintf 'ran\\0' >> '${log}'\n`, { mode: 0o755 });
  await Deno.writeTextFile(`${base}/bin/words`, `#!/bin/sh\nprintf '%s\\0' "$@" >> '${log}'\n`, { mode: 0o755 });
  try {
    await run(async ([shell, ...args], text) => {
      await Deno.writeTextFile(log, "");
      await new Deno.Command("timeout", {
        args: ["-s", "KILL", "5", shell!, ...args, "-c", text],
        cwd: `${base}/cwd`,
        clearEnv: true,
        env: { PATH: `${base}/bin:/usr/bin:/bin` },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).output();
      return await Deno.readTextFile(log);
    });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

/** What a rule against `mark` makes of a text. */
function noticed(text: string): boolean {
  try {
    const { commands, unclear } = commandsIn(text);
    return unclear !== undefined ||
      commands.some((command) => matchCommand({ words: ["mark"], open: true }, command) !== "no");
  } catch (error) {
    assert(error instanceof ShellSyntaxError);
    return true;
  }
}

const COUNT = 6000;
const SEED = 5;

Deno.test("no shell runs a command that a deny rule has not noticed, in random texts", () =>
  withPrograms(async (ran) => {
    let tried = 0;
    for (const text of texts(SEED, COUNT)) {
      if (!text.includes("m") || noticed(text)) continue;
      tried++;
      for (const shell of SHELLS) assertEquals([shell, text, await ran(shell, text)], [shell, text, ""]);
    }
    assert(tried > COUNT / 50, `only ${tried} texts were left to try`);
  }));

Deno.test("every shell reads the words that readCommand() reads, in random texts", () =>
  withPrograms(async (ran) => {
    let tried = 0;
    for (const text of texts(SEED + 1, COUNT)) {
      const command = `words ${text}`;
      const read = readCommand(command);
      if (!read.understood) continue;
      tried++;
      const words = read.value.slice(1).map((word) => `${word}\0`).join("") || "\0"; // printf prints once at least
      for (const shell of SHELLS) assertEquals([shell, text, await ran(shell, command)], [shell, text, words]);
    }
    assert(tried > COUNT / 500, `only ${tried} texts were left to try`);
  }));
