/**
 * The question about a call, and what an answer means. The same words are used in the terminal and in the plain line
 * loop.
 *
 * @module
 */

import type { Decision, Question } from "../agent/ui.ts";
import { diffRows } from "./diff_view.ts";
import { visible } from "../permissions/neutralise.ts";
import type { Look } from "./look.ts";
import { textRows } from "./text_rows.ts";
import { paint, wrapHard } from "./wrap.ts";

/**
 * What a person must see to decide: the whole subject and the change, invisible characters made visible.
 */
export function questionRows({ tool, subject, reason, display, rule }: Question, look: Look): string[] {
  const inner = { ...look, columns: Math.max(1, look.columns - 2) };
  const lines = visible(subject).replaceAll("\t", "    ").split("\n");
  const body = lines.flatMap((line) => wrapHard([{ text: line }], inner.columns).map(paint));
  if (display?.type === "diff") body.push(...diffRows(display, inner, MAX_DIFF_ROWS));
  if (rule !== undefined) {
    const note = wrapHard(
      [{ text: visible(`always adds the rule ${rule}`).replaceAll("\n", "⟨U+000A⟩") }],
      inner.columns,
    );
    body.push(...note.map(paint).map(look.styles.grey));
  }
  return [...textRows(`Allow ${tool}? (${reason})`, look, look.styles.bold), ...body.map((row) => `  ${row}`)];
}

/** The answers on offer. Without a rule that could be written there is no `always`. */
export function answersTo({ rule }: Question): { label: string; hint: string } {
  const always = rule === undefined ? ["", ""] : ["[a]lways, ", "a, "];
  return {
    label: `[y]es, [s]ession, ${always[0]}[n]o, or no and a reason: `,
    hint: `The answer is y, s, ${always[1]}n, or n and a reason`,
  };
}

/** What an answer means; `undefined` if it is none of those on offer. */
export function parseAnswer(text: string, { rule }: Question): Decision | undefined {
  const [, word = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(text.trim())!;
  switch (word.toLowerCase().replace(/[,.:;!]$/, "")) {
    case "n":
    case "no":
      return rest === "" ? { answer: "no" } : { answer: "no", reason: rest };
    case "y":
    case "yes":
      return rest === "" ? { answer: "once" } : undefined;
    case "s":
    case "session":
      return rest === "" ? { answer: "session" } : undefined;
    case "a":
    case "always":
      return rest === "" && rule !== undefined ? { answer: "always" } : undefined;
    default:
      return undefined;
  }
}

/** A question of the model, with its suggested answers numbered. */
export function askRows(question: string, options: readonly string[], look: Look): string[] {
  const numbered = options.flatMap((option, i) => textRows(`  ${i + 1}. ${option}`, look));
  return [...textRows(question, look, look.styles.bold), ...numbered];
}

/** What is said of a text that answers no question of the model. */
export function choiceHint({ length }: readonly string[]): string {
  return length === 0
    ? "The answer is in your own words"
    : `The answer is a number from 1 to ${length}, or your own words`;
}

/** The chosen option by its number, else the answer in the person's own words; `undefined` if there is none. */
export function parseChoice(text: string, options: readonly string[]): string | undefined {
  const answer = text.trim();
  return /^\d+$/.test(answer)
    ? options[Number(answer) - 1] ?? (options.length === 0 ? answer : undefined)
    : answer || undefined;
}

/** A longer change is cut: nobody reads more of it at a prompt. */
const MAX_DIFF_ROWS = 2000;
