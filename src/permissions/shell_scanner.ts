/**
 * Walks through the text of a shell command once and takes it apart.
 *
 * @module
 */

import { ShellSyntaxError, type Token } from "./shell_text.ts";
import { ShellWordBuilder } from "./shell_word_builder.ts";

/** More than any person reads in a question; keeps hostile texts quick. A document within the command is one word. */
const MAX_TOKENS = 10_000;
const MAX_DEPTH = 30;
const BREAKS = " \t\n\r;&|()<>";
const PLAIN = /[\w./,:@%+=-]+/y; // means itself to every shell
const OPERATORS = [
  ...["<<<", "<<-", ";;&", "&&", "||", "|&", ";;", ";&", "<<", ">>", ">|", "<>", ">&", "<&"],
  ...[";", "&", "|", "(", ")", "<", ">", "\n", "\r"],
];

/** What holds for a text and all that is nested in it. */
export interface Reading {
  /** Why the reading may be wrong: the first reason. */
  unclear?: string;
  /** How many were found. */
  tokens: number;
}

interface Heredoc {
  end: string;
  indented: boolean;
  expands: boolean;
}

/** Reads one list of commands; what is nested in it has a scanner of its own. */
export class ShellScanner {
  readonly tokens: Token[] = [];
  readonly #text: string;
  readonly #reading: Reading;
  readonly #depth: number;
  #at: number;
  #heredocs: Heredoc[] = [];
  #descriptor = ""; // the number before a redirection
  #unsearched: number; // where the part of the line begins that was not searched for arithmetic

  constructor(text: string, at: number, { reading, depth }: { reading: Reading; depth: number }) {
    if (depth > MAX_DEPTH) throw new ShellSyntaxError("its substitutions are nested too deeply");
    this.#text = text;
    this.#reading = reading;
    this.#depth = depth;
    this.#at = at;
    this.#unsearched = Math.max(0, at - 2); // with the bracket that opened a substitution
  }

  /** Reads to the end, or to the bracket that closes a substitution; that is then the current character. */
  readList(nested: boolean): void {
    let open = 0;
    for (;;) {
      if (++this.#reading.tokens > MAX_TOKENS) throw new ShellSyntaxError(`it has more than ${MAX_TOKENS} words`);
      this.#skipBlanks();
      if (this.#at >= this.#text.length) {
        if (nested) throw new ShellSyntaxError('a substitution is not closed with ")"');
        return;
      }
      const operator = BREAKS.includes(this.#text[this.#at]!)
        ? OPERATORS.find((candidate) => this.#text.startsWith(candidate, this.#at))
        : undefined;
      if (operator === undefined) {
        this.#readWord();
        continue;
      }
      if (operator === ")" && open === 0) {
        if (nested) return;
        this.#reading.unclear ??= 'a ")" has no "("'; // a branch of a case, perhaps
      }
      if (operator === "(") open++;
      if (operator === ")") open = Math.max(0, open - 1);
      this.#at += operator.length;
      this.tokens.push({ type: "operator", text: this.#descriptor + operator });
      this.#descriptor = "";
      if (operator === "<<" || operator === "<<-") this.#openHeredoc(operator === "<<-");
      if (operator === "\n") {
        this.#readHeredocs();
        this.#unsearched = this.#at;
      }
    }
  }

  #skipBlanks(): void {
    const { length } = this.#text;
    for (; this.#at < length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === "\\" && this.#text[this.#at + 1] === "\n") {
        const before = this.#text[this.#at - 1];
        if (before !== undefined && "<>&|;(".includes(before)) {
          this.#reading.unclear ??= "a line break may part an operator";
        }
        this.#at++;
      } else if (char === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? length : end;
        return;
      } else if (char !== " " && char !== "\t") return;
    }
  }

  #readWord(): void {
    const word = new ShellWordBuilder();
    for (; this.#at < this.#text.length; this.#at++) {
      PLAIN.lastIndex = this.#at;
      const plain = PLAIN.exec(this.#text)?.[0];
      if (plain !== undefined) {
        word.text += plain;
        this.#at += plain.length;
      }
      const char = this.#text[this.#at];
      if (char === undefined || BREAKS.includes(char)) break;
      if (char === "\\") this.#readEscape(word);
      else if (char === "'") word.quote(this.#readUntil("'"));
      else if (char === '"') this.#readDoubleQuotes(word);
      else if (char === "$" || char === "`") this.#readExpansion(word);
      else word.addPlain(char);
    }
    const redirects = this.#text[this.#at] === "<" || this.#text[this.#at] === ">";
    if (redirects && !word.quoted && /^\d+$/.test(word.text)) this.#descriptor = word.text;
    else this.tokens.push(word.finish());
  }

  #readEscape(word: ShellWordBuilder): void {
    const next = this.#text[++this.#at];
    if (next === undefined) throw new ShellSyntaxError("it ends in a backslash");
    if (next !== "\n") word.quote(next);
  }

  /** The text up to that quote, which is then the current character. */
  #readUntil(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at + 1);
    if (end < 0) throw new ShellSyntaxError(`a quote is not closed with ${quote}`);
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end;
    return inner;
  }

  #readDoubleQuotes(word: ShellWordBuilder): void {
    word.quote("");
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '"') return;
      if (char === "$" || char === "`") this.#readExpansion(word);
      else if (char === "\\") {
        const next = this.#text[++this.#at];
        if (next === undefined) break;
        if (next !== "\n") word.quote('$`"\\'.includes(next) ? next : `\\${next}`);
      } else word.quote(char);
    }
    throw new ShellSyntaxError('a quote is not closed with "');
  }

  /** Reads what begins with `$` or a backquote; its last character is then the current one. */
  #readExpansion(word: ShellWordBuilder): void {
    const start = this.#at;
    if (this.#text[start] === "`") {
      word.addInner(this.#readBackquotes());
    } else {
      switch (this.#text[start + 1]) {
        case "(": {
          const inner = this.#nested(this.#text, start + 2);
          inner.readList(true);
          this.#at = inner.#at;
          word.addInner(inner.tokens);
          break;
        }
        case "{":
          this.#readBraces(word);
          break;
        case "'":
        case '"':
        case "[":
        case "\\":
          this.#reading.unclear ??= `shells read "$${this.#text[start + 1]}" differently`;
          break;
      }
    }
    word.addExpansion(this.#text.slice(start, this.#at + 1));
  }

  #nested(text: string, at: number): ShellScanner {
    return new ShellScanner(text, at, { reading: this.#reading, depth: this.#depth + 1 });
  }

  #readBackquotes(): readonly Token[] {
    let inner = "";
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === "`") {
        const scanner = this.#nested(inner, 0);
        scanner.readList(false);
        return scanner.tokens;
      }
      const next = this.#text[this.#at + 1] ?? "";
      if (char === "\\" && '$`\\"'.includes(next) && next !== "") this.#at++;
      inner += this.#text[this.#at];
    }
    throw new ShellSyntaxError("a substitution is not closed with a backquote");
  }

  /** `${…}`: only the commands inside matter. */
  #readBraces(word: ShellWordBuilder): void {
    const scrap = new ShellWordBuilder(); // what is quoted inside is part of no word
    for (this.#at += 2; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === "}") {
        for (const tokens of scrap.inner) word.addInner(tokens);
        return;
      }
      if (char === "\\") this.#readEscape(scrap);
      else if (char === "'") {
        // inside double quotes some shells take this quote as it stands, others as a quote
        this.#reading.unclear ??= "shells read quotes in ${…} differently";
        this.#readUntil("'");
      } else if (char === '"') this.#readDoubleQuotes(scrap);
      else if (char === "$" || char === "`") this.#readNested(scrap);
    }
    throw new ShellSyntaxError('an expansion is not closed with "}"');
  }

  #readNested(word: ShellWordBuilder): void {
    const deeper = this.#nested(this.#text, this.#at);
    deeper.#readExpansion(word);
    this.#at = deeper.#at;
  }

  #openHeredoc(indented: boolean): void {
    const line = this.#text.slice(this.#unsearched, this.#at);
    this.#unsearched = this.#at;
    if (/\[|\(\(/.test(line)) this.#reading.unclear ??= '"<<" may be arithmetic'; // then what follows is no document
    this.#skipBlanks();
    const before = this.tokens.length;
    this.#readWord();
    const end = this.tokens[before];
    if (end?.type !== "word" || (end.text === "" && !end.quoted)) {
      throw new ShellSyntaxError("a here-document has no end word");
    }
    if (!end.literal) this.#reading.unclear ??= "the end of a here-document is uncertain";
    this.#heredocs.push({ end: end.text, indented, expands: !end.quoted });
  }

  /** At the start of the line after the ones that opened documents. */
  #readHeredocs(): void {
    for (const { end, indented, expands } of this.#heredocs.splice(0)) {
      const body: string[] = [];
      while (this.#at < this.#text.length) {
        const newline = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, newline < 0 ? undefined : newline);
        this.#at = newline < 0 ? this.#text.length : newline + 1;
        if ((indented ? line.replace(/^\t+/, "") : line) === end) break;
        body.push(line);
      }
      if (!expands) continue;
      if (body.some((line) => line.endsWith("\\"))) this.#reading.unclear ??= "the end of a here-document is uncertain";
      this.#readBody(body.join("\n"));
    }
  }

  /** The commands that a here-document runs while it is expanded. */
  #readBody(body: string): void {
    const scanner = this.#nested(body, 0);
    const word = new ShellWordBuilder();
    for (; scanner.#at < body.length; scanner.#at++) {
      const char = body[scanner.#at];
      if (char === "\\") scanner.#at++;
      else if (char === "$" || char === "`") scanner.#readExpansion(word);
    }
    if (word.inner.length > 0) {
      this.tokens.push({ type: "operator", text: "\n" }, word.finish(), { type: "operator", text: "\n" });
    }
  }
}
