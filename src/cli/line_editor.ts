/**
 * The line editor: what a key does to a draft, its history, a search in it and a completion. A pure state machine;
 * it neither reads nor draws.
 *
 * @module
 */

import {
  columnOf,
  type Draft,
  insert,
  left,
  lineEnd,
  lineStart,
  remove,
  right,
  vertical,
  wordLeft,
  wordRight,
} from "./draft.ts";
import type { Key } from "./keys.ts";

/** Everything that the editor remembers between two keys. */
export interface EditorState extends Draft {
  /** What was deleted last by a line or word key; Ctrl+Y puts it back. */
  readonly killed: string;
  /** Earlier inputs, oldest first. */
  readonly history: readonly string[];
  /** Which of {@linkcode EditorState.history} is shown; its length means the person's own draft. */
  readonly historyAt: number;
  /** The own draft, kept while an earlier input is shown. */
  readonly ownText: string;
  /** The column that Up and Down try to keep. */
  readonly goalColumn?: number | undefined;
  readonly search?: Search | undefined;
  readonly menu?: Menu | undefined;
}

/** A search backwards through the history. */
export interface Search {
  readonly query: string;
  /** Which entry is shown; `undefined` when none holds the query. */
  readonly found: number | undefined;
  /** What stood in the editor before. */
  readonly before: Draft;
}

/** Completions on offer for the text from `start` to the cursor. */
export interface Menu {
  readonly start: number;
  readonly candidates: readonly string[];
  /** The candidate that stands in the draft. */
  readonly chosen?: number | undefined;
}

/** What a key asks of the program. */
export type EditorEffect =
  | "submit"
  | "cancel" // Ctrl+C
  | "end" // Ctrl+D in an empty draft
  | "escape"
  | "complete"
  | "redraw"
  | "suspend";

/** An editor after a key. */
export interface EditorStep {
  state: EditorState;
  effect?: EditorEffect;
}

/** An empty editor with a history, oldest entry first. */
export function newEditor(history: readonly string[] = []): EditorState {
  return { text: "", cursor: 0, killed: "", history, historyAt: history.length, ownText: "" };
}

/** The editor with another draft, the cursor at its end. */
export function withText(state: EditorState, text: string): EditorState {
  const { killed, history } = state;
  return { text, cursor: text.length, killed, history, historyAt: history.length, ownText: "" };
}

/** The editor after its draft was sent: empty, and the history longer by the draft. */
export function afterSubmit(state: EditorState): EditorState {
  const { history, text } = state;
  const isNew = text.trim() !== "" && text !== history.at(-1);
  return withText({ ...state, history: isNew ? [...history, text] : history }, "");
}

/**
 * The editor with completions for the text from `start` to the cursor. What all have in common is put in at once; one
 * candidate alone is taken.
 */
export function withCompletions(state: EditorState, start: number, candidates: readonly string[]): EditorState {
  if (candidates.length === 0) return state;
  const common = candidates.reduce(commonStart);
  const typed = state.text.slice(start, state.cursor);
  const next = common.length > typed.length ? replace(state, start, common) : state;
  return candidates.length === 1 ? next : { ...next, menu: { start, candidates } };
}

/** What a key does. */
export function applyKey(state: EditorState, key: Key): EditorStep {
  if (state.search) return searchKey(state, state.search, key);
  if (state.menu && key.type === "press") {
    if (key.name === "tab") return { state: choose(state, state.menu, 1) };
    if (key.name === "shift+tab") return { state: choose(state, state.menu, -1) };
    if (key.name === "escape") return { state: { ...state, menu: undefined } };
  }
  const plain: EditorState = { ...state, menu: undefined };
  if (key.type !== "press") return { state: edited(plain, insert(plain, key.text)) };
  return pressKey(plain, key.name);
}

function pressKey(state: EditorState, name: string): EditorStep {
  const { text, cursor } = state;
  switch (name) {
    case "enter":
      if (text[cursor - 1] === "\\" && cursor === text.length) {
        return { state: edited(state, insert(remove(state, cursor - 1, cursor), "\n")) };
      }
      return { state, effect: "submit" };
    case "alt+enter":
    case "shift+enter":
    case "ctrl+enter":
      return { state: edited(state, insert(state, "\n")) };
    case "tab":
      return { state, effect: "complete" };
    case "ctrl+c":
      return { state, effect: "cancel" };
    case "ctrl+d":
      return text === "" ? { state, effect: "end" } : { state: edited(state, remove(state, cursor, right(state))) };
    case "ctrl+l":
      return { state, effect: "redraw" };
    case "ctrl+z":
      return { state, effect: "suspend" };
    case "escape":
      return { state, effect: "escape" };
    case "ctrl+r":
      return { state: { ...state, search: { query: "", found: undefined, before: { text, cursor } } } };
    default:
      return { state: editKey(state, name) };
  }
}

function editKey(state: EditorState, name: string): EditorState {
  const { cursor } = state;
  switch (name) {
    case "backspace":
    case "shift+backspace":
      return edited(state, remove(state, left(state), cursor));
    case "delete":
      return edited(state, remove(state, cursor, right(state)));
    case "left":
    case "ctrl+b":
      return moved(state, left(state));
    case "right":
    case "ctrl+f":
      return moved(state, right(state));
    case "ctrl+left":
    case "alt+left":
    case "alt+b":
      return moved(state, wordLeft(state));
    case "ctrl+right":
    case "alt+right":
    case "alt+f":
      return moved(state, wordRight(state));
    case "home":
    case "ctrl+a":
      return moved(state, lineStart(state));
    case "end":
    case "ctrl+e":
      return moved(state, lineEnd(state));
    case "ctrl+home":
      return moved(state, 0);
    case "ctrl+end":
      return moved(state, state.text.length);
    case "up":
    case "ctrl+p":
      return vertically(state, -1);
    case "down":
    case "ctrl+n":
      return vertically(state, 1);
    case "ctrl+k":
      return kill(state, cursor, Math.max(lineEnd(state), right(state) * Number(lineEnd(state) === cursor)));
    case "ctrl+u":
      return kill(state, lineStart(state) === cursor ? left(state) : lineStart(state), cursor);
    case "ctrl+w":
      return kill(state, wordLeft(state, NOT_BLANK), cursor);
    case "alt+backspace":
    case "ctrl+backspace":
      return kill(state, wordLeft(state), cursor);
    case "alt+d":
    case "ctrl+delete":
      return kill(state, cursor, wordRight(state));
    case "ctrl+y":
      return edited(state, insert(state, state.killed));
    default:
      return state;
  }
}

/** After a change of the text: an earlier input that was changed is an own draft now. */
function edited(state: EditorState, draft: Draft): EditorState {
  const historyAt = draft.text === state.text ? state.historyAt : state.history.length;
  return { ...state, ...draft, historyAt, goalColumn: undefined };
}

function moved(state: EditorState, cursor: number): EditorState {
  return { ...state, cursor, goalColumn: undefined };
}

function kill(state: EditorState, from: number, to: number): EditorState {
  if (from === to) return state;
  return { ...edited(state, remove(state, from, to)), killed: state.text.slice(from, to) };
}

function vertically(state: EditorState, direction: -1 | 1): EditorState {
  const goalColumn = state.goalColumn ?? columnOf(state);
  const cursor = vertical(state, direction, goalColumn);
  if (cursor !== undefined) return { ...state, cursor, goalColumn };
  const { history, historyAt } = state;
  const at = historyAt + direction;
  if (at < 0 || at > history.length) return state;
  const ownText = historyAt === history.length ? state.text : state.ownText;
  const text = history[at] ?? ownText;
  return { ...state, text, cursor: text.length, historyAt: at, ownText, goalColumn: undefined };
}

function searchKey(state: EditorState, search: Search, key: Key): EditorStep {
  const { query, before } = search;
  const accepted: EditorState = { ...state, search: undefined };
  const cancelled: EditorState = { ...accepted, ...before };
  if (key.type !== "press") return { state: find(state, search, query + key.text.replaceAll("\n", " ")) };
  switch (key.name) {
    case "ctrl+r":
      return { state: find(state, search, query, (search.found ?? state.history.length) - 1) };
    case "backspace":
      return { state: find(state, search, query.slice(0, left({ text: query, cursor: query.length }))) };
    case "ctrl+c":
    case "ctrl+g":
      return { state: cancelled };
    case "escape":
      return { state: accepted };
    default:
      return applyKey(accepted, key);
  }
}

/** Shows the newest entry, at or before `from`, that holds the query; none leaves what is shown. */
function find(state: EditorState, search: Search, query: string, from = state.history.length - 1): EditorState {
  const found = query === "" ? -1 : state.history.findLastIndex((entry, i) => i <= from && entry.includes(query));
  if (found < 0) return { ...state, search: { ...search, query, found: undefined } };
  const text = state.history[found]!;
  return { ...edited(state, { text, cursor: text.length }), search: { ...search, query, found } };
}

function choose(state: EditorState, menu: Menu, step: 1 | -1): EditorState {
  const { candidates, start, chosen } = menu;
  const next = chosen === undefined ? (step > 0 ? 0 : candidates.length - 1) : chosen + step;
  const at = (next + candidates.length) % candidates.length;
  return { ...replace(state, start, candidates[at]!), menu: { ...menu, chosen: at } };
}

function replace(state: EditorState, start: number, text: string): EditorState {
  return edited(state, insert(remove(state, start, state.cursor), text));
}

function commonStart(a: string, b: string): string {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return a.slice(0, n);
}

const NOT_BLANK = /^\S/;
