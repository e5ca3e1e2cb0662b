/**
 * Generated folder trees with ignore files, to compare what two programs make of them.
 *
 * @module
 */

import { join } from "@std/path/join";
import type { Random } from "./random.ts";

const NAMES = ["a", "b", "ab", "abc", "a.b", "x.log", "y.log", "build", "é", "[a]", "a b", ".c", "#a", "!b", "ä.b"];
const PARTS = [
  "a",
  "b",
  "ab",
  "*",
  "?",
  "a*",
  "*b",
  "*.log",
  "**",
  "[ab]",
  "[!a]",
  "[^b-z]",
  "a?",
  "*.b",
  "build",
  "é",
];
/** What git understands and others do not, or not in the same way. */
const ODD_PARTS = [
  "??",
  "a**b",
  "***",
  "[[:alpha:]]",
  "[]a]",
  "[a",
  "\\a",
  "\\*",
  "a\\",
  "[a/b]",
  "[a-",
  "\\[a\\]",
  "#a",
];
const TEXTS = [
  "needle one\n",
  "Needle\r\nother\r\n\r\n",
  "nothing here\n",
  "a needle and\na needle\n\n",
  "",
  "nee\ndle",
  "é needle ü\n",
  "foo_bar1 x\tfoo-bar\n😀 needle2\n",
];

/** What a tree is like. */
export interface TreeOptions {
  /** Levels of folders below the first. */
  readonly depth: number;
  /** Whether ignore files hold patterns that only git reads as git does. */
  readonly isOdd: boolean;
}

/** Fills a folder with folders, files, links and `.gitignore` files. */
export async function generateTree(folder: string, random: Random, { depth, isOdd }: TreeOptions): Promise<void> {
  await Deno.writeTextFile(join(folder, ".gitignore"), ignoreFile(random, isOdd));
  for (const name of NAMES) {
    const path = join(folder, name);
    const choice = random.below(10);
    if (choice < 2 && depth > 0) {
      await Deno.mkdir(path);
      await generateTree(path, random, { depth: depth - 1, isOdd });
    } else if (choice < 6) {
      await Deno.writeTextFile(path, random.pick(TEXTS));
    } else if (choice === 6) {
      await Deno.symlink(random.pick(["..", "a", "nowhere"]), path);
    }
  }
}

function ignoreFile(random: Random, isOdd: boolean): string {
  const lines = Array.from({ length: random.below(5) }, () => ignoreLine(random, isOdd));
  return lines.join(random.pick(["\n", "\n", "\r\n"])) + random.pick(["", "\n"]);
}

function ignoreLine(random: Random, isOdd: boolean): string {
  const part = () => random.pick(isOdd && random.below(6) === 0 ? ODD_PARTS : PARTS);
  const path = Array.from({ length: 1 + random.below(3) }, part).join("/");
  const start = random.pick(["", "", "", "/", "!", "!/", "**/", ...isOdd ? ["\\"] : []]);
  const end = random.pick(["", "", "", "/", "/**", "/*", " ", "  ", ...isOdd ? ["\\ "] : []]);
  return start + path + end;
}
