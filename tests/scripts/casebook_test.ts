import { assertEquals } from "@std/assert";
import { compare, formatIds, parseIds, type Row } from "../../scripts/casebook.ts";

function row(id: string, status: Row["status"]): Row {
  return { id, status, why: "" };
}

Deno.test("compare() tells a case that breaks from one that never passed", () => {
  assertEquals(compare(["B001"], [row("B001", "not ok"), row("B002", "not ok")]), {
    broken: ["B001"],
    fresh: [],
    unplayed: [],
  });
});

Deno.test("compare() finds the cases that pass for the first time", () => {
  assertEquals(compare(["B001"], [row("B001", "ok"), row("B002", "ok"), row("B003", "skip")]).fresh, ["B002"]);
});

Deno.test("compare() does not take a case that was skipped or is gone for a broken one", () => {
  assertEquals(compare(["B001", "B002"], [row("B001", "skip")]), {
    broken: [],
    fresh: [],
    unplayed: ["B001", "B002"],
  });
});

Deno.test("formatIds() sorts and keeps each id once, and parseIds() reads it back", () => {
  assertEquals(formatIds(["B002", "B001", "B002"]), "B001\nB002\n");
  assertEquals(parseIds("B001\r\n\nB002\nB001\n"), ["B001", "B002"]);
  assertEquals(formatIds([]), "");
});
