import { assertEquals } from "@std/assert";
import { decodeOutput, OutputBuffer } from "../../src/tools/output_buffer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("OutputBuffer keeps everything up to its limit", () => {
  const buffer = new OutputBuffer(10);
  for (const piece of ["abc", "defg", "hij"]) buffer.write(bytes(piece));
  assertEquals(decodeOutput(buffer.take()), "abcdefghij");
});

Deno.test("OutputBuffer keeps the beginning and the end of what is longer, and counts the rest", () => {
  for (const size of [1, 2, 3, 5, 7, 26]) {
    const buffer = new OutputBuffer(10);
    const alphabet = bytes("abcdefghijklmnopqrstuvwxyz");
    for (let at = 0; at < 26; at += size) buffer.write(alphabet.subarray(at, at + size));
    assertEquals(decodeOutput(buffer.take()), "abcde\n[16 bytes left out]\nvwxyz", `pieces of ${size}`);
  }
});

Deno.test("OutputBuffer copies what it is given", () => {
  const buffer = new OutputBuffer(10);
  const piece = bytes("abc");
  buffer.write(piece);
  piece.fill(0);
  assertEquals(decodeOutput(buffer.take()), "abc");
});

Deno.test("OutputBuffer.take() begins anew", () => {
  const buffer = new OutputBuffer(4);
  buffer.write(bytes("abcdefgh"));
  buffer.take();
  buffer.write(bytes("xy"));
  assertEquals(decodeOutput(buffer.take()), "xy");
  assertEquals(decodeOutput(buffer.take()), "");
});

Deno.test("decodeOutput() replaces what is not UTF-8", () => {
  const buffer = new OutputBuffer(10);
  buffer.write(new Uint8Array([0xff, 0x41]));
  assertEquals(decodeOutput(buffer.take()), "\ufffdA");
});
