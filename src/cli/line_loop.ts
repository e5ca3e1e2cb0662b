/**
 * The conversation without a terminal that can be drawn on: a prompt, a line, a turn. The end of the input leaves.
 *
 * @module
 */

import { Inputs, type InputView, type LoopOptions } from "./inputs.ts";
import type { LineReader } from "./line_reader.ts";
import type { Questions } from "./questions.ts";

/** What a {@linkcode LineLoop} works with besides what is said. */
export interface LineLoopParts {
  lines: LineReader;
  view: InputView;
  write(text: string): void;
  /** Whether the terminal shows what is typed, and the end of the line with it. */
  echoes: boolean;
  /** Absent where nobody can answer. */
  questions?: Questions | undefined;
  /** Milliseconds that only ever grow. */
  now?(): number;
}

/** Reads lines and runs them one after another. */
export class LineLoop {
  readonly #options: LoopOptions;
  readonly #parts: LineLoopParts;
  readonly #inputs: Inputs;
  readonly #leave = new AbortController();
  #turn: AbortController | undefined;
  #cancelledAt = -Infinity;
  #code = 0;

  constructor(options: LoopOptions, parts: LineLoopParts) {
    this.#options = options;
    this.#parts = parts;
    this.#inputs = new Inputs(options, parts.view);
  }

  /** Runs until the input ends or the person leaves. Returns the exit code. */
  async run(): Promise<number> {
    const { banner, recap, firstInput } = this.#options;
    const { view, write, echoes } = this.#parts;
    // lines for a program to read stay whole
    view.print([...banner({ ...view.look(), columns: Infinity }), ...recap?.(view.look()) ?? []].join("\n"));
    let input: string | undefined = firstInput;
    do {
      if (input !== undefined && input.trim() !== "" && await this.#runOne(input)) break;
      write("> ");
      input = await this.#read();
      if (input === undefined || !echoes) write("\n");
    } while (input !== undefined);
    return this.#code;
  }

  /** What Ctrl+C does: it ends the turn; at the prompt a second one within a second leaves. */
  cancel(): void {
    if (this.#turn) return this.#turn.abort();
    const now = this.#parts.now?.() ?? performance.now();
    if (now - this.#cancelledAt < 1000) return this.end(0);
    this.#cancelledAt = now;
    this.#parts.write("\nCtrl+C again leaves, as /exit does\n> ");
  }

  /** Ends the run with an exit code. */
  end(code: number): void {
    this.#code = code;
    this.#leave.abort();
    this.#turn?.abort();
  }

  /** Reads answers for as long as a question is open. */
  async answer(): Promise<void> {
    const { questions, lines, write, view } = this.#parts;
    for (let open = questions?.current; open; open = questions?.current) {
      write(open.label);
      const line = await lines.next(this.#turn?.signal);
      if (open !== questions?.current) continue;
      if (line === undefined) open.cancel();
      else if (!open.answer(line)) view.print(open.hint);
    }
  }

  async #runOne(input: string): Promise<boolean> {
    this.#turn = new AbortController();
    const leaves = await this.#inputs.run(input, this.#turn.signal);
    this.#turn = undefined;
    return leaves || this.#leave.signal.aborted;
  }

  /** A line; one that ends in `\` goes on in the next. */
  async #read(): Promise<string | undefined> {
    const parts: string[] = [];
    for (;;) {
      const line = await this.#parts.lines.next(this.#leave.signal);
      if (line === undefined) return parts.length > 0 && !this.#leave.signal.aborted ? parts.join("\n") : undefined;
      if (!line.endsWith("\\")) return [...parts, line].join("\n");
      parts.push(line.slice(0, -1));
    }
  }
}
