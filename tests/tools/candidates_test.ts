import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CandidateOptions, candidates } from "../../src/tools/candidates.ts";
import type { FileFilter } from "../../src/tools/ripgrep.ts";
import { TimeSlices } from "../../src/tools/time_slices.ts";

const files = (count: number) => Array.from({ length: count }, (_, i) => `/w/${String(i).padStart(5, "0")}.ts`);

function options(filter?: FileFilter): CandidateOptions {
  const { signal } = new AbortController();
  return { openFilter: () => Promise.resolve(filter), slices: new TimeSlices(signal), signal };
}

Deno.test("candidates() opens no filter for a few files", async () => {
  const opened = { ...options(), openFilter: () => Promise.reject(new Error("opened")) };
  assertEquals(await Array.fromAsync(candidates(files(299).values(), opened)), [files(299)]);
});

Deno.test("candidates() gives all files in their order where there is no filter", async () => {
  const portions = await Array.fromAsync(candidates(files(700).values(), options()));
  assertEquals(portions.map((portion) => portion.length), [300, 300, 100]);
  assertEquals(portions.flat(), files(700));
});

Deno.test("candidates() filters what comes after the first files, in portions that grow", async () => {
  const lengths: number[] = [];
  const filter: FileFilter = (portion) => {
    lengths.push(portion.length);
    return Promise.resolve(portion.filter((file) => file.endsWith("77.ts")));
  };
  const portions = await Array.fromAsync(candidates(files(9000).values(), options(filter)));
  assertEquals(portions.flat().slice(300), files(9000).slice(300).filter((file) => file.endsWith("77.ts")));
  assert(lengths.length > 2 && lengths[1]! > lengths[0]!, String(lengths));
});

Deno.test("candidates() stops the filter that still runs when nobody wants more", async () => {
  const signals: AbortSignal[] = [];
  const filter: FileFilter = (portion, signal) => {
    signals.push(signal);
    return Promise.resolve(portion);
  };
  let portions = 0;
  for await (const _ of candidates(files(9000).values(), options(filter))) {
    if (++portions === 2) break;
  }
  assertEquals(signals.map((signal) => signal.aborted), [true, true]);
});

Deno.test("candidates() throws what the filter throws", async () => {
  const filter: FileFilter = () => Promise.reject(new Error("gone"));
  await assertRejects(() => Array.fromAsync(candidates(files(900).values(), options(filter))), Error, "gone");
});
