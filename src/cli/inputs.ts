/**
 * What becomes of a line that a person has entered: a command, a shell command of their own, or a message to the model.
 *
 * @module
 */

import { type Command, isCommand, runCommand } from "./commands.ts";
import type { HistoryStore } from "./input_history.ts";
import type { Look } from "./look.ts";
import type { SessionControls } from "./session_controls.ts";

/** What an interactive run works with. */
export interface LoopOptions {
  /** Printed first. */
  banner(look: Look): string[];
  /** Printed behind it: what went before in a session that goes on. */
  recap?(look: Look): string[];
  /** The first input, from the command line. */
  firstInput?: string | undefined;
  session: SessionControls;
  commands: readonly Command[];
  /** Runs one turn. */
  send(message: string, signal: AbortSignal): Promise<unknown>;
  history?: HistoryStore | undefined;
  /** Paths that begin with a text, folders with a `/` at their end; for `@file`. */
  completePath?(start: string): Promise<string[]>;
  /** Adds the files that a message names with `@` to it. */
  addFiles?(message: string, signal: AbortSignal): Promise<string>;
  /** Runs a command that the person typed after `!`, as typed. Returns all of its output. */
  runShell?(command: string, run: { signal: AbortSignal; onOutput(text: string): void }): Promise<string>;
}

/** What the person sees. */
export interface InputView {
  look(): Look;
  print(text: string): void;
  showError(message: string): void;
  startTurn(signal: AbortSignal): void;
  /** A command of the person's own begins. Returns what is to be told of its output as it comes. */
  startCommand(command: string, signal: AbortSignal): (output: string) => void;
  /** Called when an input is done, whether or not it began anything. */
  endTurn(): void;
}

/** Runs inputs one after another. */
export class Inputs {
  readonly #options: LoopOptions;
  readonly #view: InputView;
  /** Output of the person's own commands, for the next message. */
  readonly #notes: string[] = [];

  constructor(options: LoopOptions, view: InputView) {
    this.#options = options;
    this.#view = view;
  }

  /**
   * Runs one input. What fails is shown; nothing is thrown.
   *
   * @returns Whether the person wants to leave.
   */
  async run(input: string, signal: AbortSignal): Promise<boolean> {
    try {
      const line = input.trim();
      if (line === "/") throw new Error("A command has a name behind the /: /help lists them");
      if (line === "!") throw new Error("A command of your own stands behind the !, as in !ls");
      if (line.startsWith("!")) await this.#shell(line.slice(1).trim(), signal);
      else if (isCommand(line)) return await this.#command(line, signal);
      else await this.#say(input.trimEnd(), signal);
    } catch (error) {
      if (signal.aborted) this.#view.print(this.#view.look().styles.grey("(interrupted)"));
      else this.#view.showError(error instanceof Error ? error.message : String(error));
    } finally {
      this.#view.endTurn();
    }
    return false;
  }

  async #command(line: string, signal: AbortSignal): Promise<boolean> {
    const { session, commands } = this.#options;
    const { styles, columns, neutralise: clean } = this.#view.look();
    const print = (text: string) => this.#view.print(text);
    const result = await runCommand(line, { session, commands, styles, columns, clean, signal, print });
    if (result && "message" in result) await this.#say(result.message, signal);
    return result !== undefined && "exit" in result;
  }

  async #shell(command: string, signal: AbortSignal): Promise<void> {
    const { runShell } = this.#options;
    if (!runShell) throw new Error("Cannot run a command of your own: no permission to run programs");
    const onOutput = this.#view.startCommand(command, signal);
    const output = await runShell(command, { signal, onOutput });
    this.#view.print(this.#view.look().neutralise(output.trimEnd()) || "(no output)");
    this.#notes.push(`I ran this command myself:\n\n$ ${command}\n${output.trimEnd()}`);
  }

  async #say(text: string, signal: AbortSignal): Promise<void> {
    const { addFiles, send } = this.#options;
    this.#view.startTurn(signal);
    const message = addFiles ? await addFiles(text, signal) : text;
    const notes = this.#notes.splice(0);
    await send([...notes, message].join("\n\n"), signal);
  }
}
