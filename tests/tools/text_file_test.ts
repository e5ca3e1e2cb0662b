import { assert, assertEquals, assertThrows } from "@std/assert";
import { decodeText, describeFormat, encodeText } from "../../src/tools/text_file.ts";

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
}

const every8Bit = Uint8Array.from({ length: 0xe0 }, (_, i) => 0x20 + i);

const written: [string, Uint8Array, string][] = [
  ["plain ASCII", new TextEncoder().encode("one\ntwo\r\n"), ""],
  ["UTF-8", new TextEncoder().encode("größe 价格 🙂\n"), ""],
  ["UTF-8 with a byte order mark", new TextEncoder().encode("\uFEFFcafé\n"), "UTF-8 with BOM"],
  ["UTF-8 with U+FFFD in its own right", new TextEncoder().encode("a \uFFFD b"), ""],
  ["UTF-8 with a byte order mark inside", new TextEncoder().encode("a\uFEFFb"), ""],
  ["UTF-16LE with its mark", utf16("\uFEFFgröße 🙂\r\n", true), "UTF-16LE"],
  ["UTF-16BE with its mark", utf16("\uFEFFgröße 🙂\r\n", false), "UTF-16BE"],
  ["UTF-16LE without a mark", utf16("plain words\r\n", true), "UTF-16LE without BOM"],
  ["UTF-16BE without a mark", utf16("plain words\r\n", false), "UTF-16BE without BOM"],
  ["each 8-bit character", every8Bit, "not UTF-8, read as Windows-1252"],
];

for (const [name, bytes, words] of written) {
  Deno.test(`decodeText() and encodeText() give back the bytes of ${name}`, () => {
    const file = decodeText(bytes);
    assert(file?.lossless);
    assertEquals(describeFormat(file), words);
    assertEquals(encodeText(file.text, file), bytes);
  });
}

Deno.test("decodeText() keeps the mark out of the text", () => {
  assertEquals(decodeText(new TextEncoder().encode("\uFEFFa"))?.text, "a");
  assertEquals(decodeText(utf16("\uFEFFa", false))?.text, "a");
});

Deno.test("decodeText() reads Latin-1 as what it is", () => {
  assertEquals(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a))?.text, "café\n");
});

Deno.test("decodeText() says that damaged UTF-8 would be lost", () => {
  const bytes = new TextEncoder().encode("größe größe größe x");
  bytes[bytes.length - 1] = 0xff;
  const file = decodeText(bytes);
  assertEquals(file?.text, "größe größe größe \uFFFD");
  assertEquals(file?.lossless, false);
});

Deno.test("decodeText() says that damaged UTF-16 would be lost", () => {
  assertEquals(decodeText(utf16("\uFEFFab\uD800", true))?.lossless, false);
  assertEquals(decodeText(utf16("\uFEFFab", true).slice(0, -1))?.lossless, false);
});

Deno.test("decodeText() takes bytes with a NUL, or full of controls, for binary", () => {
  assertEquals(decodeText(Uint8Array.of(0x89, 0x50, 0, 0, 0, 0x0d)), undefined);
  assertEquals(decodeText(Uint8Array.of(0x1f, 0x8b, 0x08, 0x01, 0x02, 0xff, 0x03, 0x04)), undefined);
});

Deno.test("decodeText() takes a NUL far into a text for a character", () => {
  const text = "line\n".repeat(2000) + "\0";
  assertEquals(decodeText(new TextEncoder().encode(text))?.text, text);
});

Deno.test("encodeText() refuses what an 8-bit encoding cannot hold", () => {
  const format = { encoding: "windows-1252", bom: false } as const;
  assertEquals(encodeText("€é", format), Uint8Array.of(0x80, 0xe9));
  assertThrows(() => encodeText("a 🙂", format), RangeError, 'Windows-1252 has no "🙂"');
});
