/**
 * The output of a child process in bounded memory: its beginning and its end are kept, the middle is counted.
 *
 * @module
 */

/** What an {@linkcode OutputBuffer} kept. */
export interface CapturedOutput {
  /** All bytes, or those of the beginning. */
  readonly head: Uint8Array;
  /** The last bytes; empty when nothing was left out. */
  readonly tail: Uint8Array;
  /** How many bytes were dropped between the two. */
  readonly omittedBytes: number;
}

const FIRST_BYTES = 4096;

/** Takes any number of bytes and keeps at most `maxBytes` of them: half from the beginning, half from the end. */
export class OutputBuffer {
  readonly #half: number;
  #head = new Uint8Array(0);
  #headBytes = 0;
  /** A ring that is allocated when the head is full. */
  #tail = new Uint8Array(0);
  #tailBytes = 0; // ever written to the ring

  /** @param maxBytes Bytes to keep at most. */
  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.ceil(maxBytes / 2));
  }

  /** Takes a copy of the bytes: the caller may reuse its array. */
  write(bytes: Uint8Array): void {
    const forHead = bytes.subarray(0, this.#half - this.#headBytes);
    if (forHead.length > 0) {
      this.#growHead(this.#headBytes + forHead.length);
      this.#head.set(forHead, this.#headBytes);
      this.#headBytes += forHead.length;
    }
    if (forHead.length < bytes.length) this.#writeTail(bytes.subarray(forHead.length));
  }

  /** Gives what was kept since the start or the last `take`, and begins anew. */
  take(): CapturedOutput {
    const head = this.#head.subarray(0, this.#headBytes);
    const kept = this.#readTail();
    const omittedBytes = this.#tailBytes - kept.length;
    this.#head = new Uint8Array(0);
    this.#tail = new Uint8Array(0);
    this.#headBytes = this.#tailBytes = 0;
    return omittedBytes > 0
      ? { head, tail: kept, omittedBytes }
      : { head: join(head, kept), tail: EMPTY, omittedBytes };
  }

  #growHead(bytes: number): void {
    if (bytes <= this.#head.length) return;
    const grown = new Uint8Array(Math.min(this.#half, Math.max(FIRST_BYTES, bytes, this.#head.length * 2)));
    grown.set(this.#head.subarray(0, this.#headBytes));
    this.#head = grown;
  }

  #writeTail(bytes: Uint8Array): void {
    if (this.#tail.length === 0) this.#tail = new Uint8Array(this.#half);
    const last = bytes.subarray(-this.#half);
    const at = (this.#tailBytes + bytes.length - last.length) % this.#half;
    const beforeEnd = last.subarray(0, this.#half - at);
    this.#tail.set(beforeEnd, at);
    this.#tail.set(last.subarray(beforeEnd.length), 0);
    this.#tailBytes += bytes.length;
  }

  #readTail(): Uint8Array {
    if (this.#tailBytes <= this.#half) return this.#tail.subarray(0, this.#tailBytes);
    const at = this.#tailBytes % this.#half;
    return join(this.#tail.subarray(at), this.#tail.subarray(0, at));
  }
}

const EMPTY = new Uint8Array(0);

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (b.length === 0) return a;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/**
 * The captured bytes as text. Bytes that are not UTF-8 become U+FFFD; where something was dropped, a line says how
 * much.
 */
export function decodeOutput(output: CapturedOutput): string {
  const head = new TextDecoder().decode(output.head);
  if (output.omittedBytes === 0) return head;
  return `${head}\n[${output.omittedBytes} bytes left out]\n${new TextDecoder().decode(output.tail)}`;
}
