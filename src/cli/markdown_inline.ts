/**
 * Markdown inside a line: emphasis, code, links.
 *
 * @module
 */

import type { Style, Styles } from "./ansi.ts";
import type { Span } from "./wrap.ts";

/**
 * Splits a line into styled pieces.
 *
 * @param complete Whether the whole line is there. In a line that is still arriving, the pieces from a mark on that
 * may yet find its partner are `open`; those before it never change, whatever follows.
 */
export function parseInline(text: string, styles: Styles, complete = true): Span[] {
  const spans: Span[] = [];
  parse(text, { styles, complete, style: (text) => text, searched: new Map() }, spans);
  return spans;
}

interface Context {
  readonly styles: Styles;
  readonly complete: boolean;
  /** What surrounds the piece dresses it too. */
  readonly style: Style;
  /** Up to where no partner was found for a mark: the next one like it need not look there again. */
  readonly searched: Map<string, number>;
}

/** A marked piece of a text and what is shown for it; `undecided` if too little has arrived to tell. */
type Piece = { end: number; spans: Span[] } | "undecided" | "plain";

function parse(text: string, context: Context, spans: Span[]): void {
  const marks = new RegExp(MARK);
  let plainFrom = 0;
  let open = false;
  const add = (...added: Span[]) => added.forEach((span) => spans.push(open ? { ...span, open } : span));
  const addPlain = (until: number) => {
    if (until > plainFrom) add({ text: text.slice(plainFrom, until), style: context.style });
    plainFrom = until;
  };
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const piece = readPiece(text, mark.index, mark[0], context);
    if (piece === "plain") continue;
    addPlain(mark.index);
    if (piece === "undecided") {
      open = true;
    } else {
      add(...piece.spans);
      plainFrom = marks.lastIndex = piece.end;
    }
  }
  addPlain(text.length);
}

function readPiece(text: string, at: number, mark: string, context: Context): Piece {
  switch (mark[0]) {
    case "\\":
      if (at + 1 === text.length) return context.complete ? "plain" : "undecided";
      return { end: at + 2, spans: [{ text: text[at + 1]!, style: context.style }] };
    case "`":
      return readCode(text, at, mark, context);
    case "!":
    case "[":
      return readLink(text, at, context);
    default:
      return readEmphasis(text, at, mark, context);
  }
}

function readCode(text: string, at: number, mark: string, context: Context): Piece {
  const { styles, style } = context;
  const close = findRun(text, at, mark, context, () => true);
  if (typeof close === "string") return close;
  const end = close + mark.length;
  // Without styles the marks stay: they are all that sets code apart.
  if (!styles.on) return { end, spans: [{ text: text.slice(at, end), style }] };
  const code = text.slice(at + mark.length, close);
  const shown = /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
  return { end, spans: [{ text: shown, style: (text) => style(styles.cyan(text)) }] };
}

function readEmphasis(text: string, at: number, mark: string, context: Context): Piece {
  const { styles, complete } = context;
  const dress = emphasis(mark, styles);
  if (!dress) return "plain";
  const inside = at + mark.length;
  if (inside === text.length && !complete) return "undecided";
  const isWord = (character = "") => mark[0] === "_" && /[\p{L}\p{N}]/u.test(character);
  if (/^(?:\s|$)/.test(text.slice(inside, inside + 1)) || isWord(text[at - 1])) return "plain";
  const close = findRun(text, at, mark, context, (found) => {
    return !/\s/.test(text[found - 1]!) && !isWord(text[found + mark.length]);
  });
  if (typeof close === "string") return close;
  const spans: Span[] = [];
  parseInside(text.slice(inside, close), context, dress, spans);
  return { end: close + mark.length, spans };
}

function readLink(text: string, at: number, context: Context): Piece {
  const rest = text.slice(at, at + MAX_PIECE);
  const link = LINK.exec(rest);
  if (!link) return !context.complete && text.length < at + MAX_PIECE && LINK_START.test(rest) ? "undecided" : "plain";
  const { styles } = context;
  const [source, label, address] = link as unknown as [string, string, string];
  const spans: Span[] = [];
  parseInside(label, context, styles.underline, spans);
  if (address !== label) spans.push({ text: ` (${address})`, style: styles.grey });
  return { end: at + source.length, spans };
}

function parseInside(text: string, { styles, style }: Context, dress: Style, spans: Span[]): void {
  parse(text, { styles, complete: true, style: (text) => style(dress(text)), searched: new Map() }, spans);
}

/** Looks for a run of exactly the same characters as the mark at `at`. */
function findRun(
  text: string,
  at: number,
  mark: string,
  { complete, searched }: Context,
  accept: (index: number) => boolean,
): number | "undecided" | "plain" {
  const runs = new RegExp(`\\${mark[0]}+`, "g");
  runs.lastIndex = Math.max(at + mark.length, searched.get(mark) ?? 0);
  for (let run = runs.exec(text); run && run.index < at + MAX_PIECE; run = runs.exec(text)) {
    // What follows tells whether the run is whole, and whether it ends a word.
    if (!complete && runs.lastIndex === text.length) return "undecided";
    if (run[0] === mark && accept(run.index)) return run.index;
  }
  searched.set(mark, at + MAX_PIECE);
  return !complete && text.length < at + MAX_PIECE ? "undecided" : "plain";
}

function emphasis(mark: string, styles: Styles): Style | undefined {
  if (mark[0] === "~") return mark.length === 2 ? styles.strike : undefined;
  if (mark.length === 1) return styles.italic;
  if (mark.length === 2) return styles.bold;
  return mark.length === 3 ? (text) => styles.bold(styles.italic(text)) : undefined;
}

const MARK = /\\(?=[!-/:-@[-`{-~]|$)|`+|!?\[|!$|\*+|_+|~+/g;
const LINK = /^!?\[([^\]]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/;
const LINK_START = /^!?(?:$|\[[^\]]*(?:$|\](?:$|\([^)]*$)))/;
/** Code units within which a mark finds its partner. One without a partner costs no more than this. */
const MAX_PIECE = 600;
