/**
 * Text that is piped into a headless run.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../llm/clock.ts";

/** What standard input gave. */
export interface PipedInput {
  text: string;
  /** Nothing came in time; the run goes on without it. */
  gaveUp: boolean;
}

/** How long to wait. */
export interface PipedInputOptions {
  /** For the first byte, in milliseconds; without a limit it waits for as long as it takes. */
  patienceMs?: number;
  /** Ends the reading at once: nothing was given then. */
  signal?: AbortSignal;
}

/** Where bytes come from: `Deno.stdin`, or a test. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number | null>;
}

/** Reads standard input to its end. */
export async function readPipedInput(
  source: ByteSource,
  { patienceMs, signal }: PipedInputOptions = {},
): Promise<PipedInput> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const buffer = new Uint8Array(64 * 1024);
  const timeout = Promise.withResolvers<"late">();
  const cancel = patienceMs === undefined ? undefined : SYSTEM_CLOCK.after(patienceMs, () => timeout.resolve("late"));
  const interruption = Promise.withResolvers<"interrupted">();
  const interrupt = () => interruption.resolve("interrupted");
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    for (;;) {
      const ends = [interruption.promise, ...(parts.length === 0 ? [timeout.promise] : [])];
      const read = await Promise.race([source.read(buffer), ...ends]);
      if (read === "interrupted") return { text: "", gaveUp: false };
      if (read === "late") return { text: "", gaveUp: true };
      if (read === null) return { text: parts.join("") + decoder.decode(), gaveUp: false };
      parts.push(decoder.decode(buffer.subarray(0, read), { stream: true }));
    }
  } finally {
    cancel?.();
    signal?.removeEventListener("abort", interrupt);
  }
}
