/**
 * What a terminal in raw mode sends, decoded into key presses.
 *
 * @module
 */

/**
 * One thing that a person did at the keyboard. `press` names a key with its modifiers, always in the order
 * `ctrl+alt+shift+`: `enter`, `alt+enter`, `ctrl+a`, `shift+tab`, `ctrl+left`.
 */
export type Key =
  /** Characters that were typed; no control characters. */
  | { type: "text"; text: string }
  /** A part of what was pasted: line ends are `\n`, of the control characters only tabs and line ends are left. */
  | { type: "paste"; text: string }
  | { type: "press"; name: string };

/**
 * Decodes the bytes of a terminal. A character, an escape sequence or a paste may be cut anywhere between two reads.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { KeyDecoder } from "./keys.ts";
 *
 * const decoder = new KeyDecoder();
 * const bytes = new TextEncoder().encode("hi\x1b[1;5D\r");
 * assertEquals(decoder.push(bytes), [
 *   { type: "text", text: "hi" },
 *   { type: "press", name: "ctrl+left" },
 *   { type: "press", name: "enter" },
 * ]);
 * ```
 */
export class KeyDecoder {
  readonly #utf8 = new TextDecoder();
  #rest = "";
  #pasting = false;
  #pastedCr = false;

  /** Takes what was read and gives the keys that are complete. */
  push(bytes: Uint8Array): Key[] {
    const keys: Key[] = [];
    if (this.#pasting && bytes.length === 1 && bytes[0] === CTRL_C) {
      // by itself it was typed: the end of the paste got lost, and nothing else leads out of it
      this.#pasting = false;
      this.#rest = "";
      return [{ type: "press", name: "ctrl+c" }];
    }
    const input = this.#rest + this.#utf8.decode(bytes, { stream: true });
    let at = 0;
    while (at < input.length) {
      const next = this.#pasting ? this.#paste(input, at, keys) : readKey(input, at, keys);
      if (next === undefined) break;
      at = next;
      const last = keys.at(-1);
      if (last?.type === "press" && last.name === PASTE) {
        keys.pop();
        this.#pasting = true;
        this.#pastedCr = false;
      }
    }
    this.#rest = input.slice(at);
    return keys;
  }

  /** Whether it holds the beginning of a sequence: when nothing follows soon, it was the Escape key. */
  get waiting(): boolean {
    return !this.#pasting && this.#rest !== "";
  }

  /** Ends the waiting: gives the Escape key, or leaves out a sequence that has no end. */
  flush(): Key[] {
    if (!this.waiting) return [];
    const escape = this.#rest === ESC;
    this.#rest = "";
    return escape ? [{ type: "press", name: "escape" }] : [];
  }

  #paste(input: string, from: number, keys: Key[]): number | undefined {
    const found = input.indexOf(PASTE_END, from);
    const end = found >= 0 ? found : input.length - heldBack(input, from);
    const text = this.#cleanPaste(input.slice(from, end));
    if (text !== "") keys.push({ type: "paste", text });
    if (found < 0) {
      this.#rest = "";
      return end === from ? undefined : end;
    }
    this.#pasting = false;
    return found + PASTE_END.length;
  }

  #cleanPaste(text: string): string {
    if (text === "") return "";
    const whole = this.#pastedCr && text.startsWith("\n") ? text.slice(1) : text;
    this.#pastedCr = text.endsWith("\r");
    return whole.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL_BUT_BLANK, "");
  }
}

const ESC = "\x1b";
const PASTE = "paste";
const PASTE_END = "\x1b[201~";
const CTRL_C = 0x03;
const MAX_REPLY = 4096;

// deno-lint-ignore no-control-regex -- control characters are what this is about
const CONTROL_BUT_BLANK = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
// deno-lint-ignore no-control-regex
const TYPED = /[^\x00-\x1f\x7f-\x9f]+/y;
// deno-lint-ignore no-control-regex
const CSI = /\x1b\[([0-?]*)[ -/]*([@-~])/y;
// deno-lint-ignore no-control-regex
const CSI_START = /\x1b\[[0-?]*[ -/]*$/y;
// deno-lint-ignore no-control-regex
const REPLY = /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/y;

/** Reads one key at `at`. Returns where the next one begins, or `undefined` when this one is not complete. */
function readKey(input: string, at: number, keys: Key[]): number | undefined {
  const text = matchAt(TYPED, input, at);
  if (text) {
    keys.push({ type: "text", text: text[0] });
    return at + text[0].length;
  }
  if (input[at] !== ESC) {
    const name = controlName(input.charCodeAt(at));
    if (name) keys.push({ type: "press", name });
    return at + 1;
  }
  if (at + 1 === input.length) return undefined;
  const csi = matchAt(CSI, input, at);
  if (csi) {
    const name = csiName(csi[1]!, csi[2]!);
    if (name) keys.push({ type: "press", name });
    return at + csi[0].length;
  }
  if (matchAt(CSI_START, input, at)) return undefined;
  const reply = matchAt(REPLY, input, at);
  if (reply) return at + reply[0].length;
  const next = input[at + 1]!;
  if ("]PX^_".includes(next) && input.length - at < MAX_REPLY && input.length > at + 2) return undefined;
  if (next === "O") {
    if (at + 2 === input.length) return undefined;
    const name = FINALS[input[at + 2]!];
    if (name) keys.push({ type: "press", name });
    return at + 3;
  }
  if (next === ESC) {
    keys.push({ type: "press", name: "escape" });
    return at + 1;
  }
  const character = String.fromCodePoint(input.codePointAt(at + 1)!);
  const name = controlName(character.charCodeAt(0)) ?? character;
  keys.push({ type: "press", name: name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}` });
  return at + 1 + character.length;
}

function matchAt(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(input);
}

/** How many characters at the end may be the beginning of the end of a paste. */
function heldBack(input: string, from: number): number {
  for (let n = Math.min(PASTE_END.length - 1, input.length - from); n > 0; n--) {
    if (input.endsWith(PASTE_END.slice(0, n))) return n;
  }
  return 0;
}

function controlName(code: number): string | undefined {
  if (code === 0x0d || code === 0x0a) return "enter";
  if (code === 0x09) return "tab";
  if (code === 0x7f || code === 0x08) return "backspace";
  if (code >= 0x01 && code <= 0x1a) return `ctrl+${String.fromCharCode(code + 0x60)}`;
  if (code >= 0x1c && code <= 0x1f) return `ctrl+${"\\]^_"[code - 0x1c]}`;
  return undefined;
}

const FINALS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  Z: "shift+tab",
};

const NUMBERS: Readonly<Record<string, string>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page_up",
  6: "page_down",
  7: "home",
  8: "end",
  200: PASTE,
};

const CODES: Readonly<Record<string, string>> = { 9: "tab", 13: "enter", 27: "escape", 127: "backspace" };

function csiName(parameters: string, final: string): string | undefined {
  const [first = "", second = "", third = ""] = parameters.split(";");
  if (final === "~") {
    if (first === "27") return keyOfCode(third, second);
    const name = NUMBERS[first];
    return name && modified(name, second);
  }
  if (final === "u") return keyOfCode(first, second);
  if (final === "M") return undefined;
  const name = FINALS[final];
  return name && modified(name, second);
}

function keyOfCode(code: string, modifiers: string): string | undefined {
  const point = Number.parseInt(code);
  const name = CODES[code] ?? (point >= 0x20 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined);
  return name && modified(name, modifiers);
}

function modified(name: string, modifiers: string): string {
  const bits = Math.max(0, (Number.parseInt(modifiers) || 1) - 1);
  return (bits & 4 ? "ctrl+" : "") + (bits & 2 ? "alt+" : "") + (bits & 1 ? "shift+" : "") + name;
}
