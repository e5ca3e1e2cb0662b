import { assert, assertEquals } from "@std/assert";
import { killMany } from "../../scripts/kill_harness.ts";

Deno.test("a program that is killed at 24 random points loses nothing it had acknowledged and runs nothing twice", async () => {
  const results = await killMany(24, 11);
  assertEquals(results.flatMap(({ faults }) => faults), []);
  assert(results.filter(({ hit }) => hit).length >= 20); // a fast program may end before its moment comes
  assert(results.some(({ acknowledged }) => acknowledged > 0));
});
