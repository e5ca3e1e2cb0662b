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

/** Where bytes come from: `Deno.stdin`, or a test. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number | null>;
}

/**
 * Reads standard input to its end.
 *
 * @param patienceMs How long to wait for the first byte; without a limit it waits for as long as it takes.
 */
export async function readPipedInput(source: ByteSource, patienceMs?: number): Promise<PipedInput> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const buffer = new Uint8Array(64 * 1024);
  const timeout = Promise.withResolvers<"late">();
  const cancel = patienceMs === undefined ? undefined : SYSTEM_CLOCK.after(patienceMs, () => timeout.resolve("late"));
  try {
    for (;;) {
      const read = await Promise.race([source.read(buffer), ...(parts.length === 0 ? [timeout.promise] : [])]);
      if (read === "late") return { text: "", gaveUp: true };
      if (read === null) return { text: parts.join("") + decoder.decode(), gaveUp: false };
      parts.push(decoder.decode(buffer.subarray(0, read), { stream: true }));
    }
  } finally {
    cancel?.();
  }
}
