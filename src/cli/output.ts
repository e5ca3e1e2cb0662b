/**
 * Writing to standard output and standard error without ever making the loop wait, and without a stack trace when the
 * reader has gone.
 *
 * @module
 */

/** Where text goes. */
export interface Sink {
  /** Queues text; returns at once. */
  write(text: string): void;
  /** Resolves when everything queued so far is written, or the reader is gone. */
  flush(): Promise<void>;
}

/** A queue in front of a stream of the process. */
export class StreamSink implements Sink {
  readonly #stream: { write(bytes: Uint8Array): Promise<number> };
  readonly #onClosed: (error: unknown) => void;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  /** @param onClosed Called once when nothing more can be written: the reader has closed its end, or the disk is full. */
  constructor(stream: { write(bytes: Uint8Array): Promise<number> }, onClosed: (error: unknown) => void = () => {}) {
    this.#stream = stream;
    this.#onClosed = onClosed;
  }

  write(text: string): void {
    if (this.#closed || text === "") return;
    this.#pending.push(text);
    this.#writing ??= this.#drain();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    const encoder = new TextEncoder();
    try {
      while (this.#pending.length > 0) {
        let bytes = encoder.encode(this.#pending.splice(0).join(""));
        while (bytes.length > 0) bytes = bytes.subarray(await this.#stream.write(bytes));
      }
    } catch (error) {
      this.#closed = true;
      this.#onClosed(error);
    } finally {
      this.#writing = undefined;
    }
  }
}

/** A sink that changes what is written: takes secrets out, say. */
export function through(sink: Sink, change: (text: string) => string): Sink {
  return { write: (text) => sink.write(change(text)), flush: () => sink.flush() };
}
