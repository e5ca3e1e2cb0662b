import { assertEquals } from "@std/assert";
import { killMany } from "../../scripts/kill_harness.ts";

Deno.test("a program that is killed at 24 random points loses nothing it had acknowledged and runs nothing twice", async () => {
  const results = await killMany(24, 11);
  assertEquals(results.flatMap(({ faults }) => faults), []);
  assertEquals(results.filter(({ hit }) => hit).length, 24);
  assertEquals(results.some(({ acknowledged }) => acknowledged > 0), true);
});
