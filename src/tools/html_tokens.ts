/**
 * Cuts HTML into tags and text, in linear time and without ever failing, as browsers do.
 *
 * @module
 */

import { decodeEntities } from "./html_entities.ts";

/** A piece of a page. */
export type HtmlToken =
  | { type: "text"; text: string }
  /** Names of tags and attributes are in lower case, values are decoded. */
  | { type: "open"; tag: string; attributes: ReadonlyMap<string, string>; isClosed: boolean }
  | { type: "close"; tag: string };

/** Elements whose content is not markup. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);
/** Of these, the ones in which character references count. */
const DECODED = new Set(["textarea", "title"]);

/** All else is text, a lone bracket too. */
const MARKUP = /<[a-zA-Z/!?]/g;
const TAG = /<(\/?)([a-zA-Z][^\s/>]*)/y;
const ATTRIBUTE = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
/** What stands before the end of a tag, or is no attribute. */
const REST_OF_TAG = /[^>]*>?/y;

/** A long text comes in several pieces, so that no step takes long. */
const MAX_TEXT = 32_768;
const MAX_ATTRIBUTES = 100;
const NO_ATTRIBUTES = new Map<string, string>();

/** Yields the pieces of a page in order. */
export function* htmlTokens(html: string): Generator<HtmlToken, void> {
  for (let at = 0; at < html.length;) {
    const open = search(MARKUP, html, at);
    while (at < open) {
      const end = endOfPiece(html, at, open);
      yield { type: "text", text: decodeEntities(html.slice(at, end)) };
      at = end;
    }
    const tag = readTag(html, open);
    at = tag ? tag.end : endOfComment(html, open);
    if (!tag) continue;
    yield tag.token;
    if (tag.token.type !== "open" || !RAW.has(tag.token.tag)) continue;
    const close = search(new RegExp(`</${tag.token.tag}(?=[\\s/>])`, "gi"), html, at);
    const text = html.slice(at, close);
    if (text !== "") yield { type: "text", text: DECODED.has(tag.token.tag) ? decodeEntities(text) : text };
    at = close;
  }
}

/** Where the pattern is found, or the end. */
function search(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function endOfPiece(html: string, from: number, end: number): number {
  if (end - from <= MAX_TEXT) return end;
  const blank = html.slice(from, from + MAX_TEXT).lastIndexOf(" ");
  return from + (blank > 0 ? blank : MAX_TEXT);
}

function readTag(html: string, open: number): { token: HtmlToken & { tag: string }; end: number } | undefined {
  TAG.lastIndex = open;
  const found = TAG.exec(html);
  if (!found) return undefined;
  const tag = found[2]!.toLowerCase();
  let attributes = NO_ATTRIBUTES;
  ATTRIBUTE.lastIndex = TAG.lastIndex;
  let end = TAG.lastIndex;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    const match = ATTRIBUTE.exec(html);
    if (!match) break;
    if (attributes === NO_ATTRIBUTES) attributes = new Map();
    const name = match[1]!.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ""));
    end = ATTRIBUTE.lastIndex;
  }
  REST_OF_TAG.lastIndex = end;
  const rest = REST_OF_TAG.exec(html)?.[0] ?? "";
  end += rest.length;
  const isClosed = rest.endsWith("/>");
  return { token: found[1] === "/" ? { type: "close", tag } : { type: "open", tag, attributes, isClosed }, end };
}

function endOfComment(html: string, open: number): number {
  if (!html.startsWith("<!--", open)) {
    const end = html.indexOf(">", open);
    return end < 0 ? html.length : end + 1;
  }
  const end = html.indexOf("-->", open + 2); // "<!-->" is a whole comment
  return end < 0 ? html.length : end + 3;
}
