import { assertEquals } from "@std/assert";
import { type ByteSource, readPipedInput } from "../../src/cli/piped_input.ts";

/** Gives these pieces, then nothing for ever. */
function open(...pieces: string[]): ByteSource {
  return {
    read(buffer) {
      const piece = pieces.shift();
      if (piece === undefined) return new Promise(() => {});
      return Promise.resolve(new TextEncoder().encodeInto(piece, buffer).written);
    },
  };
}

Deno.test("readPipedInput() ends at once when it is interrupted, with nothing", async () => {
  const nothing = { text: "", gaveUp: false };
  const interrupt = new AbortController();
  const reading = readPipedInput(open("half a ques"), { signal: interrupt.signal });
  interrupt.abort();
  assertEquals(await reading, nothing);
  assertEquals(await readPipedInput(open(), { signal: interrupt.signal }), nothing);
});
