/**
 * The rows of a terminal, as far as output can still change them, and the text that has left it for good.
 *
 * @module
 */

/** How many rows up a sequence may still reach. */
const MAX_ROWS = 100;
/** A row ends here as at a terminal's right edge: what is beyond it cannot be overwritten any more. */
const MAX_COLUMNS = 1000;
/** Text of a full-screen program that is held back, because it vanishes when the program leaves the screen. */
const MAX_ALTERNATE_CHARS = 200_000;

/** Rows and a cursor. Columns are UTF-16 units: enough for progress lines, not a terminal. */
export class TerminalScreen {
  /** Rows that may still change; the last is unfinished. */
  #rows = [""];
  #row = 0;
  #column = 0;
  #settled: string[] = [];
  /** What a full-screen program has written since it took the screen. */
  #alternate: string[] | undefined;
  #alternateChars = 0;
  #blanks = 0;

  /** Whether the cursor is at the end of all text. */
  get isAtEnd(): boolean {
    return this.#row === this.#rows.length - 1 && this.#column === this.#current.length;
  }

  get #current(): string {
    return this.#rows[this.#row] ?? "";
  }

  set #current(text: string) {
    this.#rows[this.#row] = text;
  }

  /**
   * Allows so many blanks more to be filled in before a cursor that went beyond a row's end. Without a limit a few
   * bytes could make megabytes.
   */
  allowBlanks(count: number): void {
    this.#blanks += count;
  }

  /** Adds lines of plain text at the end of all text: the usual case, and the fast one. */
  append(text: string): void {
    let from = text.length;
    for (let rows = 0; rows < MAX_ROWS && from > 0; rows++) from = text.lastIndexOf("\n", from - 1);
    if (from > 0) {
      this.#settleAll();
      this.#out(text.slice(0, from + 1));
      text = text.slice(from + 1);
    }
    const [first = "", ...others] = text.split("\n");
    this.#current += first;
    for (const row of others) this.#rows.push(row);
    this.#row = this.#rows.length - 1;
    this.#column = this.#current.length;
    if (this.#column > MAX_COLUMNS) this.#settleAll();
  }

  /** Writes over what stands at the cursor. The text holds no line break. */
  put(text: string): void {
    const row = this.#current;
    const missing = Math.max(0, this.#column - row.length);
    if (missing > this.#blanks) this.#column = row.length;
    else this.#blanks -= missing;
    const end = this.#column + text.length;
    this.#current = row.slice(0, this.#column).padEnd(this.#column) + text + row.slice(end);
    this.#column = end;
    if (end <= MAX_COLUMNS) return;
    if (this.#row === this.#rows.length - 1) return this.#settleAll();
    this.#out(this.#rows.splice(0, this.#row + 1).join("\n") + "\n");
    this.#row = this.#column = 0;
  }

  /** Goes to the start of the next row. */
  breakLine(): void {
    this.#column = 0;
    this.#row++;
    if (this.#row === this.#rows.length) this.#rows.push("");
    this.#settle(2 * MAX_ROWS);
  }

  /** Goes to a column of the row, from 0. */
  moveTo(column: number): void {
    this.#column = Math.min(Math.max(0, column), MAX_COLUMNS);
  }

  /** Goes right, or left with a negative number. */
  moveBy(columns: number): void {
    this.moveTo(this.#column + columns);
  }

  /** Goes up, but not over a row that a terminal would have broken into several. */
  moveUp(rows: number): void {
    for (let left = rows; left > 0 && this.#row > 0; left--) {
      if (this.#rows[this.#row - 1]!.length > MAX_COLUMNS) return;
      this.#row--;
    }
  }

  /** Goes down; at the bottom a terminal does not scroll. */
  moveDown(rows: number): void {
    this.#row = Math.min(this.#rows.length - 1, this.#row + rows);
  }

  /** Erases the row from the cursor on, up to the cursor, or all of it. */
  eraseRow(part: "after" | "before" | "all"): void {
    const row = this.#current;
    if (part === "after") this.#current = row.slice(0, this.#column);
    else if (part === "before") this.#current = row.slice(this.#column).padStart(row.length);
    else this.#current = "";
  }

  /** Erases everything from the cursor on. */
  eraseBelow(): void {
    this.eraseRow("after");
    this.#rows.length = this.#row + 1;
  }

  /** Begins a new screen. The old one is kept: it may be all that there is to read. */
  clear(): void {
    if (this.#rows.at(-1) !== "") this.#rows.push("");
    this.#settleAll();
  }

  /** A full-screen program takes the screen. */
  enterAlternate(): void {
    this.#settleAll();
    this.#alternate ??= [];
  }

  /** A full-screen program gives the screen back: what it drew is gone. */
  leaveAlternate(): void {
    this.#settleAll();
    this.#endAlternate();
  }

  /** Takes out the text that can no longer change. */
  takeSettled(): string {
    this.#settle(MAX_ROWS);
    const text = this.#settled.join("");
    this.#settled = [];
    return text.toWellFormed(); // an overwritten half of a surrogate pair leaves the other
  }

  /** Takes out all text. What is written afterwards begins at the start of a row. */
  takeAll(): string {
    this.#settleAll();
    this.#keepAlternate();
    return this.takeSettled();
  }

  /** Gives up changing all but the last rows once there are more than `limit`. */
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
    if (this.#alternateChars > MAX_ALTERNATE_CHARS) this.#keepAlternate();
  }

  #keepAlternate(): void {
    if (this.#alternate) this.#settled.push(this.#alternate.join(""));
    this.#endAlternate();
  }

  #endAlternate(): void {
    this.#alternate = undefined;
    this.#alternateChars = 0;
  }
}
