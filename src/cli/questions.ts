/**
 * Questions that wait for a person, one at a time and in their order.
 *
 * @module
 */

/** One question. */
export interface Asked<T> {
  /** Stands before what the person writes. */
  readonly label: string;
  /** What is said of a text that is no answer: which texts are. */
  readonly hint: string;
  /** Called when its turn has come: prints what it is about. */
  announce(): void;
  /** What an answer means; `undefined` asks again. */
  parse(text: string): T | undefined;
}

/** A question whose turn has come. */
export interface Current {
  readonly label: string;
  /** What is said of a text that is no answer. */
  readonly hint: string;
  /** Takes the answer. Returns whether it was one. */
  answer(text: string): boolean;
  /** Ends the question without an answer. */
  cancel(): void;
}

/** A queue of questions. */
export class Questions {
  readonly #queue: (Current & { announce(): void })[] = [];
  readonly #onChange: () => void;

  /** @param onChange Called whenever another question, or none, is the current one. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The question that is to be answered now. */
  get current(): Current | undefined {
    return this.#queue[0];
  }

  /**
   * Puts a question and waits for its turn and its answer.
   *
   * @returns `undefined` if it was cancelled or the signal has aborted.
   */
  ask<T>({ label, hint, announce, parse }: Asked<T>, signal: AbortSignal): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    if (signal.aborted) return Promise.resolve(undefined);
    const settle = (answer: T | undefined) => {
      signal.removeEventListener("abort", cancel);
      const at = this.#queue.indexOf(entry);
      this.#queue.splice(at, 1);
      resolve(answer);
      if (at === 0) this.#next();
    };
    const cancel = () => settle(undefined);
    const entry = {
      label,
      hint,
      announce,
      cancel,
      answer(text: string) {
        const answer = parse(text);
        if (answer === undefined) return false;
        settle(answer);
        return true;
      },
    };
    signal.addEventListener("abort", cancel);
    if (this.#queue.push(entry) === 1) this.#next();
    return promise;
  }

  #next(): void {
    this.#queue[0]?.announce();
    this.#onChange();
  }
}
