/**
 * Renders Markdown while it arrives: text pieces in, finished rows out. A row that was given out never changes.
 *
 * @module
 */

import type { Style, Styles } from "./ansi.ts";
import { parseInline } from "./markdown_inline.ts";
import { drawTable } from "./markdown_table.ts";
import { cutToWidth } from "./text_width.ts";
import { paint, type Span, wrap, wrapHard } from "./wrap.ts";

/** How a line of source is laid out. */
interface Line {
  readonly spans: readonly Span[];
  /** Before the first row, and before each further one. */
  readonly lead: string;
  readonly indent: string;
  /** Code: broken where the row is full, and each blank kept. */
  readonly hard?: boolean;
}

/** An open code block. */
interface Code {
  readonly fence: string;
  readonly indent: number;
  readonly language: string;
}

/**
 * A text that arrives in pieces.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeStyles } from "./ansi.ts";
 * import { MarkdownStream } from "./markdown.ts";
 *
 * const stream = new MarkdownStream(makeStyles(false));
 * assertEquals(stream.write("* one\n* t", 80), ["• one"]);
 * assertEquals(stream.tail(), ["• t"]);
 * assertEquals(stream.write("wo", 80), []);
 * assertEquals(stream.end(), ["• two"]);
 * ```
 */
export class MarkdownStream {
  readonly #styles: Styles;
  #width = 80;
  /** The line that is still arriving. */
  #partial = "";
  /** How many of its rows were given out, and the width that they were made for. */
  #given = 0;
  #givenWidth = 0;
  #code: Code | undefined;
  #table: string[] = [];
  #blank = true;

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /**
   * Takes the next piece.
   *
   * @param width Columns that a row may take; below 1 counts as 1.
   * @returns The rows that are finished now.
   */
  write(piece: string, width: number): string[] {
    this.#width = Math.max(1, width);
    const lines = (this.#partial + piece.replaceAll("\t", "    ")).split("\n");
    this.#partial = lines.pop()!;
    const rows = lines.flatMap((line) => this.#finish(line));
    while (this.#partial.length > MAX_LINE) {
      // Not before: rows up to there may have been given out.
      const end = MAX_LINE - Number(/[\ud800-\udbff]/.test(this.#partial[MAX_LINE - 1]!));
      rows.push(...this.#finish(this.#partial.slice(0, end)));
      this.#partial = this.#partial.slice(end);
    }
    rows.push(...this.#giveEarly());
    return rows;
  }

  /** What has arrived and is not finished, as it looks now. May change with the next piece. */
  tail(): string[] {
    const table = this.#table.map((line) => cutToWidth(line, this.#width));
    if (this.#partial === "") return table;
    return [...table, ...this.#layOut(this.#partial, false).slice(this.#given).map(paint)];
  }

  /** Ends the text. Returns the rows that were not given out yet. */
  end(): string[] {
    const rows = this.#partial === "" ? [] : this.#finish(this.#partial);
    rows.push(...this.#endTable());
    this.#partial = "";
    this.#code = undefined;
    this.#blank = true;
    return rows;
  }

  /** The rows of a whole line that were not given out yet. */
  #finish(source: string): string[] {
    const line = source.replace(/\r$/, "");
    const given = this.#given;
    if (given === 0 && !this.#code && /^\s*\|/.test(line) && this.#table.length < MAX_TABLE) {
      this.#table.push(line);
      this.#blank = false;
      return [];
    }
    const rows = this.#endTable();
    if (line.trim() === "" && !this.#code) {
      if (!this.#blank) rows.push("");
      this.#blank = true;
    } else if (this.#code && closes(line, this.#code)) {
      this.#code = undefined;
    } else {
      const code = this.#code ?? openCode(line);
      const isBareFence = !this.#code && code?.language === "";
      if (!isBareFence) rows.push(...this.#layOut(line, true).slice(given).map(paint));
      this.#blank = false;
      this.#code = code;
    }
    this.#given = 0;
    return rows;
  }

  /** Rows of the line that is still arriving which nothing can change any more. */
  #giveEarly(): string[] {
    if (this.#partial.length < MIN_EARLY || (!this.#code && /^\s*(?:\||`{3}|~{3})/.test(this.#partial))) return [];
    const rows = this.#layOut(this.#partial, false);
    const open = rows.findIndex((row) => row.some((span) => span.open));
    // Where a row ends depends on the first characters of the next one.
    const until = (open < 0 ? rows.length : open) - 1;
    if (until <= this.#given) return [];
    const out = [...this.#endTable(), ...rows.slice(this.#given, until).map(paint)];
    this.#given = until;
    return out;
  }

  #endTable(): string[] {
    if (this.#table.length === 0) return [];
    const rows = drawTable(this.#table, this.#width, this.#styles);
    this.#table = [];
    return rows;
  }

  #layOut(source: string, complete: boolean): Span[][] {
    // Rows that were given out stay: the rest of their line keeps to the width that they had.
    if (this.#given === 0) this.#givenWidth = this.#width;
    const { spans, lead, indent, hard } = this.#read(source, complete);
    // Where the terminal is too narrow for both, the text is more important than its indentation.
    const fits = lead.length * 2 <= this.#givenWidth;
    const width = this.#givenWidth - (fits ? lead.length : 0);
    const rows = (hard ? wrapHard : wrap)(spans, width);
    if (!fits || lead === "") return rows;
    const { grey } = this.#styles;
    return rows.map((row, i) => [{ text: i === 0 ? lead : indent, style: grey }, ...row]);
  }

  #read(source: string, complete: boolean): Line {
    const styles = this.#styles;
    if (this.#code) return this.#readCode(source, this.#code);
    const fence = FENCE.exec(source);
    if (fence) return { spans: [{ text: fence[3]!.trim(), style: styles.grey }], lead: "", indent: "" };
    const heading = /^(#{1,6}) +(.*?)(?: +#+)?$/.exec(source);
    if (heading) {
      const spans = parseInline(heading[2]!, styles, complete);
      return { spans: spans.map((span) => within(styles.bold, span)), lead: heading[1] + " ", indent: "" };
    }
    if (complete && /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(source)) {
      return { spans: [{ text: "─".repeat(Math.min(this.#width, 40)), style: styles.grey }], lead: "", indent: "" };
    }
    const [start, quote] = /^ {0,3}((?:> ?)+)/.exec(source) ?? ["", ""];
    const bars = "│ ".repeat(quote.split(">").length - 1);
    const rest = source.slice(start.length);
    const [all, blanks = "", mark = "", task] = /^( *)(?:([-*+]|\d{1,9}[.)]) (?: *\[([ xX])\] )?)?/.exec(rest)!;
    const bullet = mark === "" ? "" : (task ? (task === " " ? "☐" : "☑") : mark.length === 1 ? "•" : mark) + " ";
    const lead = bars + blanks.slice(0, MAX_INDENT) + bullet;
    const indent = bars + " ".repeat(lead.length - bars.length);
    return { spans: parseInline(rest.slice(all.length), styles, complete), lead, indent };
  }

  #readCode(source: string, code: Code): Line {
    const { green, red, grey } = this.#styles;
    const text = source.slice(Math.min(code.indent, source.search(/\S|$/)));
    const diffStyles: Record<string, Style> = { "+": green, "-": red, "@": grey };
    const style = code.language === "diff" ? diffStyles[text[0] ?? ""] : undefined;
    return { spans: [{ text, style }], lead: "  ", indent: "  ", hard: true };
  }
}

function openCode(line: string): Code | undefined {
  const [, indent = "", fence, info = ""] = FENCE.exec(line) ?? [];
  return fence === undefined ? undefined : { fence, indent: indent.length, language: info.trim().split(" ")[0]! };
}

function closes(line: string, { fence }: Code): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}

function within(outer: Style, span: Span): Span {
  const { style } = span;
  return { ...span, style: style ? (text) => outer(style(text)) : outer };
}

const FENCE = /^( *)(`{3,}|~{3,})([^`]*)$/;
/** A line must be this long before its first rows are given out: what kind of line it is must be certain. */
const MIN_EARLY = 20;
/** A longer line is broken in the source, to bound the work that each further piece of it causes. */
const MAX_LINE = 4000;
const MAX_TABLE = 300;
const MAX_INDENT = 16;
