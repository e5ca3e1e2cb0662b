/**
 * The terminal itself: raw mode, its size, what is typed, and that it is left as it was found.
 *
 * @module
 */

import type { Size } from "./input_view.ts";
import { type Key, KeyDecoder } from "./keys.ts";
import { listen } from "./signals.ts";

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

/** The size of the terminal now; 80 by 24 where it is unknown. */
export function terminalSize(): Size {
  try {
    const { columns, rows } = Deno.consoleSize();
    return { columns: columns || 80, rows: rows || 24 };
  } catch {
    return { columns: 80, rows: 24 };
  }
}

/** The terminal of the process, in raw mode while it is open. */
export class Terminal {
  readonly #events: TerminalEvents;
  #unlisten = () => {};
  #unlistenToStop = () => {};
  readonly #release = () => this.close();
  #state: "open" | "suspended" | "closed" = "closed";

  constructor(events: TerminalEvents) {
    this.#events = events;
  }

  /** Whether input and output are a terminal with a raw mode: some are emulated through pipes and have none. */
  static works(): boolean {
    if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) return false;
    try {
      Deno.stdin.setRaw(true);
      Deno.stdin.setRaw(false);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes the terminal over and begins to read. */
  open(): void {
    this.#state = "open";
    setRaw(true);
    writeAll(PASTE_ON);
    const { onRedraw, onSignal } = this.#events;
    this.#unlisten = listen({
      SIGWINCH: () => onRedraw({ cleared: false }),
      SIGCONT: () => this.#resume(),
      SIGINT: () => onSignal("SIGINT"),
      SIGTERM: () => onSignal("SIGTERM"),
      SIGHUP: () => onSignal("SIGHUP"),
    });
    this.#listenToStop();
    for (const type of LAST_EVENTS) globalThis.addEventListener(type, this.#release);
    void this.#read();
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
    // What the signal does by itself, it does only while nobody listens.
    this.#unlistenToStop();
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
    this.#unlisten();
    this.#unlistenToStop();
    for (const type of LAST_EVENTS) globalThis.removeEventListener(type, this.#release);
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
    // The timer and the signal both come: the second one finds everything done.
    const cleared = this.#state === "suspended";
    this.#state = "open";
    setRaw(true);
    if (cleared) {
      writeAll(PASTE_ON);
      this.#listenToStop();
    }
    this.#events.onRedraw({ cleared });
  }

  #listenToStop(): void {
    this.#unlistenToStop();
    this.#unlistenToStop = listen({ SIGTSTP: () => void this.suspend() });
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
