/**
 * What is known of the elements of HTML, as far as it shows in the text.
 *
 * @module
 */

/** Never shown, or of no use as text. */
const SKIPPED = words(
  "script style template svg math iframe canvas audio video object select datalist textarea noembed noframes",
);
/** What may be hidden: elements that are always closed, so that nothing else is hidden with them. */
const HIDEABLE = words("div span section article aside nav ul ol table a button form dialog");
const PARAGRAPHS = words(
  "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote hr section article main header footer nav aside form figure details",
);
const LINES = words("br div li dt dd tr caption figcaption summary fieldset legend address center");

/** Elements that do something when they end, and what an end tag of theirs does not reach beyond. */
export const REACH: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...["a", "code", "kbd", "samp", "ul", "ol", "li"].map((tag) => [tag, words("td th table blockquote")] as const),
  ...["tr", "td", "th"].map((tag) => [tag, words("table")] as const),
  ["blockquote", words("td th table")],
  ["table", words("")],
]);
/** Of these, the ones whose text is changed as a whole when they end. */
export const COLLECTED = words("a code kbd samp blockquote td th");
/** What an element ends by its mere beginning. */
export const SIBLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["a"]],
  ["li", ["li"]],
  ["tr", ["td", "th", "tr"]],
  ["td", ["td", "th"]],
  ["th", ["td", "th"]],
]);

/** Whether an element's content is never shown. */
export function isSkipped(tag: string): boolean {
  return SKIPPED.has(tag);
}

/** Whether this one element and its content are not shown. */
export function isHidden(tag: string, attributes: ReadonlyMap<string, string>): boolean {
  if (!HIDEABLE.has(tag)) return false;
  return attributes.has("hidden") || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get("style") ?? "");
}

/** The line breaks before and after an element: 2 make an empty line. */
export function spacingOf(tag: string): 1 | 2 | undefined {
  return PARAGRAPHS.has(tag) ? 2 : LINES.has(tag) ? 1 : undefined;
}

/** Whether items stand in it. */
export function isList(tag: string): boolean {
  return tag === "ul" || tag === "ol";
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
