/**
 * A web page as text that a model reads well: headings, lists, links, code and tables as in Markdown, and nothing that
 * a person would not see.
 *
 * @module
 */

import { COLLECTED, isHidden, isList, isSkipped, REACH, SIBLINGS, spacingOf } from "./html_elements.ts";
import { codeBlock, imageText, inlineCode, languageOf, linkText, quotation, tableRow } from "./html_markdown.ts";
import { type HtmlToken, htmlTokens } from "./html_tokens.ts";
import { TextLayout } from "./text_layout.ts";
import { TimeSlices } from "./time_slices.ts";

/** A page's title and its text. */
export interface PageText {
  readonly title: string;
  readonly text: string;
  /** It took too long, and the rest is missing. */
  readonly isCut: boolean;
}

const MAX_MS = 5000;

/**
 * Turns a page into text, in linear time and in slices.
 *
 * @param base The page's address: links are resolved against it.
 * @throws The signal's reason when it aborts.
 */
export async function htmlToText(html: string, base: string, signal: AbortSignal): Promise<PageText> {
  const slices = new TimeSlices(signal, MAX_MS);
  const page = new Page(base);
  let isCut = false;
  for (const token of htmlTokens(html)) {
    page.add(token);
    isCut = slices.isOver && !await slices.pause();
    if (isCut) break;
  }
  return { ...page.finish(), isCut };
}

/** How often an element may stand in itself. What is deeper is only text: each level costs another copy of it. */
const MAX_NESTING = 5;

/** An open element. */
interface Element {
  readonly tag: string;
  readonly href: string | undefined;
  /** Where its text goes. */
  readonly layout: TextLayout;
  /** An `ol`'s next number. */
  next: number;
  /** A `tr`'s cells. */
  readonly cells: string[];
  /** A `table`'s rows so far. */
  rows: number;
}

class Page {
  #base: string;
  #title = "";
  #isTitle = false;
  readonly #main = new TextLayout();
  readonly #stack: Element[] = [];
  /** The element whose content is passed over, and how often it is open in itself. */
  #skipped: { tag: string; depth: number } | undefined;
  #pre: { language: string; text: string[] } | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  add(token: HtmlToken): void {
    if (this.#skipped) this.#skip(token, this.#skipped);
    else if (this.#pre) this.#keep(token, this.#pre);
    else if (token.type === "open") this.#open(token);
    else if (token.type === "close") this.#close(token.tag);
    else if (this.#isTitle) this.#title += token.text;
    else this.#layout.text(token.text);
  }

  finish(): { title: string; text: string } {
    if (this.#pre) this.#endPre(this.#pre);
    this.#endFrom(0);
    return { title: this.#title.replace(/\s+/g, " ").trim(), text: this.#main.toString() };
  }

  get #layout(): TextLayout {
    return this.#stack.at(-1)?.layout ?? this.#main;
  }

  #skip(token: HtmlToken, skipped: { tag: string; depth: number }): void {
    if (token.type === "text" || token.tag !== skipped.tag) return;
    if (token.type === "open") skipped.depth += token.isClosed ? 0 : 1;
    else if (--skipped.depth === 0) this.#skipped = undefined;
  }

  /** Code keeps its blanks and loses its markup. */
  #keep(token: HtmlToken, pre: { language: string; text: string[] }): void {
    if (token.type === "text") pre.text.push(token.text);
    else if (token.type === "close") {
      if (token.tag === "pre") this.#endPre(pre);
    } else if (token.tag === "br") pre.text.push("\n");
    else pre.language ||= languageOf(token.attributes);
  }

  #open({ tag, attributes, isClosed }: HtmlToken & { type: "open" }): void {
    if (isSkipped(tag) || isHidden(tag, attributes)) {
      if (!isClosed) this.#skipped = { tag, depth: 1 };
      return;
    }
    this.#endSiblings(tag);
    this.#break(tag);
    if (REACH.has(tag)) return this.#push(tag, attributes);
    switch (tag) {
      case "title":
        this.#isTitle = true;
        break;
      case "base":
        this.#base = resolveUrl(attributes.get("href"), this.#base) ?? this.#base;
        break;
      case "img":
        this.#layout.text(imageText(attributes.get("alt")));
        break;
      case "hr":
        this.#layout.exact("---");
        this.#break(tag);
        break;
      case "pre":
        this.#pre = { language: languageOf(attributes), text: [] };
        break;
      default:
        if (/^h[1-6]$/.test(tag) && !this.#isOpen("a")) this.#layout.mark(`${"#".repeat(Number(tag[1]))} `);
    }
  }

  #push(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#stack.filter((element) => element.tag === tag).length >= MAX_NESTING) return;
    if (tag === "li") {
      const lists = this.#stack.filter((element) => isList(element.tag));
      const list = lists.at(-1);
      this.#layout.mark("  ".repeat(Math.max(0, lists.length - 1)) + (list?.tag === "ol" ? `${list.next++}. ` : "- "));
    }
    this.#stack.push({
      tag,
      href: tag === "a" ? resolveUrl(attributes.get("href"), this.#base) : undefined,
      layout: COLLECTED.has(tag) ? new TextLayout() : this.#layout,
      next: Number.parseInt(attributes.get("start") ?? "1") || 1,
      cells: [],
      rows: 0,
    });
  }

  #close(tag: string): void {
    if (tag === "title") this.#isTitle = false;
    const index = this.#find(tag);
    if (index >= 0) this.#endFrom(index);
    if (/^(?:li|h[1-6])$/.test(tag)) this.#layout.unmark();
    this.#break(tag);
  }

  #break(tag: string): void {
    const spacing = isList(tag) && this.#isOpen("li") ? 1 : spacingOf(tag);
    if (spacing) this.#layout.break(spacing);
  }

  /** Ends what a tag ends by its mere beginning. */
  #endSiblings(tag: string): void {
    for (const sibling of SIBLINGS.get(tag) ?? []) {
      const index = this.#find(sibling);
      const isInList = this.#stack.slice(index + 1).some((element) => isList(element.tag));
      if (index >= 0 && !isInList) this.#endFrom(index);
    }
  }

  #isOpen(tag: string): boolean {
    return this.#find(tag) >= 0;
  }

  /** The innermost open element with this tag that an end tag would reach, or -1. */
  #find(tag: string): number {
    const barriers = REACH.get(tag);
    if (!barriers) return -1;
    for (let i = this.#stack.length - 1; i >= 0; i--) {
      const open = this.#stack[i]!.tag;
      if (open === tag) return i;
      if (barriers.has(open)) return -1;
    }
    return -1;
  }

  #endFrom(index: number): void {
    while (this.#stack.length > index) this.#end(this.#stack.pop()!);
  }

  #end(element: Element): void {
    const outer = this.#layout;
    const text = element.layout.toString();
    switch (element.tag) {
      case "a":
        outer.collected(element.layout, linkText(text, element.href));
        break;
      case "code":
      case "kbd":
      case "samp":
        outer.collected(element.layout, inlineCode(text));
        break;
      case "blockquote":
        outer.exact(quotation(text));
        break;
      case "td":
      case "th": {
        const row = this.#stack.findLast((open) => open.tag === "tr");
        if (row) row.cells.push(text);
        else {
          outer.break(1);
          outer.exact(text);
          outer.break(1);
        }
        break;
      }
      case "tr": {
        const table = this.#stack.findLast((open) => open.tag === "table");
        outer.exact(tableRow(element.cells, table ? table.rows++ === 0 : false));
      }
    }
  }

  #endPre(pre: { language: string; text: string[] }): void {
    this.#pre = undefined;
    this.#layout.break(2);
    this.#layout.exact(codeBlock(pre.text.join(""), pre.language));
    this.#layout.break(2);
  }
}

/** An address that can be fetched, or nothing. */
function resolveUrl(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
