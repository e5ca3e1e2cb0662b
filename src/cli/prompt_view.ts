/**
 * Draws what stands at the bottom while a person writes, and what stays of it when it was sent.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import type { Styles } from "./ansi.ts";
import { type Block, drawDraft, type Size } from "./input_view.ts";
import type { EditorState, Menu, Search } from "./line_editor.ts";
import { cutToWidth } from "./text_width.ts";
import { paint, wrap, wrapHard } from "./wrap.ts";

/** What there is to draw. */
export interface PromptState {
  readonly editor: EditorState;
  /** Inputs that wait for the present turn to end. */
  readonly queue: readonly string[];
  /** The answers on offer, while a question is open. */
  readonly question: string | undefined;
  readonly hint: string;
}

/** The prompt with what belongs to it. As much as possible of the draft is seen first, then the rest. */
export function drawPrompt({ editor, queue, question, hint }: PromptState, size: Size, styles: Styles): Block {
  const columns = Math.max(1, size.columns - 1);
  const row = (text: string) => styles.grey(cutToWidth(oneLine(text), columns));
  const { search, menu } = editor;
  // The draft keeps one row at the least.
  const spare = size.rows - 1;
  const below = (menu ? menuRows(menu, columns).map(styles.grey) : hint === "" ? [] : [row(hint)]).slice(0, spare);
  const above =
    (question === undefined
      ? queue.map((input) => row(`queued: ${input.slice(0, 500)} (Esc takes it back)`))
      : wrap([{ text: question.trim(), style: styles.yellow }], columns).map(paint)).slice(0, spare - below.length);
  const room = size.rows - above.length - below.length;
  const prompt = search ? searchPrompt(search) : "> ";
  const draft = drawDraft(editor, { columns: size.columns, rows: room }, prompt);
  const cursor = draft.cursor && { ...draft.cursor, row: draft.cursor.row + above.length };
  return { rows: [...above, ...draft.rows, ...below], cursor };
}

/** An input as it stays on the screen. Of a very long one the beginning. */
export function echoRows(input: string, columns: number): string[] {
  const lines = input.trimEnd().split("\n", MAX_ECHO + 1);
  const width = Math.max(1, columns - 3);
  const rows = lines.flatMap((line) => {
    const text = neutralise(line.slice(0, (MAX_ECHO + 1) * width)).replaceAll("\t", "    ");
    return wrapHard([{ text }], width).map(paint);
  });
  const shown = rows.length > MAX_ECHO ? [...rows.slice(0, MAX_ECHO), `… (${input.length} characters)`] : rows;
  const lead = columns >= 4 ? ["> ", "  "] : ["", ""];
  return shown.map((row, i) => lead[i === 0 ? 0 : 1] + row);
}

function searchPrompt({ query, found }: Search): string {
  return `${query !== "" && found === undefined ? "no match" : "search"} "${oneLine(query)}": `;
}

function menuRows({ candidates, chosen }: Menu, columns: number): string[] {
  const from = Math.max(0, Math.min((chosen ?? 0) - 3, candidates.length - MENU_ROWS));
  const rows = candidates.slice(from, from + MENU_ROWS).map((candidate, i) => {
    return cutToWidth(`${from + i === chosen ? "▸" : " "} ${oneLine(candidate)}`, columns);
  });
  const rest = candidates.length - rows.length;
  return rest > 0 ? [...rows, cutToWidth(`  … ${rest} more`, columns)] : rows;
}

function oneLine(text: string): string {
  return neutralise(text).replaceAll(/\s/g, " ").trimEnd();
}

const MENU_ROWS = 7;
const MAX_ECHO = 20;
