import { assertEquals } from "@std/assert";
import { hashOf, partKnown, rememberSeen } from "../../src/tools/seen_files.ts";

/** What is known of a file of ten lines after these pages. */
function knownAfter(...pages: (readonly [first: number, last: number])[]): string {
  const seen = new Map<string, string>();
  for (const [first, last] of pages) rememberSeen(seen, { path: "/a", hash: "c0de", page: { first, last, total: 10 } });
  return seen.get("/a")!;
}

Deno.test("rememberSeen() adds up pages in any order, overlapping or not", () => {
  assertEquals(partKnown(knownAfter([8, 9], [1, 2], [2, 4])), "6 of 10 lines");
  assertEquals(partKnown(knownAfter([3, 4], [3, 4])), "2 of 10 lines");
  assertEquals(hashOf(knownAfter([8, 9])), "c0de");
});

Deno.test("rememberSeen() knows a file when all of its lines were shown", () => {
  assertEquals(knownAfter([4, 10], [1, 3]), "c0de");
  assertEquals(partKnown("c0de"), undefined);
});

Deno.test("rememberSeen() forgets no whole file for a page of it, and every page of another content", () => {
  const seen = new Map([["/a", "c0de"]]);
  rememberSeen(seen, { path: "/a", hash: "c0de", page: { first: 1, last: 1, total: 2 } });
  assertEquals(seen.get("/a"), "c0de");
  rememberSeen(seen, { path: "/a", hash: "face", page: { first: 2, last: 2, total: 2 } });
  assertEquals(partKnown(seen.get("/a")!), "1 of 2 lines");
  rememberSeen(seen, { path: "/a", hash: "face" });
  assertEquals(seen.get("/a"), "face");
});
