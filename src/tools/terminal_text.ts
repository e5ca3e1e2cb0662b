/**
 * What a terminal would have left of a command's output: no control sequences, progress lines in their last state.
 *
 * @module
 */

/** How many lines up a sequence may still reach. */
const MAX_ROWS = 100;
/** A row ends here as at a terminal's right edge: what is beyond it cannot be overwritten any more. */
const MAX_COLUMNS = 1000;
/** Text of a full-screen program that is held back, because it vanishes when the program leaves the screen. */
const MAX_ALTERNATE_CHARS = 200_000;
/** More than the longest sequence that is understood: a longer one is not waited for. */
const MAX_HELD_CHARS = 80;

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
// deno-lint-ignore no-control-regex
const RUN = /[^\x00-\x08\x0a-\x1f\x7f-\x9f]+/y;
// deno-lint-ignore no-control-regex
const CSI = /(?:\x1b\[|\x9b)([0-?]{0,64})[ -/]{0,8}([@-~])?/y;
/** The start of OSC, DCS, SOS, PM and APC: a payload of any length follows. */
// deno-lint-ignore no-control-regex
const STRING_START = /\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]/y;
/** BEL, ST, a cancel or a line break (so that a sequence without end cannot swallow the rest). */
// deno-lint-ignore no-control-regex
const STRING_END = /[\x07\x1b\x9c\x18\x1a\n]/g;
// deno-lint-ignore no-control-regex
const OTHER_ESCAPE = /\x1b[ -/]{0,8}[0-~]?/y;
// deno-lint-ignore no-control-regex
const UNFINISHED = /(?:\x1b[ -/]{0,8}|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8})$/;

/**
 * Reads output piece by piece, in linear time. Columns are UTF-16 units and rows have no width: enough for progress
 * lines, not a terminal.
 */
export class TerminalText {
  /** Rows that may still change; the last is unfinished. */
  #rows = [""];
  #row = 0;
  #column = 0;
  #settled: string[] = [];
  /** What a full-screen program has written since it took the screen. */
  #alternate: string[] | undefined;
  #alternateChars = 0;
  #inString = false;
  #unfinished = "";
  /** Blanks that may still be filled in before the cursor: no more than was read, or a few bytes could make megabytes. */
  #blanks = 0;

  /** Takes the next piece and returns the text that no later piece can change. */
  write(piece: string): string {
    const text = (this.#unfinished + piece).replaceAll("\0", "\u2400"); // the picture of a NUL
    this.#unfinished = "";
    this.#blanks += piece.length;
    if (!this.#inString && !CONTROL.test(text) && this.#atEnd()) this.#append(text);
    else this.#interpret(text);
    this.#settle(MAX_ROWS);
    return this.#takeSettled();
  }

  /** Returns everything that is still held back. What is written afterwards begins at the start of a row. */
  flush(): string {
    this.#settleAll();
    this.#leaveAlternate(true);
    return this.#takeSettled();
  }

  #atEnd(): boolean {
    return this.#row === this.#rows.length - 1 && this.#column === this.#rows[this.#row]?.length;
  }

  /** Text without control characters at the end of the last row: the usual case, and the fast one. */
  #append(text: string): void {
    let from = text.length;
    for (let rows = 0; rows < MAX_ROWS && from > 0; rows++) from = text.lastIndexOf("\n", from - 1);
    if (from > 0) {
      this.#settleAll();
      this.#out(text.slice(0, from + 1));
      text = text.slice(from + 1);
    }
    const [first = "", ...others] = text.split("\n");
    this.#rows[this.#rows.length - 1] += first;
    for (const row of others) this.#rows.push(row);
    this.#row = this.#rows.length - 1;
    this.#column = this.#rows[this.#row]?.length ?? 0;
    if (this.#column > MAX_COLUMNS) this.#settleAll();
  }

  #interpret(text: string): void {
    const tail = Math.max(0, text.length - MAX_HELD_CHARS);
    const held = UNFINISHED.exec(text.slice(tail));
    const unfinished = held ? tail + held.index : text.length;
    this.#unfinished = text.slice(unfinished);
    let at = 0;
    const match = (pattern: RegExp) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at = pattern.lastIndex;
      return found;
    };
    while (at < unfinished) {
      let found: RegExpExecArray | null;
      if (this.#inString) {
        found = match(STRING_END);
        if (!found) return;
        this.#inString = false;
        if (found[0] === "\x1b" || found[0] === "\n") at--; // it means something by itself
      } else if ((found = match(RUN))) this.#put(found[0]);
      else if ((found = match(CSI))) this.#control(found[2] ?? "", found[1] ?? "");
      else if (match(STRING_START)) this.#inString = true;
      else if (!match(OTHER_ESCAPE)) this.#controlCharacter(text.charAt(at++));
    }
  }

  #controlCharacter(character: string): void {
    switch (character) {
      case "\n":
      case "\v":
      case "\f":
      case "\x85":
        this.#column = 0;
        this.#nextRow();
        break;
      case "\r":
        this.#column = 0;
        break;
      case "\b":
        this.#column = Math.max(0, this.#column - 1);
    }
  }

  #control(final: string, parameters: string): void {
    const row = this.#rows[this.#row] ?? "";
    const number = Number.parseInt(parameters) || 0;
    const count = Math.min(Math.max(number, 1), MAX_COLUMNS);
    switch (final) {
      case "A":
      case "F":
        this.#up(count);
        if (final === "F") this.#column = 0;
        break;
      case "B":
      case "E":
        this.#row = Math.min(this.#rows.length - 1, this.#row + count); // at the bottom a terminal does not scroll
        if (final === "E") this.#column = 0;
        break;
      case "C":
        this.#column = Math.min(MAX_COLUMNS, this.#column + count);
        break;
      case "D":
        this.#column = Math.max(0, this.#column - count);
        break;
      case "G":
        this.#column = count - 1;
        break;
      case "K":
        if (number === 0) this.#rows[this.#row] = row.slice(0, this.#column);
        else if (number === 1) this.#rows[this.#row] = row.slice(this.#column).padStart(row.length);
        else this.#rows[this.#row] = "";
        break;
      case "J":
        if (number === 0) {
          this.#rows[this.#row] = row.slice(0, this.#column);
          this.#rows.length = this.#row + 1;
        } else this.#newScreen(); // what scrolled by is kept: it may be all that there is to read
        break;
      case "H":
      case "f":
        this.#newScreen();
        break;
      case "h":
      case "l":
        if (/^\?(?:47|1047|1049)$/.test(parameters)) {
          this.#settleAll();
          if (final === "h") this.#alternate ??= [];
          else this.#leaveAlternate(false);
        }
    }
  }

  /** Writes over what stands at the cursor. */
  #put(run: string): void {
    const row = this.#rows[this.#row] ?? "";
    const missing = Math.max(0, this.#column - row.length);
    if (missing > this.#blanks) this.#column = row.length;
    else this.#blanks -= missing;
    const end = this.#column + run.length;
    this.#rows[this.#row] = row.slice(0, this.#column).padEnd(this.#column) + run + row.slice(end);
    this.#column = end;
    if (end <= MAX_COLUMNS) return;
    if (this.#row === this.#rows.length - 1) return this.#settleAll();
    this.#out(this.#rows.splice(0, this.#row + 1).join("\n") + "\n");
    this.#row = this.#column = 0;
  }

  /** Goes up, but not over a row that a terminal would have broken into several. */
  #up(count: number): void {
    for (
      let above = this.#rows[this.#row - 1];
      count > 0 && above !== undefined && above.length <= MAX_COLUMNS;
      count--
    ) {
      this.#row--;
      above = this.#rows[this.#row - 1];
    }
  }

  #nextRow(): void {
    this.#row++;
    if (this.#row === this.#rows.length) this.#rows.push("");
    this.#settle(2 * MAX_ROWS);
  }

  #newScreen(): void {
    if (this.#rows.at(-1) !== "") this.#rows.push("");
    this.#settleAll();
  }

  /** Gives up changing all but the last `MAX_ROWS` rows once there are more than `limit`. */
  #settle(limit: number): void {
    if (this.#rows.length <= limit) return;
    const done = this.#rows.splice(0, this.#rows.length - MAX_ROWS);
    this.#row = Math.max(0, this.#row - done.length);
    this.#out(done.join("\n") + "\n");
  }

  #settleAll(): void {
    this.#out(this.#rows.join("\n"));
    this.#rows = [""];
    this.#row = this.#column = 0;
  }

  #out(text: string): void {
    if (!this.#alternate) return void this.#settled.push(text);
    this.#alternate.push(text);
    this.#alternateChars += text.length;
    if (this.#alternateChars > MAX_ALTERNATE_CHARS) this.#leaveAlternate(true);
  }

  #leaveAlternate(keep: boolean): void {
    if (keep && this.#alternate) this.#settled.push(this.#alternate.join(""));
    this.#alternate = undefined;
    this.#alternateChars = 0;
  }

  #takeSettled(): string {
    const text = this.#settled.join("");
    this.#settled = [];
    return text.toWellFormed(); // an overwritten half of a pair leaves the other
  }
}

/**
 * What a terminal would have left of this text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(terminalText("10%\r50%\r100%\n\x1b[31mred\x1b[0m\n"), "100%\nred\n");
 * ```
 */
export function terminalText(text: string): string {
  const terminal = new TerminalText();
  return terminal.write(text) + terminal.flush();
}
