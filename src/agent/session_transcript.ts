/**
 * A session as people read it: who said what, which tools were called and what came of it, in order.
 *
 * @module
 */

import type { Block, Usage } from "../llm/types.ts";
import type { FileBefore, SessionRecord, Stamped } from "./session_records.ts";

/** A call and what came of it. */
export interface TranscriptCall {
  name: string;
  input: unknown;
  /** Absent if it got none. */
  result?: string;
  isError: boolean;
  /** The file that it changed, as it was before. */
  change?: { path: string; before: FileBefore };
}

/** One piece of a session. */
export type TranscriptEntry =
  | { type: "user"; text: string; images: number; at: string }
  | {
    type: "reply";
    text: string;
    thinking: string;
    calls: TranscriptCall[];
    at: string;
    /** Absent for a reply that was cut off. */
    model?: string;
    usage?: Usage;
    /** USD; absent where no price was known. */
    cost?: number;
    interrupted: boolean;
  }
  /** The conversation was made shorter, cleared, or taken back to before a turn. */
  | { type: "break"; text: string; at: string };

/** The pieces of a session in order. */
export function transcriptOf(records: readonly Stamped[]): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const calls = new Map<string, TranscriptCall>();
  let running: string | undefined;
  for (const record of records) {
    const { at } = record;
    switch (record.type) {
      case "user":
        entries.push({ type: "user", ...said(record.content), at });
        break;
      case "reply":
      case "partial":
        entries.push(replyOf(record, calls));
        break;
      case "intent":
        running = record.id;
        break;
      case "change": {
        const call = running === undefined ? undefined : calls.get(running);
        if (call) call.change ??= { path: record.path, before: record.before };
        break;
      }
      case "result": {
        const call = calls.get(record.block.toolUseId);
        if (call) Object.assign(call, { result: record.block.content, isError: record.block.isError });
        break;
      }
      default: {
        const text = breakText(record);
        if (text !== undefined) entries.push({ type: "break", text, at });
      }
    }
  }
  return entries;
}

function said(content: readonly Block[]): { text: string; images: number } {
  const texts = content.filter((block) => block.type === "text").map(({ text }) => text);
  return { text: texts.join("\n\n"), images: content.filter(({ type }) => type === "image").length };
}

function replyOf(
  record: Extract<Stamped, { type: "reply" | "partial" }>,
  calls: Map<string, TranscriptCall>,
): TranscriptEntry {
  const whole = record.type === "reply" ? record : undefined;
  const content: readonly Block[] = record.type === "reply" ? record.response.content : record.content;
  const made: TranscriptCall[] = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const call: TranscriptCall = { name: block.name, input: block.input, isError: false };
    calls.set(block.id, call);
    made.push(call);
  }
  const cost = whole?.charge?.cost?.total;
  return {
    type: "reply",
    text: said(content).text,
    thinking: content.flatMap((block) => block.type === "thinking" ? block.text : []).join("\n\n"),
    calls: made,
    at: record.at,
    ...(whole && { model: whole.response.model, usage: whole.response.usage }),
    ...(cost !== undefined && { cost }),
    interrupted: whole === undefined,
  };
}

function breakText(record: SessionRecord): string | undefined {
  switch (record.type) {
    case "compaction":
      return "The conversation was made shorter: its older part became a summary";
    case "reset":
      return "The conversation was cleared";
    case "rewind":
      return `The conversation was taken back to before turn ${record.turn}`;
    case "undo":
      return `Changes were taken back: ${record.paths.join(", ")}`;
    default:
      return undefined;
  }
}
