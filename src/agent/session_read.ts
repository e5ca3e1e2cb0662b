/**
 * Session files as they are found: a crash, a full disk or an editor may have damaged them. A damaged place costs at
 * most the record that stood there.
 *
 * @module
 */

import type { SessionHeader, Stamped } from "./session_records.ts";
import { isHeader, isLaterRecord, isRecord } from "./session_shapes.ts";

/** What a session file holds. */
export interface SessionText {
  /** Absent if the file is empty or its first line is lost. */
  header?: SessionHeader;
  records: Stamped[];
  /** Lines, or parts of lines, that could not be used. */
  damaged: number;
  /** Records of kinds that only a later version of the program knows. */
  later: number;
  /** Bytes to keep when the file is written on: what follows is half a record. */
  soundBytes: number;
}

/** Where a record begins that was written onto the line of another. Inside a text these quotes would be escaped. */
const FUSED = /(?=\{"at":"\d{4}-\d\d-\d\dT[\d:.]+Z","type":")/;
const NEWLINE = 10;

/**
 * Reads the bytes of a session file. Never throws: a file of nothing but damage gives no records.
 *
 * @example
 * ```ts
 * import { readSessionText } from "./session_read.ts";
 *
 * const { damaged, records } = readSessionText(new TextEncoder().encode('{"at":"2026-11-30","type":"reset"}\n{"at'));
 * if (records.length !== 1 || damaged !== 1) throw new Error(`${damaged} damaged`);
 * ```
 */
export function readSessionText(bytes: Uint8Array): SessionText {
  const text: SessionText = { records: [], damaged: 0, later: 0, soundBytes: bytes.length };
  const whole = bytes.lastIndexOf(NEWLINE) + 1;
  const decoder = new TextDecoder();
  for (const line of decoder.decode(bytes.subarray(0, whole)).split("\n")) readLine(line, text);
  const rest = bytes.subarray(whole);
  if (rest.length > 0) {
    const before = text.damaged;
    readLine(decoder.decode(rest), text);
    if (text.damaged > before) text.soundBytes = whole;
  }
  return text;
}

function readLine(line: string, text: SessionText): void {
  if (line.trim() === "") return;
  // a crash of the system can leave zeros where data was to come
  const clean = line.replaceAll("\0", "");
  if (clean.length < line.length) text.damaged++;
  if (clean.trim() === "" || take(parse(clean), text)) return;
  const parts = clean.split(FUSED);
  if (parts.length === 1) return void text.damaged++;
  for (const part of parts) if (!take(parse(part), text)) text.damaged++;
}

/** Whether the value was of use. */
function take(value: unknown, text: SessionText): boolean {
  if (isRecord(value)) {
    text.records.push(value);
    return true;
  }
  if (isLaterRecord(value)) {
    text.later++;
    return true;
  }
  if (text.header || !isHeader(value)) return false;
  text.header = value;
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
