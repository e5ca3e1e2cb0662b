/**
 * Reads standard input line by line, each when it is wanted.
 *
 * @module
 */

/** Where bytes come from. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number | null>;
}

/** Lines of a stream, without their line ends. */
export class LineReader {
  readonly #source: ByteSource;
  readonly #utf8 = new TextDecoder();
  readonly #buffer = new Uint8Array(65_536);
  #lines: string[] = [];
  /** Pieces of the line that has no end yet. */
  #partial: string[] = [];
  #ended = false;
  #reading: Promise<void> | undefined;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /**
   * The next line, or `undefined` at the end of the input.
   *
   * @param signal Stops the waiting: the answer is `undefined`, and the line stays for the next call.
   */
  async next(signal?: AbortSignal): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#ended && !signal?.aborted) {
      this.#reading ??= this.#read();
      await (signal ? Promise.race([this.#reading, aborted(signal)]) : this.#reading);
    }
    return signal?.aborted ? undefined : this.#lines.shift();
  }

  async #read(): Promise<void> {
    const count = await this.#source.read(this.#buffer).catch(() => null);
    this.#reading = undefined;
    if (count === null) {
      this.#ended = true;
      const rest = this.#partial.join("") + this.#utf8.decode();
      if (rest !== "") this.#lines.push(rest);
      return;
    }
    const [first, ...others] = this.#utf8.decode(this.#buffer.subarray(0, count), { stream: true }).split("\n");
    this.#partial.push(first!);
    for (const piece of others) {
      this.#lines.push(this.#partial.join("").replace(/\r$/, ""));
      this.#partial = [piece];
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
