/**
 * The bottom of the terminal: a few rows that change in place, below text that scrolls by for good.
 *
 * @module
 */

import { withoutStyles } from "./ansi.ts";
import type { Block, Size } from "./input_view.ts";
import { textWidth } from "./text_width.ts";

/** What the bottom shows, from top to bottom. */
export type Slot = "reply" | "status" | "question" | "prompt";

const SLOTS: readonly Slot[] = ["reply", "status", "question", "prompt"];

/** Draws what stands in a slot. Called for each frame; `rows` is the most that may be used. */
export type Draw = (size: Size) => Block;

/** How a {@linkcode LiveScreen} reaches the terminal. */
export interface ScreenOutput {
  write(text: string): void;
  size(): Size;
}

/**
 * Prints text above rows that are redrawn in place. Frames are drawn at most every 16 ms, so many small changes cost
 * one.
 */
export class LiveScreen {
  readonly #output: ScreenOutput;
  readonly #slots = new Map<Slot, Draw>();
  #printed = "";
  #drawn: Block = { rows: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** The terminal is not ours now: what is printed waits. */
  #withdrawn = false;
  /** What is on the terminal may not be what was drawn. */
  #stale = false;
  #beforeFrame: () => void = () => {};

  constructor(output: ScreenOutput) {
    this.#output = output;
  }

  /** The size of the terminal now. */
  get size(): Size {
    return this.#output.size();
  }

  /** Calls a function before each frame: it may print what has arrived since the last one. */
  onFrame(listener: () => void): void {
    this.#beforeFrame = listener;
  }

  /** Prints rows for good, above whatever changes in place. They hold no control characters but styles. */
  print(...rows: string[]): void {
    this.#printed += rows.map((row) => row + "\r\n").join("");
    this.refresh();
  }

  /** Puts something into a slot, or empties it. */
  show(slot: Slot, draw: Draw | undefined): void {
    if (draw) this.#slots.set(slot, draw);
    else if (!this.#slots.delete(slot)) return;
    this.refresh();
  }

  /** Draws again soon: what a slot shows has changed. */
  refresh(): void {
    if (this.#withdrawn) return;
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /** Draws now. */
  flush(): void {
    if (this.#withdrawn) return;
    this.#beforeFrame();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const next = this.#compose(this.#output.size());
    const text = this.#printed;
    this.#printed = "";
    if (text === "" && !this.#stale && isSame(this.#drawn, next)) return;
    this.#stale = false;
    this.#output.write(erase(this.#drawn) + text + draw(next));
    this.#drawn = next;
  }

  /** Draws again after the terminal has another size, or other content: `cleared` if nothing of ours is on it. */
  redraw({ cleared }: { cleared: boolean }): void {
    if (cleared) this.#withdrawn = this.#closed;
    this.#drawn = cleared ? { rows: [] } : reflow(this.#drawn, this.#output.size().columns);
    this.#stale = true;
    this.flush();
  }

  /** Empties the terminal but for the changing rows. */
  clear(): void {
    if (!this.#withdrawn) this.#output.write("\x1b[2J\x1b[H");
    this.redraw({ cleared: true });
  }

  /** Takes the changing rows away and draws nothing until {@linkcode LiveScreen.redraw} says that all is cleared. */
  withdraw(): void {
    if (this.#withdrawn) return;
    this.#beforeFrame();
    this.#output.write(erase(this.#drawn) + this.#printed);
    this.#printed = "";
    this.#drawn = { rows: [] };
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#withdrawn = true;
  }

  /** Withdraws for good: nothing is drawn afterwards. */
  close(): void {
    this.withdraw();
    this.#closed = true;
  }

  #compose(size: Size): Block {
    let room = Math.max(1, size.rows - 1);
    const rows: string[] = [];
    let cursor: Block["cursor"];
    // From the bottom up: what a person types is shown before anything else.
    for (const slot of SLOTS.toReversed()) {
      const block = room > 0 ? this.#slots.get(slot)?.({ columns: size.columns, rows: room }) : undefined;
      if (!block) continue;
      const shown = block.rows.slice(-room);
      if (cursor) cursor = { ...cursor, row: cursor.row + shown.length };
      else if (block.cursor) cursor = { ...block.cursor, row: block.cursor.row - (block.rows.length - shown.length) };
      rows.unshift(...shown);
      room -= shown.length;
    }
    return { rows, cursor };
  }
}

const FRAME_MS = 16;

/** Goes to the first changing row and clears from there on. */
function erase({ rows, cursor }: Block): string {
  if (rows.length === 0) return "";
  const row = cursor?.row ?? rows.length - 1;
  return "\r" + (row > 0 ? `\x1b[${row}A` : "") + "\x1b[J";
}

/** Writes rows from the left edge on and leaves the cursor in its place. */
function draw({ rows, cursor }: Block): string {
  if (rows.length === 0) return "";
  const text = rows.join("\r\n");
  if (!cursor) return text;
  const up = rows.length - 1 - cursor.row;
  return text + "\r" + (up > 0 ? `\x1b[${up}A` : "") + (cursor.column > 0 ? `\x1b[${cursor.column}C` : "");
}

function isSame(a: Block, b: Block): boolean {
  return a.rows.length === b.rows.length && a.rows.every((row, i) => row === b.rows[i]) &&
    a.cursor?.row === b.cursor?.row && a.cursor?.column === b.cursor?.column;
}

/** Where rows stand after the terminal has broken those that no longer fit: most terminals do that when they shrink. */
function reflow({ rows, cursor }: Block, columns: number): Block {
  const heights = rows.map((row) => Math.max(1, Math.ceil(textWidth(withoutStyles(row)) / columns)));
  const above = (row: number) => heights.slice(0, row).reduce((sum, height) => sum + height, 0);
  return {
    rows: Array.from({ length: above(rows.length) }, () => ""),
    cursor: cursor && { row: above(cursor.row) + Math.floor(cursor.column / columns), column: 0 },
  };
}
