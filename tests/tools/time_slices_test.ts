import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TimeSlices } from "../../src/tools/time_slices.ts";

/** Works until the slice is over, at most a second. */
function work(slices: TimeSlices): void {
  const started = performance.now();
  while (!slices.isOver && performance.now() - started < 1000);
}

Deno.test("TimeSlices lets others run after each slice", async () => {
  const slices = new TimeSlices(new AbortController().signal);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  for (let i = 0; i < 10; i++) {
    work(slices);
    assert(await slices.pause());
    assertEquals(slices.isOver, false, "the next slice begins");
  }
  clearInterval(timer);
  assert(turns > 3, `${turns} turns`);
});

Deno.test("TimeSlices throws the signal's reason, before the work and after a slice", async () => {
  const reason = new Error("stop");
  const controller = new AbortController();
  const slices = new TimeSlices(controller.signal);
  controller.abort(reason);
  assert(await assertRejects(() => slices.pause(), Error) === reason);
  assert(assertThrows(() => new TimeSlices(controller.signal), Error) === reason);
});

Deno.test("TimeSlices says when the time for the whole work is up", async () => {
  const slices = new TimeSlices(new AbortController().signal, 1);
  work(slices);
  assertEquals(await slices.pause(), false);
  assertEquals(slices.isExpired, true);
  assertEquals(new TimeSlices(new AbortController().signal, 60_000).isExpired, false);
});
