/**
 * Shows a turn where nothing can be drawn in place: a pipe, a dumb terminal, a log. Text goes out as it came.
 *
 * @module
 */

import type { AgentEvent, Decision, Question, UI } from "../agent/ui.ts";
import { askAnswer, askDecision, type Person } from "./ask_person.ts";
import { RunningCalls } from "./call_line.ts";
import { callRow, noticeRows, resultRows, subAgentRows } from "./event_rows.ts";
import type { Look } from "./look.ts";
import type { Questions } from "./questions.ts";
import { RunningAgents } from "./running_agents.ts";
import { TextPieces } from "./text_pieces.ts";
import { textRows } from "./text_rows.ts";

/** What a {@linkcode PlainUI} is made of. */
export interface PlainUIOptions {
  write(text: string): void;
  look(): Look;
  /** Absent where nobody can answer. */
  questions?: Questions | undefined;
}

/** A {@linkcode UI} that only ever appends. */
export class PlainUI implements UI {
  readonly #options: PlainUIOptions;
  readonly confirm?: (question: Question, signal: AbortSignal) => Promise<Decision>;
  readonly ask?: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string>;
  readonly #pieces = new TextPieces();
  readonly #agents = new RunningAgents();
  readonly #calls = new RunningCalls();
  #inLine = false;
  #replied = false;
  #signal: AbortSignal | undefined;

  constructor(options: PlainUIOptions) {
    this.#options = options;
    const { look, questions } = options;
    if (!questions) return;
    const person: Person = { questions, look, print: (rows) => this.#print(rows) };
    this.confirm = (question, signal) => askDecision(person, question, signal);
    this.ask = (question, options, signal) => askAnswer(person, question, options, signal);
  }

  /** The looks of the output now. */
  look(): Look {
    return this.#options.look();
  }

  /** A turn begins. */
  startTurn(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** A command of the person's own begins. Its output is printed when it has ended: nothing changes in place here. */
  startCommand(_command: string, signal: AbortSignal): () => void {
    this.startTurn(signal);
    return () => {};
  }

  /** The turn has ended, however it did. */
  endTurn(): void {
    this.#endLine();
    this.#signal = undefined;
  }

  /** Prints text for people, line by line. */
  print(text: string): void {
    this.#print(text.split("\n"));
  }

  /** Says that something has failed. */
  showError(message: string): void {
    const look = this.look();
    this.#print(textRows(message, look, look.styles.red));
  }

  show(event: AgentEvent): void {
    const look = this.look();
    this.#agents.follow(event);
    switch (event.type) {
      case "text_delta":
        this.#replied = true;
        return this.#write(this.#pieces.add(event.text));
      case "reply":
        this.#endLine();
        this.#replied = false;
        return;
      case "tool_call":
        this.#calls.begin(event.id, event);
        return this.#print([callRow(event, look)]);
      case "tool_result": {
        const call = this.#calls.end(event.id, event.name);
        const rows = resultRows(event, look, this.#signal?.aborted);
        return this.#print([...(call ? [callRow(call, look)] : []), ...rows]);
      }
      case "retry":
        if (this.#replied) this.#print([look.styles.grey("[cut: the reply broke off here and is asked again]")]);
        this.#replied = false;
        return this.#print(noticeRows(event, look));
      case "sub_agent":
        return this.#print(subAgentRows(event.event, this.#agents.markOf(event.id), look));
      default:
        return this.#print(noticeRows(event, look));
    }
  }

  #print(rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.#endLine();
    this.#options.write(rows.map((row) => row + "\n").join(""));
  }

  #write(text: string): void {
    if (text === "") return;
    this.#options.write(this.look().neutralise(text));
    this.#inLine = !text.endsWith("\n");
  }

  #endLine(): void {
    this.#write(this.#pieces.end());
    if (this.#inLine) this.#options.write("\n");
    this.#inLine = false;
  }
}
