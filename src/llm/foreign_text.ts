/**
 * Text that others wrote, made fit to be shown in a message of ours.
 *
 * @module
 */

/** An address without what may be secret in it. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a text is a web page. */
export function isHtml(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body|!--|\?xml)/i.test(text);
}

/** Characters that are shown. */
const MAX_EXCERPT = 500;
/** Characters that are looked at. */
const MAX_READ = 16_000;
/** What is shorter is a placeholder for a local server, and a word that would be missing everywhere. */
const MIN_KEY_LENGTH = 8;

/** A piece of a foreign text on one line, short, without control characters and without the key in any form. */
export function excerpt(text: string, { apiKey }: { apiKey?: string }): string {
  const line = redact(text.slice(0, MAX_READ), apiKey).slice(0, MAX_READ / 2) // no key is cut at the end, and so missed
    // deno-lint-ignore no-control-regex -- what a service says must not steer the terminal
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, " ").trim();
  const points = [...line];
  return points.length <= MAX_EXCERPT ? line : `${points.slice(0, MAX_EXCERPT).join("")}…`;
}

function redact(text: string, apiKey: string | undefined): string {
  if (!apiKey || apiKey.length < MIN_KEY_LENGTH) return text;
  const base64 = btoa(apiKey).replace(/=+$/, "");
  const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [apiKey, encodeURIComponent(apiKey), base64, urlSafe].reduce((t, form) => t.replaceAll(form, "[key]"), text);
}
