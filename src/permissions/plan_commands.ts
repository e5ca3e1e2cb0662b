/**
 * The commands that `plan` mode runs: programs that only read, with the flags that keep them so. They run in the
 * sandbox with everything read-only as well; the table is there so that nothing is tried that is meant to change.
 *
 * @module
 */

import { readSequence } from "./shell_words.ts";

/** What a program may be given. */
interface Usage {
  /** Letters of short options, as `getopt` has them: a colon after one that takes a value. `*`: any option at all. */
  readonly short: string;
  /** Names of long options, in any spelling of their value. */
  readonly long?: string;
  /** The most operands; any number without it. */
  readonly operands?: number;
  /** How each operand must look. */
  readonly operand?: RegExp;
}

/** Programs that cannot write or start anything, whatever they are told. */
const HARMLESS =
  ("ls cat head wc grep egrep fgrep cut tr diff cmp comm stat du df pwd echo true false test basename dirname " +
    "realpath readlink whoami id uname which nl tac rev fold od strings cksum md5sum sha1sum sha256sum sha512sum nproc " +
    "arch printf cd expr seq jq").split(" ");

const USAGES: Readonly<Record<string, Usage>> = {
  ...Object.fromEntries(HARMLESS.map((name) => [name, { short: "*" }])),
  tail: { short: "n:c:qvz0123456789", long: "lines bytes quiet silent verbose" },
  sort: {
    short: "bdfghiMnRrVcCk:st:uz",
    long: "reverse numeric-sort unique key field-separator human-numeric-sort ignore-case check stable version-sort",
  },
  uniq: { short: "cdDiuzf:s:w:", long: "count repeated unique ignore-case skip-fields skip-chars", operands: 1 },
  file: { short: "bhiLkNprsv0", long: "brief mime mime-type mime-encoding dereference" },
  date: { short: "ud:Rr:I", long: "date utc iso-8601 rfc-3339 reference", operand: /^\+/ },
  tree: { short: "adfilL:P:I:DFpshugnCtrv", long: "dirsfirst noreport prune gitignore filelimit" },
  xxd: { short: "abc:eEg:il:o:ps:u", operands: 1 },
  hexdump: { short: "bcCdoxe:n:s:v" },
  hostname: { short: "fsdi", operands: 0 },
  rg: {
    short: "A:B:C:ce:E:Ffg:hHiILlm:M:NnoPpqSsT:t:UuvwxF.",
    long: "after-context before-context context count count-matches regexp fixed-strings files files-with-matches " +
      "files-without-match glob iglob hidden ignore-case smart-case case-sensitive line-number no-line-number max-count " +
      "max-depth multiline multiline-dotall no-heading heading no-ignore no-ignore-vcs only-matching pcre2 sort sortr type " +
      "type-not type-list vim-grep word-regexp with-filename no-filename json stats color column trim invert-match passthru",
  },
};

/** Options of `git` before the subcommand. */
const GIT_OPTIONS = new Set(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);

const LOG_OPTIONS =
  "oneline stat numstat shortstat name-only name-status summary patch no-patch graph decorate all branches " +
  "tags remotes format pretty abbrev-commit max-count skip since until after before author committer grep follow merges " +
  "no-merges first-parent reverse date date-order topo-order unified word-diff color no-color diff-filter cached staged " +
  "left-right cherry-pick find-renames find-copies ignore-all-space ignore-space-change ignore-blank-lines no-ext-diff " +
  "no-textconv raw full-index binary minimal patience histogram diff-algorithm check merge-base relative pickaxe-all";
const LOG: Usage = { short: "n:pLG:S:uUwbMCiEFPz0123456789", long: LOG_OPTIONS };

const GIT_USAGES: Readonly<Record<string, Usage>> = {
  status: {
    short: "sbuvz",
    long: "short branch porcelain untracked-files ignored long verbose show-stash ahead-behind",
  },
  log: LOG,
  show: LOG,
  diff: LOG,
  shortlog: { short: "snec", long: LOG_OPTIONS },
  blame: { short: "L:lwMCest", long: "date line-porcelain porcelain show-name show-number since" },
  branch: {
    short: "avr",
    long: "all verbose remotes list show-current merged no-merged contains sort format column color",
    operands: 0,
  },
  tag: { short: "ln0123456789", long: "list sort contains points-at merged format", operands: 0 },
  remote: { short: "v", long: "verbose", operands: 0 },
  stash: { short: "", operands: 0 }, // with "list" as its one word: see below
  "rev-parse": {
    short: "q",
    long: "show-toplevel abbrev-ref short verify git-dir is-inside-work-tree symbolic HEAD show-prefix show-cdup",
  },
  "rev-list": { short: "n:", long: LOG_OPTIONS + " count objects parents" },
  "merge-base": { short: "a", long: "all is-ancestor fork-point octopus independent" },
  "ls-files": {
    short: "cdmoisutzvX:x:",
    long: "cached deleted modified others ignored stage unmerged exclude-standard full-name error-unmatch",
  },
  "ls-tree": { short: "drtlz", long: "name-only name-status full-name full-tree long" },
  "cat-file": { short: "tpse" },
  "for-each-ref": { short: "", long: "count sort format contains merged points-at" },
  describe: { short: "", long: "all tags contains abbrev always dirty long match exact-match first-parent" },
  "name-rev": { short: "", long: "tags name-only always" },
  grep: {
    short: "A:B:C:ce:EFfGhHiILlnopPqvwWz",
    long:
      "ignore-case line-number files-with-matches count fixed-strings extended-regexp perl-regexp word-regexp cached untracked show-function heading break column max-depth and or not",
  },
};

/** Programs that may say which version they are. */
const VERSIONED = new Set(
  "node npm deno bun python python3 pip go cargo rustc java gcc clang make cmake git ruby perl php".split(" "),
);

/** What `find` may be told: conditions and printing. */
const FIND_WORDS = new Set(
  ("-name -iname -path -ipath -wholename -type -xtype -maxdepth -mindepth -size -empty -newer -newermt -mtime -mmin -atime -ctime " +
    "-cmin -amin -perm -user -group -regex -iregex -regextype -links -inum -not -and -or -a -o -prune -print -print0 -ls " +
    "-printf -quit -depth -xdev -mount -follow -true -false -executable -readable -writable -L -H -P -daystart -samefile")
    .split(" "),
);

/**
 * Why a command is not one that plan mode runs; `undefined` if each of its commands only reads.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(planProblem("git log --oneline | head -n 5"), undefined);
 * assertEquals(planProblem("find . -delete"), `find "-delete" is not in the list`);
 * ```
 */
export function planProblem(command: string): string | undefined {
  const list = readSequence(command);
  if (!list.understood) return list.reason;
  for (const words of list.value) {
    const problem = problemOf(words);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf([program = "", ...rest]: readonly string[]): string | undefined {
  if (rest.length === 1 && rest[0] === "--version" && VERSIONED.has(program)) return undefined;
  if (program === "git") return gitProblem(rest);
  if (program === "find") return findProblem(rest);
  if (program === "sed") return sedProblem(rest);
  const usage = Object.hasOwn(USAGES, program) ? USAGES[program] : undefined;
  return usage === undefined ? `"${program}" is not in the list` : usageProblem(program, usage, rest);
}

function gitProblem(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !GIT_OPTIONS.has(word));
  const [name = "", ...rest] = at < 0 ? [] : words.slice(at);
  if (name === "stash" && rest.length === 1 && rest[0] === "list") return undefined;
  const usage = name !== "stash" && Object.hasOwn(GIT_USAGES, name) ? GIT_USAGES[name] : undefined;
  return usage === undefined ? `"git ${name}" is not in the list` : usageProblem(`git ${name}`, usage, rest);
}

function findProblem(words: readonly string[]): string | undefined {
  const odd = words.find((word) => word.startsWith("-") && !FIND_WORDS.has(word) && !/^-\d+$/.test(word));
  return odd === undefined ? undefined : `find "${odd}" is not in the list`;
}

/** Only printing of lines by number: `sed -n 10,20p file`. Its other commands can write and run. */
function sedProblem([quiet, script = "", ...files]: readonly string[]): string | undefined {
  const prints = quiet === "-n" && /^(?:\d+|\$)(?:,(?:\+?\d+|\$))?p$/.test(script);
  return prints && files.every((file) => !file.startsWith("-"))
    ? undefined
    : "sed only prints lines: sed -n 10,20p FILE";
}

function usageProblem(name: string, usage: Usage, words: readonly string[]): string | undefined {
  const { short, long = "", operands: most = Infinity, operand = /^/ } = usage;
  if (short === "*") return undefined;
  const names = new Set(long.split(" "));
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") {
      operands.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const valueFollows = word.startsWith("--") ? knownLong(word, names) : shortOptions(word.slice(1), short);
    if (valueFollows === undefined) return `${name} "${word}" is not in the list`;
    if (valueFollows) i++;
  }
  if (operands.length > most) return `${name} takes at most ${most} operands here`;
  const odd = operands.find((word) => !operand.test(word));
  return odd === undefined ? undefined : `${name} "${odd}" is not in the list`;
}

/** A value in the next word is looked at like any other word: `false`. */
function knownLong(word: string, names: ReadonlySet<string>): false | undefined {
  return names.has(word.slice(2).split("=", 1)[0]!) ? false : undefined;
}

/** Whether the next word is the value of a group of short options; `undefined` if one of them is not in the list. */
function shortOptions(group: string, short: string): boolean | undefined {
  for (const [i, letter] of [...group].entries()) {
    const at = letter === ":" ? -1 : short.indexOf(letter);
    if (at < 0) return undefined;
    if (short[at + 1] === ":") return i === group.length - 1;
  }
  return false;
}
