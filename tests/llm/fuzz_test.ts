import { assert, assertEquals } from "@std/assert";
import { fuzz } from "../../scripts/fuzz.ts";

Deno.test("the adapters, the retries and the mending of histories stand up to random services for 25 conversations", async () => {
  const totals = await fuzz({ seed: 1, count: 25 });
  assertEquals(totals.conversations, 25);
  assert(totals.requests > totals.steps, "no request was ever made again");
});
