/**
 * Puts the questions of a turn to the person.
 *
 * @module
 */

import type { Decision, Question } from "../agent/ui.ts";
import type { Look } from "./look.ts";
import { answersTo, askRows, choiceHint, parseAnswer, parseChoice, questionRows } from "./question_view.ts";
import type { Questions } from "./questions.ts";

/** How a person is reached. */
export interface Person {
  readonly questions: Questions;
  /** The looks of the output now. */
  look(): Look;
  /** Prints what a question is about. */
  print(rows: readonly string[]): void;
}

/** Asks about one call. No answer is a no. */
export async function askDecision(person: Person, question: Question, signal: AbortSignal): Promise<Decision> {
  const announce = () => person.print(questionRows(question, person.look()));
  const parse = (text: string) => parseAnswer(text, question);
  const decision = await person.questions.ask({ ...answersTo(question), announce, parse }, signal);
  if (decision) person.print([person.look().styles.grey(`→ ${person.look().neutralise(describe(decision))}`)]);
  return decision ?? { answer: "no" };
}

/** Asks what the model wants to know. */
export async function askAnswer(
  person: Person,
  question: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const announce = () => person.print(askRows(question, options, person.look()));
  const parse = (text: string) => parseChoice(text, options);
  return await person.questions.ask({ label: "answer: ", hint: choiceHint(options), announce, parse }, signal) ??
    "(the user gave no answer)";
}

function describe(decision: Decision): string {
  switch (decision.answer) {
    case "once":
      return "yes";
    case "session":
      return "yes, for this session";
    case "always":
      return "yes, always";
    case "no":
      return decision.reason === undefined ? "no" : `no: ${decision.reason}`;
    default:
      return decision satisfies never;
  }
}
