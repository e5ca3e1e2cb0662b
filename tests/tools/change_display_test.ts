import { assertEquals } from "@std/assert";
import { changeDisplay } from "../../src/tools/change_display.ts";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("");

const big = lines(1, 20_000);

Deno.test("changeDisplay() shows small texts whole", () => {
  assertEquals(changeDisplay("a", "x\n", "y\n"), { type: "diff", path: "a", before: "x\n", after: "y\n" });
});

Deno.test("changeDisplay() shows the changed lines of a big text with three around them", () => {
  const after = big.replace("line 9000\n", "LINE 9000\nand another\n");
  assertEquals(changeDisplay("a", big, after), {
    type: "diff",
    path: "a",
    before: lines(8997, 9003),
    after: `${lines(8997, 8999)}LINE 9000\nand another\n${lines(9001, 9003)}`,
  });
});

Deno.test("changeDisplay() shows changes at either end of a big text", () => {
  assertEquals(changeDisplay("a", big, "first\n" + big), {
    type: "diff",
    path: "a",
    before: lines(1, 4),
    after: `first\n${lines(1, 4)}`,
  });
  const cut = changeDisplay("a", big, big.slice(0, -1));
  assertEquals(cut, {
    type: "diff",
    path: "a",
    before: lines(19_997, 20_000),
    after: lines(19_997, 20_000).slice(0, -1),
  });
});

Deno.test("changeDisplay() shows all of a big text that has nothing in common with the other", () => {
  assertEquals(changeDisplay("a", "", big), { type: "diff", path: "a", before: "", after: big });
});
