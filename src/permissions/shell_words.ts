/**
 * Understands the plainest shell text for certain: literal words, nothing expanded, nothing redirected. Whatever else
 * a shell can do is "not understood", and an allow rule never covers it.
 *
 * @module
 */

import { ShellSyntaxError, type Token } from "./shell_text.ts";
import { tokenize } from "./shell_tokens.ts";

/** What a text says, or why that is not certain. */
export type Understood<T> = { understood: true; value: T } | { understood: false; reason: string };

const SEQUENCES = new Set([";", "&&", "||", "|"]);

/** With one of these as its first word a text is more than a command. */
const RESERVED = new Set(
  ("! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while").split(" "),
);

/**
 * Reads one simple command of literal words. Only `2>&1` and `>/dev/null` may stand beside them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readCommand("git log 'my file'"), { understood: true, value: ["git", "log", "my file"] });
 * assertEquals(readCommand("git log; id").understood, false);
 * ```
 */
export function readCommand(text: string): Understood<string[]> {
  const list = readSequence(text);
  if (!list.understood) return list;
  const [words, ...more] = list.value;
  if (words === undefined || more.length > 0) return { understood: false, reason: "it is more than one command" };
  return { understood: true, value: words };
}

/** Reads simple commands of literal words, joined by nothing but `;`, `&&`, `||` and `|`. */
export function readSequence(text: string): Understood<string[][]> {
  const unclear = (reason: string) => ({ understood: false, reason }) as const;
  if (/[^\P{Z} ]|(?![\t])\p{C}/u.test(text)) {
    return unclear("it holds a line break, or a character that cannot be seen");
  }
  let tokens: readonly Token[];
  try {
    const list = tokenize(text);
    if (list.unclear !== undefined) return unclear(list.unclear);
    tokens = list.tokens;
  } catch (error) {
    if (error instanceof ShellSyntaxError) return unclear(error.message);
    throw error;
  }
  const commands: string[][] = [[]];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const words = commands.at(-1)!;
    if (token.type === "word") {
      if (!token.literal) return unclear(`the shell would expand "${token.text}"`);
      if (words.length === 0 && RESERVED.has(token.text)) {
        return unclear(`"${token.text}" is a word of the shell's own`);
      }
      if (words.length === 0 && /^[^=]*\w\+?=/.test(token.text)) return unclear("it sets a variable");
      words.push(token.text);
    } else if (SEQUENCES.has(token.text) && words.length > 0) {
      commands.push([]);
    } else if (words.length > 0 && isHarmlessRedirection(token, tokens[i + 1])) {
      i++;
    } else {
      return unclear(`it holds "${token.text}"`);
    }
  }
  if (commands.at(-1)!.length === 0) return unclear("a command is missing");
  return { understood: true, value: commands };
}

function isHarmlessRedirection({ text }: Token, target: Token | undefined): boolean {
  if (target?.type !== "word") return false;
  return text === "2>&" ? target.text === "1" : /^[12]?>$/.test(text) && target.text === "/dev/null";
}
