import { assert, assertEquals } from "@std/assert";
import { type ImageType, imageTypeOf, isWholeImage } from "../../src/tools/image_file.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const filler = "x".repeat(200);

const images: [ImageType, Uint8Array][] = [
  ["image/png", latin1(`\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${filler}\0\0\0\0IEND\xae\x42\x60\x82`)],
  ["image/jpeg", latin1(`\xff\xd8\xff\xe0${filler}\xff\xd9`)],
  ["image/gif", latin1(`GIF89a${filler}\0\x3b`)],
  ["image/webp", latin1(`RIFF\xd0\0\0\0WEBP${filler}xxxx`)],
];

for (const [type, bytes] of images) {
  Deno.test(`imageTypeOf() and isWholeImage() know ${type}`, () => {
    assertEquals(imageTypeOf(bytes), type);
    assert(isWholeImage(bytes, type));
    assert(!isWholeImage(bytes.subarray(0, 150), type));
  });
}

Deno.test("imageTypeOf() knows that other files are no pictures", () => {
  for (const text of ["", "\x89PNG", "RIFF\0\0\0\0WAVE", "GIF", "BM"]) {
    assertEquals(imageTypeOf(latin1(text)), undefined);
  }
});
