/**
 * Finds every command that a shell text might run, for rules that forbid or ask: rather one too many than one too few.
 *
 * @module
 */

import { ShellSyntaxError, type Token, type Word } from "./shell_text.ts";
import { MAX_COMMAND_LENGTH, tokenize } from "./shell_tokens.ts";
import { INLINE_CODE, isShell, isWrapper, programName } from "./shell_programs.ts";

/** A command as it might be run. */
export interface PossibleCommand {
  /** The program and its arguments; `undefined` stands for a word that only the shell knows. */
  readonly words: readonly (string | undefined)[];
  /** The first word starts other programs: a command may begin at any of the others. */
  readonly wraps: boolean;
}

/** The commands in a text. */
export interface PossibleCommands {
  readonly commands: readonly PossibleCommand[];
  /** Why there may be others. */
  readonly unclear?: string;
}

/** A separator, a bracket or a newline starts a new command; a redirection takes the next word. */
const REDIRECTION = /^\d*(?:<<<|<<-?|>>|>\||<>|>&|<&|<|>)$/;
const RESERVED = new Set(
  ("! { } [[ case coproc do done elif else esac fi for function if in select then until while").split(" "),
);
const MAX_DEPTH = 10;
const MAX_NESTED_LENGTH = 2 * MAX_COMMAND_LENGTH;

/**
 * Finds the commands of a text: in lists, pipes, substitutions and here-documents, and in what `sh -c`, `eval` and
 * programs that start other programs are given.
 *
 * @throws {ShellSyntaxError} If no shell would run the text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(commandsIn("ls | wc -l").commands.map(({ words }) => words), [["ls"], ["wc", "-l"]]);
 * ```
 */
export function commandsIn(text: string): PossibleCommands {
  const search = new Search();
  search.addText(text, 0);
  return search.result();
}

class Search {
  readonly #commands: PossibleCommand[] = [];
  #unclear: string | undefined;
  #nestedLength = 0; // of the texts within texts that were read, each level anew

  result(): PossibleCommands {
    return { commands: this.#commands, ...(this.#unclear !== undefined && { unclear: this.#unclear }) };
  }

  addText(text: string, depth: number): void {
    const { tokens, unclear } = tokenize(text);
    this.#unclear ??= unclear;
    this.#addTokens(tokens, depth);
  }

  #addTokens(tokens: readonly Token[], depth: number): void {
    let words: Word[] = [];
    const flush = () => {
      this.#addCommand(words, depth);
      words = [];
    };
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.type === "word") {
        for (const inner of token.inner) this.#addTokens(inner, depth);
        if (token.text === "{" || token.text === "}" || (words.length === 0 && isReserved(token))) flush();
        else words.push(token);
      } else if (!REDIRECTION.test(token.text)) {
        flush();
      } else if (isTarget(tokens[i + 1])) {
        for (const inner of (tokens[++i] as Word).inner) this.#addTokens(inner, depth);
      }
    }
    flush();
  }

  #addCommand(words: readonly Word[], depth: number): void {
    const first = words.findIndex((word) => !/^\w+(?:\[[^\]]*\])?\+?=/.test(word.text));
    if (first < 0) return;
    this.#add(words.slice(first).map((word) => word.literal ? word.text : undefined), depth);
  }

  #add(words: PossibleCommand["words"], depth: number): void {
    const [program, ...rest] = words;
    if (program === undefined) return this.#doubt("a program's name is only known to the shell");
    const name = programName(program);
    const wraps = isWrapper(name);
    this.#commands.push({ words, wraps });
    this.#checkCode(name, rest);
    if (isShell(name)) this.#addScript(name, rest, depth);
    else if (wraps) this.#addWrapped(name, rest, depth);
  }

  /** Code in an argument is out of sight. */
  #checkCode(name: string, words: PossibleCommand["words"]): void {
    const patterns = Object.hasOwn(INLINE_CODE, name) ? INLINE_CODE[name]! : [];
    if (patterns.some((pattern) => words.some((word) => word === undefined || pattern.test(word)))) {
      this.#doubt(`${name} may run code that it is given`);
    }
  }

  /** What a shell is told to run: every word could be a script's text. */
  #addScript(name: string, words: PossibleCommand["words"], depth: number): void {
    if (words.every((word) => word?.startsWith("-"))) this.#doubt(`${name} runs what it is given`);
    if (name === "eval" && !words.includes(undefined)) return this.#addWord(name, words.join(" "), depth);
    for (const word of words) this.#addWord(name, word, depth);
  }

  /** What a program that starts others is told to start: it may begin at any word, or be a text of its own. */
  #addWrapped(name: string, words: PossibleCommand["words"], depth: number): void {
    for (const word of words) {
      if (word === undefined || /[\s;&|`$()<>]/.test(word)) this.#addWord(name, word, depth);
      // find puts a file's name there; others what they read
      if (word?.includes("{}") && name !== "find") this.#doubt(`${name} fills in what it runs`);
    }
    const started = new Map<string, number>();
    for (const [i, word] of words.entries()) {
      if (word !== undefined && !/^[-+]|^\w+=/.test(word) && !started.has(word)) started.set(word, i);
    }
    for (const [program, i] of started) {
      const inner = programName(program);
      if (!isShell(inner) && !isWrapper(inner) && !Object.hasOwn(INLINE_CODE, inner)) continue;
      const rest = words.slice(i + 1);
      this.#checkCode(inner, rest);
      const bare = rest.every((later) => later?.startsWith("-"));
      if (bare && (isShell(inner) || isWrapper(inner))) this.#doubt(`${inner} runs what it is given`);
    }
    if (started.size === 0) this.#doubt(`${name} runs what it is given`);
  }

  #addWord(name: string, word: string | undefined, depth: number): void {
    if (word === undefined) return this.#doubt(`what ${name} runs is only known to the shell`);
    this.#nestedLength += word.length;
    if (depth >= MAX_DEPTH || this.#nestedLength > MAX_NESTED_LENGTH) return this.#doubt("it holds too many commands");
    try {
      this.addText(word, depth + 1);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      this.#doubt(`${name} is given what may be a command: ${error.message}`);
    }
  }

  #doubt(reason: string): void {
    this.#unclear ??= reason;
  }
}

function isReserved({ quoted, text }: Word): boolean {
  return !quoted && RESERVED.has(text);
}

function isTarget(token: Token | undefined): token is Word {
  return token?.type === "word";
}
