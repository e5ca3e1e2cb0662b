/**
 * What a person is reminded of when a session goes on.
 *
 * @module
 */

import { textOf } from "../agent/agent.ts";
import type { SessionState } from "../agent/session_state.ts";
import type { Look } from "./look.ts";
import { ageText, oneLine } from "./session_text.ts";
import { textRows } from "./text_rows.ts";

/** A session in a few words. */
export interface Recap {
  /** Its title, else what was said first. */
  title: string;
  turns: number;
  /** How long ago it was, in words. */
  age: string;
  /** What the person said last. */
  said: string;
  /** The answer to it; empty where there is none. */
  answered: string;
}

/** What there is to remind of; undefined for a new session. */
export function recapOf({ title, turns, messages, lastAt }: SessionState, now: Date): Recap | undefined {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return undefined;
  const at = messages.findLastIndex(({ role, content }) => role === "user" && textOf(content).includes(last.text));
  const answer = messages.slice(at + 1).findLast(({ role, content }) => role === "assistant" && textOf(content) !== "");
  return {
    title: title ?? first.text,
    turns: turns.length,
    age: ageText(now.getTime() - Date.parse(lastAt ?? last.at)),
    said: last.text,
    answered: answer ? textOf(answer.content) : "",
  };
}

/** One line about the session, and the last exchange, each side cut to a few rows. */
export function recapRows({ title, turns, age, said, answered }: Recap, look: Look): string[] {
  const facts = ` · ${turns} ${turns === 1 ? "turn" : "turns"} · ${age}`;
  const room = look.columns - LEAD.length - facts.length;
  const line = LEAD + oneLine(title, Math.min(TITLE_COLUMNS, Math.max(10, room))) + facts;
  return [...textRows(line, look, look.styles.grey), ...fewRows(`> ${said}`, look), ...fewRows(answered, look)];
}

function fewRows(text: string, look: Look): string[] {
  if (text.trim() === "") return [];
  const rows = textRows(text.trim().slice(0, MAX_ROWS * look.columns), look, look.styles.grey);
  const isCut = rows.length > MAX_ROWS || text.trim().length > MAX_ROWS * look.columns;
  return isCut ? [...rows.slice(0, MAX_ROWS), look.styles.grey("…")] : rows;
}

const LEAD = "Going on: ";
const TITLE_COLUMNS = 50;
const MAX_ROWS = 4;
