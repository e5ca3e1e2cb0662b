import { assert, assertEquals, assertThrows } from "@std/assert";
import { TextPieces } from "../../src/tools/text_pieces.ts";
import { tempDir } from "../testing/tool_context.ts";

/** The pieces of a file, and whether it is text. */
function read(path: string, pieces = new TextPieces()): { texts: string[]; isText: boolean } {
  const texts: string[] = [];
  const reading = pieces.read(path);
  for (let piece = reading.next();; piece = reading.next()) {
    if (piece.done) return { texts, isText: piece.value };
    texts.push(piece.value);
  }
}

const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
};

Deno.test("TextPieces reads a file as one piece, without a byte order mark", async () => {
  await using dir = await tempDir({ a: "x\ny", b: "\uFEFFx", empty: "" });
  assertEquals(read(dir.join("a")), { texts: ["x\ny"], isText: true });
  assertEquals(read(dir.join("b")), { texts: ["x"], isText: true });
  assertEquals(read(dir.join("empty")), { texts: [""], isText: true });
});

Deno.test("TextPieces reads UTF-16 that says so", async () => {
  await using dir = await tempDir({ le: utf16("\uFEFFhé\n", true), be: utf16("\uFEFFhé\n", false) });
  assertEquals(read(dir.join("le")).texts, ["hé\n"]);
  assertEquals(read(dir.join("be")).texts, ["hé\n"]);
});

Deno.test("TextPieces takes a NUL in the first 8,000 bytes as the mark of a binary file", async () => {
  await using dir = await tempDir({ early: `${"a".repeat(7999)}\0`, late: `${"a".repeat(8000)}\0` });
  assertEquals(read(dir.join("early")), { texts: [], isText: false });
  assertEquals(read(dir.join("late")).isText, true);
});

Deno.test("TextPieces gives lines that end CR with line feeds, and cuts a large file between them", async () => {
  const text = "line of words\r".repeat(1_300_000);
  await using dir = await tempDir({ a: "x\ry\r", utf16: utf16("\uFEFFx\ry", true), mixed: "x\ry\n", large: text });
  assertEquals(read(dir.join("a")).texts, ["x\ny\n"]);
  assertEquals(read(dir.join("utf16")).texts, ["x\ny"]);
  assertEquals(read(dir.join("mixed")).texts, ["x\ry\n"]);
  const { texts } = read(dir.join("large"));
  assert(texts.length > 1 && texts.every((piece) => piece.endsWith("\n")));
  assert(texts.join("") === text.replaceAll("\r", "\n"));
});

Deno.test("TextPieces reads 8-bit text, all pieces of a large file alike", async () => {
  const line = Uint8Array.of(0x63, 0xe9, 0x93, 0x0a);
  const large = new Uint8Array(12_000_000).fill(0x61);
  for (const at of [0, 6_000_000, 11_999_996]) large.set(line, at);
  await using dir = await tempDir({ a: line, large });
  assertEquals(read(dir.join("a")).texts, ["cé“\n"]);
  const { texts } = read(dir.join("large"));
  assertEquals(texts.join("").replaceAll(/a+/g, "_"), "cé“\n_cé“\n_cé“\n");
});

Deno.test("TextPieces replaces single bytes that are not UTF-8 in a text that is", async () => {
  const damaged = new TextEncoder().encode("größe größe x\n").with(-2, 0xff);
  await using dir = await tempDir({ a: damaged });
  assertEquals(read(dir.join("a")).texts, ["größe größe \uFFFD\n"]);
});

Deno.test("TextPieces takes bytes that are neither UTF-8 nor text for a binary file", async () => {
  await using dir = await tempDir({ a: Uint8Array.of(0x80, 1, 2, 3, 4, 5, 0xff) });
  assertEquals(read(dir.join("a")), { texts: [], isText: false });
});

Deno.test("TextPieces cuts a large file between lines and loses nothing", async () => {
  const text = Array.from({ length: 700_000 }, (_, i) => `line ${i} é\n`).join("");
  await using dir = await tempDir({ a: text, b: "x" });
  const pieces = new TextPieces();
  const { texts } = read(dir.join("a"), pieces);
  assert(texts.length > 1);
  assert(texts.slice(0, -1).every((piece) => piece.endsWith("\n")));
  assert(texts.join("") === text);
  assertEquals(read(dir.join("b"), pieces).texts, ["x"], "the next file is not mixed up with it");
});

Deno.test("TextPieces cuts a line that is longer than it can hold", async () => {
  await using dir = await tempDir({ a: "a".repeat(20_000_000) });
  const { texts } = read(dir.join("a"));
  assertEquals(texts.map((text) => text.length), [8_388_608, 8_388_608, 3_222_784]);
});

Deno.test("TextPieces throws if there is no such file, and closes what it has opened", async () => {
  await using dir = await tempDir({ a: "x" });
  assertThrows(() => read(dir.join("nope")), Deno.errors.NotFound);
  const reading = new TextPieces().read(dir.join("a"));
  reading.next();
  reading.return(false); // a file that stays open fails the test
});
