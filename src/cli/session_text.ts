/**
 * Sessions as text for people.
 *
 * @module
 */

import type { SessionState } from "../agent/session_state.ts";
import type { SessionSummary } from "../agent/session_store.ts";
import { textOf } from "../agent/agent.ts";
import type { TranscriptCall, TranscriptEntry } from "../agent/session_transcript.ts";
import { cutToWidth } from "./text_width.ts";

/** Two lines for one session: what it is, and what was said first and last. */
export function sessionRows({ id, changedAt, header, state }: SessionSummary, now: Date): string {
  const turns = `${state.turns.length} ${state.turns.length === 1 ? "turn" : "turns"}`;
  const facts = [
    id.slice(0, 8),
    ageText(now.getTime() - changedAt.getTime()),
    header?.cwd ?? state.prefix?.roots[0] ?? "(folder not known)",
    turns,
    `$${state.costUsd.toFixed(4)}`,
  ];
  const first = state.title ?? state.turns[0]?.text ?? "(nothing was said)";
  const last = lastText(state);
  const said = last === "" ? oneLine(first, 90) : `${oneLine(first, 44)} → ${oneLine(last, 44)}`;
  return `${facts.join("  ")}\n          ${said}`;
}

/** How long ago something was. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  return `${days} ${days === 1 ? "day" : "days"} ago`;
}

/** The text of the last reply that has one. */
function lastText({ messages }: SessionState): string {
  const last = messages.findLast(({ role, content }) => role === "assistant" && textOf(content).trim() !== "");
  return last ? textOf(last.content) : "";
}

/** A whole session as Markdown. */
export function transcriptText(title: string, entries: readonly TranscriptEntry[]): string {
  return [`# ${oneLine(title, 100)}`, ...entries.map(entryText)].join("\n\n") + "\n";
}

function entryText(entry: TranscriptEntry): string {
  switch (entry.type) {
    case "user":
      return `## You, ${entry.at}\n\n${entry.text}${entry.images > 0 ? `\n\n(${entry.images} images)` : ""}`;
    case "reply": {
      const text = entry.interrupted ? `${entry.text}\n\n(interrupted)` : entry.text;
      const parts = [text, ...entry.calls.map(callText)].filter((part) => part !== "");
      return [`## ${entry.model ?? "Model"}, ${entry.at}`, ...parts].join("\n\n");
    }
    case "break":
      return `*${entry.text}*`;
    default:
      return entry satisfies never;
  }
}

function callText({ name, input, result, isError }: TranscriptCall): string {
  const lines = (result ?? "(no result)").split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => `    ${line}`);
  const more = lines.length > MAX_LINES ? [`    … ${lines.length - MAX_LINES} more lines`] : [];
  const head = `- ${name} ${oneLine(JSON.stringify(input), 160)}${isError ? " (failed)" : ""}`;
  return [head, "", ...shown, ...more].join("\n");
}

const MAX_LINES = 20;

/** A text on one line of at most so many columns. */
export function oneLine(text: string, columns: number): string {
  return cutToWidth(text.slice(0, 4 * columns).replace(/\s+/g, " ").trim(), columns);
}
