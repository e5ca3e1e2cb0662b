/**
 * Matches a rule's words against the commands that a text might run.
 *
 * @module
 */

import type { PossibleCommand } from "./shell_commands.ts";
import { programName } from "./shell_programs.ts";

/** `maybe`: a word that only the shell knows stands where it matters. */
export type Match = "no" | "maybe" | "yes";

/** The words of a rule; with `open`, any others may follow. */
export interface CommandPattern {
  readonly words: readonly string[];
  readonly open: boolean;
}

/**
 * Matches for rules that forbid or ask. The program's name alone counts, not its folder; options and their arguments
 * may stand between the words: `git push *` matches `/usr/bin/git -C x push origin`.
 */
export function matchCommand({ words: pattern, open }: CommandPattern, { words, wraps }: PossibleCommand): Match {
  const [program, ...rest] = pattern;
  if (program === undefined) return open ? "yes" : "no";
  const wanted = programName(program);
  // which numbers of the rule's further words may have been found when the next word comes
  let found = new Set<number>();
  for (const [i, word] of words.entries()) {
    if (word === undefined) {
      // it may become a program only where a command may begin, and that is a doubt of its own
      if (found.size > 0) return "maybe";
      continue;
    }
    const skippable = word.startsWith("-") || words[i - 1]?.startsWith("-");
    const next = new Set<number>();
    for (const count of found) {
      if (rest[count] === word) next.add(count + 1);
      if (skippable) next.add(count);
    }
    if ((i === 0 || wraps) && programName(word) === wanted) next.add(0);
    found = next;
    if (found.has(rest.length) && (open || i === words.length - 1)) return "yes";
    if (!open) found.delete(rest.length);
  }
  return "no";
}

/** Matches for rules that allow: the very words, and nothing between them. */
export function matchExactly({ words: pattern, open }: CommandPattern, words: readonly string[]): boolean {
  if (open ? words.length < pattern.length : words.length !== pattern.length) return false;
  return pattern.every((word, i) => word === words[i]);
}
