/**
 * The terminal itself: raw mode, its size, what is typed, and that it is left as it was found.
 *
 * @module
 */

import type { Size } from "./input_view.ts";
import { type Key, KeyDecoder } from "./keys.ts";

/** Signals that reach {@linkcode TerminalEvents.onSignal}. */
export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What a terminal reports. None of the functions may throw. */
export interface TerminalEvents {
  onKeys(keys: readonly Key[]): void;
  /** The size has changed, or the program is back from being suspended: then nothing of ours is on the screen. */
  onRedraw(options: { cleared: boolean }): void;
  /** The program shall end, or stop what it is doing (`SIGINT`). A terminal that hangs up counts as `SIGHUP`. */
  onSignal(signal: EndSignal): void;
  /** The terminal is about to be given back: what is drawn in place goes away now. */
  onRelease(): void;
}

/** A terminal in raw mode. */
export class Terminal {
  readonly #events: TerminalEvents;
  readonly #listeners: [Deno.Signal, () => void][] = [];
  readonly #release = () => this.close();
  #state: "open" | "suspended" | "closed" = "open";

  private constructor(events: TerminalEvents) {
    this.#events = events;
  }

  /**
   * Takes over the terminal.
   *
   * @returns `undefined` if it has no raw mode: input is not a terminal, or one that is emulated through pipes.
   */
  static open(events: TerminalEvents): Terminal | undefined {
    if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) return undefined;
    try {
      Deno.stdin.setRaw(true);
    } catch {
      return undefined;
    }
    const terminal = new Terminal(events);
    terminal.#start();
    return terminal;
  }

  /** The size now; 80 by 24 where it is unknown. */
  size(): Size {
    try {
      const { columns, rows } = Deno.consoleSize();
      return { columns: columns || 80, rows: rows || 24 };
    } catch {
      return { columns: 80, rows: 24 };
    }
  }

  /** Writes at once. Text for a terminal that is given back or gone is dropped. */
  write(text: string): void {
    if (this.#state === "open") writeAll(text);
  }

  /**
   * Gives the terminal back and stops the program until the shell continues it.
   *
   * @returns Whether it could be stopped: that takes permission to run programs.
   */
  suspend(): boolean {
    this.#giveBack("suspended");
    this.#unlisten("SIGTSTP");
    try {
      Deno.kill(0, "SIGTSTP");
    } catch {
      this.#resume();
      return false;
    }
    // Runs after the program was continued, or at once where nobody could continue it and so it was not stopped.
    setTimeout(() => this.#resume(), 50);
    return true;
  }

  /** Gives the terminal back for good. Safe to call again. */
  close(): void {
    if (this.#state === "closed") return;
    this.#giveBack("closed");
    for (const [signal] of [...this.#listeners]) this.#unlisten(signal);
    for (const type of LAST_EVENTS) globalThis.removeEventListener(type, this.#release);
  }

  #start(): void {
    writeAll(PASTE_ON);
    this.#listen("SIGWINCH", () => this.#events.onRedraw({ cleared: false }));
    this.#listen("SIGCONT", () => this.#resume());
    this.#listen("SIGTSTP", () => void this.suspend());
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      this.#listen(signal, () => this.#events.onSignal(signal));
    }
    for (const type of LAST_EVENTS) globalThis.addEventListener(type, this.#release);
    void this.#read();
  }

  async #read(): Promise<void> {
    const decoder = new KeyDecoder();
    const buffer = new Uint8Array(65_536);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for (;;) {
        const count = await Deno.stdin.read(buffer);
        clearTimeout(timer);
        if (count === null) break;
        this.#events.onKeys(decoder.push(buffer.subarray(0, count)));
        if (decoder.waiting) timer = setTimeout(() => this.#events.onKeys(decoder.flush()), ESCAPE_MS);
      }
    } catch {
      // The terminal is gone: said by the signal below.
    }
    if (this.#state !== "closed") this.#events.onSignal("SIGHUP");
  }

  #giveBack(state: "suspended" | "closed"): void {
    if (this.#state === "open") {
      this.#events.onRelease();
      writeAll(PASTE_OFF + CURSOR_ON);
      setRaw(false);
    }
    this.#state = state;
  }

  #resume(): void {
    if (this.#state === "closed") return;
    if (!this.#listeners.some(([signal]) => signal === "SIGTSTP")) this.#listen("SIGTSTP", () => void this.suspend());
    this.#state = "open";
    setRaw(true);
    writeAll(PASTE_ON);
    this.#events.onRedraw({ cleared: true });
  }

  #listen(signal: Deno.Signal, listener: () => void): void {
    try {
      Deno.addSignalListener(signal, listener);
      this.#listeners.push([signal, listener]);
    } catch {
      // Windows knows few of them, and what does not exist cannot come.
    }
  }

  #unlisten(signal: Deno.Signal): void {
    const at = this.#listeners.findIndex(([name]) => name === signal);
    const [entry] = at < 0 ? [] : this.#listeners.splice(at, 1);
    if (entry) Deno.removeSignalListener(...entry);
  }
}

/** How long the beginning of a sequence may wait for its rest before it was the Escape key. */
const ESCAPE_MS = 40;
const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";
const CURSOR_ON = "\x1b[?25h";
/** The program ends, by `Deno.exit` and errors that nobody caught too. */
const LAST_EVENTS = ["unload", "error", "unhandledrejection"] as const;

const encoder = new TextEncoder();

function writeAll(text: string): void {
  try {
    for (let bytes = encoder.encode(text); bytes.length > 0;) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
  } catch {
    // A terminal that is gone shows nothing; the reading side notices and says so.
  }
}

function setRaw(on: boolean): void {
  try {
    Deno.stdin.setRaw(on);
  } catch {
    // As above.
  }
}
