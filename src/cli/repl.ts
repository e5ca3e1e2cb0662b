/**
 * The conversation in a terminal: keys in, inputs out, one turn at a time. Ctrl+C ends the turn and not the program.
 *
 * @module
 */

import { complete } from "./completion.ts";
import { keepInHistory } from "./input_history.ts";
import { Inputs, type InputView, type LoopOptions } from "./inputs.ts";
import type { Key } from "./keys.ts";
import {
  afterSubmit,
  applyKey,
  type EditorEffect,
  type EditorState,
  newEditor,
  withCompletions,
  withText,
} from "./line_editor.ts";
import type { LiveScreen } from "./live_screen.ts";
import { drawPrompt, echoRows } from "./prompt_view.ts";
import type { Questions } from "./questions.ts";
import { SIGNAL_EXIT } from "./signals.ts";
import type { EndSignal } from "./terminal.ts";

/** What a {@linkcode Repl} works with besides what is said. */
export interface ReplParts {
  screen: LiveScreen;
  questions: Questions;
  view: InputView;
  /** Earlier inputs, oldest first. */
  history: readonly string[];
  /** Stops the program until the shell continues it; `false` if it cannot. */
  suspend(): boolean;
  /** Milliseconds that only ever grow. */
  now?(): number;
}

/** Reads inputs with the line editor and runs them one after another. */
export class Repl {
  readonly #options: LoopOptions;
  readonly #parts: ReplParts;
  readonly #inputs: Inputs;
  readonly #now: () => number;
  readonly #exit = Promise.withResolvers<number>();
  #editor: EditorState;
  /** What is being written in answer to a question. */
  #answer = newEditor();
  /** Inputs that wait for the present one to end. */
  #queue: string[] = [];
  #turn: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #hint = "";
  #cancelledAt = -Infinity;
  #typedAt = -Infinity;

  constructor(options: LoopOptions, parts: ReplParts) {
    this.#options = options;
    this.#parts = parts;
    this.#inputs = new Inputs(options, parts.view);
    this.#editor = newEditor(parts.history);
    this.#now = parts.now ?? (() => performance.now());
  }

  /** Runs until the person leaves or a signal ends it. Returns the exit code. */
  async run(): Promise<number> {
    const { banner, recap, firstInput } = this.#options;
    const { screen, view } = this.#parts;
    view.print([...banner(view.look()), ...recap?.(view.look()) ?? []].join("\n"));
    screen.print("");
    screen.show("prompt", (size) => {
      const question = this.#question();
      const editor = question ? this.#answer : this.#editor;
      const { label } = question ?? {};
      return drawPrompt({ editor, queue: this.#queue, question: label, hint: this.#hint }, size, view.look().styles);
    });
    if (firstInput !== undefined && firstInput.trim() !== "") this.#enter(firstInput);
    const code = await this.#exit.promise;
    this.#turn?.abort();
    await withinMs(this.#running, END_MS);
    return code;
  }

  /** Takes what was typed. */
  onKeys(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.#question()) this.#answerKey(key);
      else this.#draftKey(key);
    }
    this.#parts.screen.refresh();
  }

  /** Takes a signal. An interrupt is what Ctrl+C is; the others end the program. */
  onSignal(signal: EndSignal): void {
    if (signal === "SIGINT") this.#cancel();
    else this.#exit.resolve(SIGNAL_EXIT[signal]);
  }

  /** The question that keys go to: not while a person is in the middle of writing something else. */
  #question() {
    const isWriting = this.#editor.text !== "" && this.#now() - this.#typedAt < WRITING_MS;
    return isWriting ? undefined : this.#parts.questions.current;
  }

  #answerKey(key: Key): void {
    const { state, effect } = applyKey(this.#answer, key);
    const question = this.#parts.questions.current!;
    const isAnswer = effect === "submit" && question.answer(state.text);
    this.#hint = effect === "submit" && !isAnswer ? question.hint : "";
    this.#answer = effect === "submit" ? newEditor() : state;
    if (effect === "escape") question.cancel();
    else if (effect === "cancel") this.#cancel();
    else if (effect === "suspend") this.#suspend();
  }

  #draftKey(key: Key): void {
    const { state, effect } = applyKey(this.#editor, key);
    if (state.text !== this.#editor.text) this.#typedAt = this.#now();
    this.#editor = state;
    this.#hint = "";
    if (effect) this.#follow(effect);
  }

  #follow(effect: EditorEffect): void {
    const { text } = this.#editor;
    switch (effect) {
      case "submit":
        this.#editor = afterSubmit(this.#editor);
        if (text.trim() !== "") this.#enter(text);
        return;
      case "cancel":
        return this.#cancel();
      case "end":
        return this.#exit.resolve(0);
      case "escape":
        return this.#escape();
      case "complete":
        return void this.#complete();
      case "redraw":
        return this.#parts.screen.clear();
      case "suspend":
        return this.#suspend();
      default:
        effect satisfies never;
    }
  }

  /** An input is complete: it runs now, or when the present one has ended. */
  #enter(input: string): void {
    void keepInHistory(this.#options.history, input);
    this.#queue.push(input);
    if (!this.#turn) this.#running = this.#runQueue();
  }

  async #runQueue(): Promise<void> {
    const { screen } = this.#parts;
    for (let input = this.#queue.shift(); input !== undefined; input = this.#queue.shift()) {
      this.#turn = new AbortController();
      screen.print(...echoRows(input, screen.size.columns));
      const leaves = await this.#inputs.run(input, this.#turn.signal);
      screen.print("");
      if (leaves) return this.#exit.resolve(0);
      // Whoever stops a turn wants to think again: nothing that waited is sent.
      if (this.#turn.signal.aborted) this.#takeBack(this.#queue.splice(0));
    }
    this.#turn = undefined;
    screen.refresh();
  }

  /** Puts inputs that wait back into the draft. */
  #takeBack(inputs: readonly string[]): void {
    if (inputs.length === 0) return;
    this.#editor = withText(this.#editor, [...inputs, this.#editor.text].filter((text) => text !== "").join("\n"));
  }

  #escape(): void {
    if (this.#queue.length > 0) this.#takeBack([this.#queue.pop()!]);
    else this.#turn?.abort();
  }

  #cancel(): void {
    if (this.#turn && !this.#turn.signal.aborted) return this.#turn.abort();
    if (this.#editor.text !== "") {
      this.#editor = withText(this.#editor, "");
      return;
    }
    const now = this.#now();
    if (now - this.#cancelledAt < LEAVE_MS) return this.#exit.resolve(0);
    this.#cancelledAt = now;
    this.#hint = "Ctrl+C again leaves, as Ctrl+D and /exit do";
  }

  async #complete(): Promise<void> {
    const asked = this.#editor;
    const found = await complete(asked.text.slice(0, asked.cursor), this.#options).catch(() => undefined);
    // Whoever has typed on meanwhile is not disturbed.
    if (!found || this.#editor !== asked) return;
    this.#editor = withCompletions(asked, found.start, found.candidates);
    this.#parts.screen.refresh();
  }

  #suspend(): void {
    if (!this.#parts.suspend()) this.#hint = "Cannot suspend: no permission to run programs";
  }
}

async function withinMs(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

/** A second Ctrl+C within this time leaves. */
const LEAVE_MS = 1000;
/** Whoever has typed within this time is still writing. */
const WRITING_MS = 1000;
/** How long a turn may take to end when the program ends. */
const END_MS = 800;
