/**
 * A session as one page that people read and send: it needs nothing beside itself and asks no server for anything.
 *
 * @module
 */

import type { FileBefore, SessionHeader } from "../agent/session_records.ts";
import type { SessionState } from "../agent/session_state.ts";
import type { TranscriptCall, TranscriptEntry } from "../agent/session_transcript.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { diffLines } from "./diff.ts";
import css from "./export_html.css" with { type: "text" };
import { oneLine } from "./session_text.ts";
import { formatCount } from "./turn_status.ts";

/** What a page is made of. */
export interface PageContent {
  id: string;
  header?: SessionHeader;
  state: SessionState;
  entries: readonly TranscriptEntry[];
  /** What a file held before a change, by its hash. */
  contentBefore(hash: string): Promise<Uint8Array | undefined>;
  /** Takes out what must not be shown. */
  redact(text: string): string;
}

/** The whole page. */
export async function sessionPage(content: PageContent): Promise<string> {
  const { id, header, state, entries, redact } = content;
  const html = (text: string) => escape(redact(text));
  const title = html(oneLine(state.title ?? state.turns[0]?.text ?? id, 120));
  const { usage } = state.past();
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const facts = [
    ["Session", id],
    ["Folder", header?.cwd ?? "not known"],
    ["Begun", header ? minutes(header.createdAt) : "not known"],
    ["Model", header?.model ?? "not known"],
    [
      "Tokens",
      `${formatCount(input)} in (${formatCount(usage.cacheReadTokens)} cached), ${formatCount(usage.outputTokens)} out`,
    ],
    ["Cost", `$${state.costUsd.toFixed(4)}`],
  ].map(([name, value]) => `<dt>${name}</dt><dd>${html(value!)}</dd>`);
  const articles: string[] = [];
  for (const entry of entries) articles.push(await article(entry, content, html));
  return [
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    // nothing in a session can make the page run or load something
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${title}</title>\n<style>\n${css}</style>\n</head>\n<body>`,
    `<h1>${title}</h1>\n<dl>${facts.join("")}</dl>`,
    ...articles,
    "</body>\n</html>\n",
  ].join("\n");
}

async function article(entry: TranscriptEntry, content: PageContent, html: (text: string) => string): Promise<string> {
  switch (entry.type) {
    case "user": {
      const images = entry.images > 0 ? `\n(${entry.images} ${entry.images === 1 ? "picture" : "pictures"})` : "";
      return `<article class="person">${head("You", entry.at, "", html)}${prose(entry.text + images, html)}</article>`;
    }
    case "reply": {
      const cost = entry.cost === undefined ? "" : `$${entry.cost.toFixed(4)}`;
      const thinking = entry.thinking.trim() === ""
        ? ""
        : `<details><summary><b>Thinking</b></summary>${prose(entry.thinking, html)}</details>`;
      const calls: string[] = [];
      for (const call of entry.calls) calls.push(await callHtml(call, content, html));
      const text = entry.interrupted ? `${entry.text}\n(interrupted)` : entry.text;
      return `<article>${head(entry.model ?? "Model", entry.at, cost, html)}${thinking}${prose(text, html)}${
        calls.join("\n")
      }</article>`;
    }
    case "break":
      return `<p class="break"><span>${html(entry.text)}</span></p>`;
    default:
      return entry satisfies never;
  }
}

function head(who: string, at: string, note: string, html: (text: string) => string): string {
  return `<header><b>${html(who)}</b><span>${html(minutes(at))}</span><span>${html(note)}</span></header>`;
}

/** Text with its code blocks set apart. */
function prose(text: string, html: (text: string) => string): string {
  return text.split(/^```[^\n]*\n([^]*?)^```[ \t]*$/m).map((part, i) => {
    if (i % 2 === 1) return `<pre>${html(part)}</pre>`;
    return part.trim() === "" ? "" : `<div class="prose">${inline(html(part.trim()))}</div>`;
  }).join("");
}

/** The marks that replies are full of: headings, bold and code. */
function inline(text: string): string {
  return text
    .replace(/^#{1,6} (.+)$/gm, "<strong>$1</strong>")
    .replace(/`([^`\n]{1,500})`/g, "<code>$1</code>")
    .replace(/\*\*([^*\n]{1,500})\*\*/g, "<strong>$1</strong>");
}

async function callHtml(call: TranscriptCall, content: PageContent, html: (text: string) => string): Promise<string> {
  const { name, input, result, isError } = call;
  const subject = subjectOf(input);
  const diff = isError ? undefined : await diffHtml(call, content, html);
  const output = `<pre>${html(result ?? "(no result)")}</pre>`;
  const full = subject === undefined || Object.keys(input as object).length > 1;
  const args = diff || !full ? "" : `<pre>${html(JSON.stringify(input, null, 2))}</pre>`;
  const open = diff ? " open" : "";
  return `<details${isError ? ' class="failed"' : ""}${open}><summary><b>${html(name)}</b> ${
    html(oneLine(subject ?? "", 160))
  }</summary>${args}${diff ?? output}</details>`;
}

/** The path, command or URL of a call. */
function subjectOf(input: unknown): string | undefined {
  const fields = input as Record<string, unknown>;
  const value = ["path", "command", "url", "pattern", "description", "name"].map((name) => fields?.[name])
    .find((value) => typeof value === "string");
  return value as string | undefined;
}

/** The change that a call made to a file; undefined if it made none that is known. */
async function diffHtml(
  { input, change }: TranscriptCall,
  { contentBefore }: PageContent,
  html: (text: string) => string,
): Promise<string | undefined> {
  const { old_string: removed, new_string: added, content } = input as Record<string, unknown>;
  if (!change) return undefined;
  if (typeof removed === "string" && typeof added === "string") return drawDiff(removed, added, html);
  if (typeof content !== "string") return undefined;
  const before = await textBefore(change.before, contentBefore);
  return drawDiff(before, content, html);
}

async function textBefore(before: FileBefore, get: PageContent["contentBefore"]): Promise<string> {
  return new TextDecoder().decode(before ? await get(before.hash) : undefined);
}

function drawDiff(before: string, after: string, html: (text: string) => string): string {
  const lines = diffLines(before, after).flat();
  const rows = lines.map(({ kind, text }) => {
    const mark = kind === "added" ? "+" : kind === "removed" ? "-" : " ";
    return `<span class="${kind}">${mark} ${html(text.replace(/\r?\n$/, ""))}</span>`;
  });
  return `<pre class="diff">${rows.join("")}</pre>`;
}

/** To the minute, in universal time. */
function minutes(at: string): string {
  return at.replace("T", " ").replace(/:\d\d(?:\.\d+)?Z$/, " UTC");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return neutralise(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}
