import { assertEquals } from "@std/assert";
import { TextPieces } from "../../src/cli/text_pieces.ts";

Deno.test("plain text is given at once, the last of other characters when it is whole", () => {
  const pieces = new TextPieces();
  assertEquals(pieces.add("plain"), "plain");
  assertEquals(pieces.add("你好"), "你");
  assertEquals(pieces.add("!"), "好!");
  assertEquals(pieces.end(), "");
});

Deno.test("a character that is cut between two pieces comes out whole", () => {
  const text = "a 👨‍👩‍👧 é 🇩🇪 ❤\ufe0f b";
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces = new TextPieces();
    const given = [pieces.add(text.slice(0, cut)), pieces.add(text.slice(cut)), pieces.end()];
    assertEquals(given.join(""), text);
    for (const piece of given) assertEquals(piece.isWellFormed(), true, `cut at ${cut}`);
    assertEquals(given.slice(1).some((piece) => /^[\u200d\ufe0f]/.test(piece)), false, `cut at ${cut}`);
  }
});

Deno.test("the end gives what was kept back, once", () => {
  const pieces = new TextPieces();
  pieces.add("好");
  assertEquals([pieces.end(), pieces.end()], ["好", ""]);
});
