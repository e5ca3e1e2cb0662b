/**
 * A terminal for tests: text with control sequences in, what a person would see out. It knows what the program uses and
 * fails on everything else, so that no test passes by luck.
 *
 * @module
 */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{RI}{2}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60])/u;
// deno-lint-ignore no-control-regex
const PARTS = /\x1b\[(\??)([\d;]*)([A-Za-z])|[\r\n]|[^\x00-\x1f\x7f]+|[^]/gu;

/** What stands on an emulated terminal. */
export class Screen {
  columns: number;
  rows: number;
  row = 0;
  column = 0;
  /** Private modes that are on, 2004 for bracketed paste. */
  readonly modes = new Set<number>();
  /** Rows that have scrolled out of sight, oldest first. */
  readonly scrolled: string[] = [];
  #lines: string[][] = [[]];

  constructor(columns = 80, rows = 24) {
    this.columns = columns;
    this.rows = rows;
  }

  /** Takes what a program writes. A sequence must not be cut between two calls. */
  write(text: string): void {
    for (const [part, mark, parameters, final] of text.matchAll(PARTS)) {
      if (final !== undefined) this.#sequence(mark === "?", parameters!, final);
      else if (part === "\r") this.column = 0;
      else if (part === "\n") this.#down();
      else if (part < " " || part === "\x7f") throw new Error(`Raw control character ${JSON.stringify(part)}`);
      else for (const { segment } of segmenter.segment(part)) this.#put(segment);
    }
  }

  /** The rows in sight, blanks at their ends cut off. */
  get lines(): string[] {
    return this.#lines.map((line) => line.join("").trimEnd());
  }

  /** All rows that were ever shown and not cleared. */
  get all(): string {
    return [...this.scrolled, ...this.lines].join("\n");
  }

  /** The text left of the cursor in its row. */
  get before(): string {
    return (this.#lines[this.row] ?? []).slice(0, this.column).join("");
  }

  #put(grapheme: string): void {
    const width = WIDE.test(grapheme) || grapheme.includes("\ufe0f") ? 2 : /^\p{M}/u.test(grapheme) ? 0 : 1;
    if (this.column + width > this.columns && this.column > 0) {
      this.column = 0;
      this.#down();
    }
    const line = this.#lines[this.row]!;
    while (line.length < this.column) line.push(" ");
    line.splice(this.column, width, grapheme, ...(width === 2 ? [""] : []));
    this.column += width;
  }

  #down(): void {
    this.row++;
    this.#lines[this.row] ??= [];
    while (this.row >= this.rows) {
      this.scrolled.push(this.#lines.shift()!.join("").trimEnd());
      this.row--;
    }
  }

  #sequence(isPrivate: boolean, parameters: string, final: string): void {
    const count = Number(parameters || 1);
    if (isPrivate && final === "h") this.modes.add(count);
    else if (isPrivate && final === "l") this.modes.delete(count);
    else if (final === "m") return;
    else if (final === "A") this.row = Math.max(0, this.row - count);
    else if (final === "C") this.column = Math.min(this.columns - 1, this.column + count);
    else if (final === "H") this.row = this.column = 0;
    else if (final === "J" && parameters === "2") this.#lines = this.#lines.map(() => []);
    else if (final === "J") {
      this.#lines.length = this.row + 1;
      this.#lines[this.row]!.length = Math.min(this.#lines[this.row]!.length, this.column);
    } else throw new Error(`Sequence ${parameters}${final} is not known to the test's screen`);
  }
}
