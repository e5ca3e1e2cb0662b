/**
 * What a terminal would have left of a command's output: no control sequences, progress lines in their last state.
 *
 * @module
 */

// deno-lint-ignore-file no-control-regex

import { TerminalScreen } from "./terminal_screen.ts";

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const RUN = /[^\x00-\x08\x0a-\x1f\x7f-\x9f]+/y;
const CSI = /(?:\x1b\[|\x9b)([0-?]{0,64})[ -/]{0,8}([@-~])?/y;
/** The start of OSC, DCS, SOS, PM and APC: a payload of any length follows. */
const STRING_START = /\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]/y;
/** BEL, ST, a cancel or a line break (so that a sequence without end cannot swallow the rest). */
const STRING_END = /[\x07\x1b\x9c\x18\x1a\n]/g;
const OTHER_ESCAPE = /\x1b[ -/]{0,8}[0-~]?/y;
const UNFINISHED = /(?:\x1b[ -/]{0,8}|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8})$/;
/** More than the longest sequence that is understood: a longer one is not waited for. */
const MAX_HELD_CHARS = 80;
const MAX_COUNT = 1000;

/** Reads output piece by piece, in linear time. */
export class TerminalText {
  readonly #screen = new TerminalScreen();
  #inString = false;
  #unfinished = "";

  /** Takes the next piece and returns the text that no later piece can change. */
  write(piece: string): string {
    const text = (this.#unfinished + piece).replaceAll("\0", "\u2400"); // the picture of a NUL
    this.#unfinished = "";
    this.#screen.allowBlanks(piece.length);
    if (!this.#inString && this.#screen.isAtEnd && !CONTROL.test(text)) this.#screen.append(text);
    else this.#interpret(text);
    return this.#screen.takeSettled();
  }

  /** Returns everything that is still held back. What is written afterwards begins at the start of a row. */
  flush(): string {
    return this.#screen.takeAll();
  }

  #interpret(text: string): void {
    const tail = Math.max(0, text.length - MAX_HELD_CHARS);
    const held = UNFINISHED.exec(text.slice(tail));
    const end = held ? tail + held.index : text.length;
    this.#unfinished = text.slice(end);
    let at = 0;
    const match = (pattern: RegExp) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at = pattern.lastIndex;
      return found;
    };
    while (at < end) {
      let found: RegExpExecArray | null;
      if (this.#inString) {
        found = match(STRING_END);
        if (!found) return;
        this.#inString = false;
        if (found[0] === "\x1b" || found[0] === "\n") at--; // it means something by itself
      } else if ((found = match(RUN))) this.#screen.put(found[0]);
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
        return this.#screen.breakLine();
      case "\r":
        return this.#screen.moveTo(0);
      case "\b":
        return this.#screen.moveBy(-1);
    }
  }

  /** A sequence that moves the cursor or erases; all others only look different. */
  #control(final: string, parameters: string): void {
    const screen = this.#screen;
    const number = Number.parseInt(parameters) || 0;
    const count = Math.min(Math.max(number, 1), MAX_COUNT);
    switch (final) {
      case "A":
        return screen.moveUp(count);
      case "B":
        return screen.moveDown(count);
      case "C":
        return screen.moveBy(count);
      case "D":
        return screen.moveBy(-count);
      case "E":
        screen.moveDown(count);
        return screen.moveTo(0);
      case "F":
        screen.moveUp(count);
        return screen.moveTo(0);
      case "G":
        return screen.moveTo(count - 1);
      case "H":
      case "f":
        return screen.clear();
      case "J":
        return number === 0 ? screen.eraseBelow() : screen.clear();
      case "K":
        return screen.eraseRow(number === 0 ? "after" : number === 1 ? "before" : "all");
      case "h":
      case "l":
        if (!/^\?(?:47|1047|1049)$/.test(parameters)) return;
        return final === "h" ? screen.enterAlternate() : screen.leaveAlternate();
    }
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
