/**
 * Shows a turn in a terminal: text as it arrives, calls and their results as they happen, and what it is waiting for.
 *
 * @module
 */

import type { AgentEvent, Decision, Question, UI } from "../agent/ui.ts";
import type { Styles } from "./ansi.ts";
import { askAnswer, askDecision, type Person } from "./ask_person.ts";
import { RunningCalls } from "./call_line.ts";
import { callRow, noticeRows, resultRows, subAgentRows } from "./event_rows.ts";
import type { LiveScreen } from "./live_screen.ts";
import type { Look } from "./look.ts";
import { MarkdownStream } from "./markdown.ts";
import type { Questions } from "./questions.ts";
import { RunningAgents } from "./running_agents.ts";
import { TextPieces } from "./text_pieces.ts";
import { textRows } from "./text_rows.ts";
import { TurnStatus } from "./turn_status.ts";

/** What a {@linkcode TerminalUI} is made of. */
export interface TerminalUIOptions {
  screen: LiveScreen;
  styles: Styles;
  questions: Questions;
  neutralise(text: string): string;
}

/** What was printed last: unlike things are set apart by an empty row. */
type Kind = "nothing" | "input" | "text" | "call" | "notice";

/** A {@linkcode UI} on a {@linkcode LiveScreen}. */
export class TerminalUI implements UI {
  readonly #screen: LiveScreen;
  readonly #options: TerminalUIOptions;
  readonly #person: Person;
  readonly #markdown: MarkdownStream;
  readonly #status: TurnStatus;
  /** Text that has arrived since the last frame. */
  #arrived = "";
  readonly #pieces = new TextPieces();
  readonly #agents = new RunningAgents();
  /** Whether any text of the present reply is on the screen. */
  #replied = false;
  #last: Kind = "nothing";
  readonly #calls = new RunningCalls();
  #signal: AbortSignal | undefined;
  /** The change that was just asked about: it is not shown a second time. */
  #shown: Question["display"];

  constructor(options: TerminalUIOptions) {
    const { screen, styles, questions } = options;
    this.#screen = screen;
    this.#options = options;
    this.#markdown = new MarkdownStream(styles);
    this.#status = new TurnStatus(screen, options, () => questions.current !== undefined);
    this.#person = {
      questions,
      look: () => this.look(),
      print: (rows) => this.#print("notice", rows),
    };
    screen.onFrame(() => this.#drain());
  }

  /** The looks of the terminal now. */
  look(): Look {
    const { styles, neutralise } = this.#options;
    // The last column stays free: terminals differ in what a full row does to the cursor.
    return { styles, neutralise, columns: Math.max(1, this.#screen.size.columns - 1) };
  }

  /** A turn begins: from here on it says what it is waiting for. */
  startTurn(signal: AbortSignal): void {
    this.#signal = signal;
    this.#last = "input";
    this.#status.start();
  }

  /** A command of the person's own begins: from here on it says that it runs, with its last lines. */
  startCommand(command: string, signal: AbortSignal): (output: string) => void {
    this.startTurn(signal);
    this.#status.startCommand(command);
    return (text) => this.#status.follow({ type: "tool_output", id: "", text });
  }

  /** The turn has ended, however it did. */
  endTurn(): void {
    this.#endText();
    this.#status.stop();
    this.#last = "nothing";
    this.#signal = undefined;
  }

  /** Prints text for people, line by line; it may be styled and must hold no other control characters. */
  print(text: string): void {
    this.#print("notice", text.split("\n"));
  }

  /** Says that something has failed. */
  showError(message: string): void {
    const look = this.look();
    this.#print("notice", textRows(message, look, look.styles.red));
  }

  show(event: AgentEvent): void {
    this.#status.follow(event);
    this.#agents.follow(event);
    switch (event.type) {
      case "text_delta":
        this.#arrived += event.text;
        return this.#screen.refresh();
      case "reply":
        this.#endText();
        this.#replied = false;
        return;
      case "tool_call":
        this.#calls.begin(event.id, event);
        return this.#print("call", [callRow(event, this.look())]);
      case "tool_result":
        return this.#showResult(event);
      case "retry":
        this.#cutReply();
        return this.#print("notice", noticeRows(event, this.look()));
      case "sub_agent":
        return this.#print("call", subAgentRows(event.event, this.#agents.markOf(event.id), this.look()));
      case "compaction":
      case "notice":
      case "turn_end":
        return this.#print("notice", noticeRows(event, this.look()));
      case "denial": // the result says it too
      case "results":
      case "thinking_delta":
      case "tool_use_start":
      case "tool_output":
        return;
      default:
        event satisfies never;
    }
  }

  confirm(question: Question, signal: AbortSignal): Promise<Decision> {
    this.#shown = question.display;
    return askDecision(this.#person, question, signal);
  }

  ask(question: string, options: readonly string[], signal: AbortSignal): Promise<string> {
    return askAnswer(this.#person, question, options, signal);
  }

  #showResult(event: Extract<AgentEvent, { type: "tool_result" }>): void {
    const { display, ...rest } = event;
    const isKnown = display?.type === "diff" && this.#shown !== undefined;
    const rows = resultRows(isKnown ? rest : event, this.look(), this.#signal?.aborted);
    this.#shown = undefined;
    // Calls that ran side by side: the result does not stand under its own call.
    const call = this.#calls.end(event.id, event.name);
    this.#print("call", [...(call ? [callRow(call, this.look())] : []), ...rows]);
  }

  /** What was streamed of a reply that broke off stays on the screen, and is marked. */
  #cutReply(): void {
    this.#endText();
    const { styles } = this.#options;
    if (this.#replied) this.#print("notice", [styles.grey("[cut: the reply broke off here and is asked again]")]);
    this.#replied = false;
  }

  /** Renders what has arrived. */
  #drain(): void {
    if (this.#arrived === "") return;
    this.#render(this.#pieces.add(this.#arrived));
    this.#arrived = "";
    this.#replied = true;
    this.#screen.show("reply", () => ({ rows: this.#markdown.tail() }));
  }

  #render(text: string): void {
    const { neutralise, columns } = this.look();
    this.#printText(this.#markdown.write(neutralise(text), columns));
  }

  #endText(): void {
    this.#drain();
    this.#render(this.#pieces.end());
    this.#printText(this.#markdown.end());
    this.#screen.show("reply", undefined);
  }

  #printText(rows: readonly string[]): void {
    if (rows.length > 0) this.#put("text", rows);
  }

  #print(kind: Kind, rows: readonly string[]): void {
    this.#endText();
    if (rows.length > 0) this.#put(kind, rows);
  }

  #put(kind: Kind, rows: readonly string[]): void {
    if (this.#last !== kind && this.#last !== "nothing") this.#screen.print("");
    this.#last = kind;
    this.#screen.print(...rows);
  }
}
