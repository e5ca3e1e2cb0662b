import { assertEquals } from "@std/assert";
import { type HistoryStore, keepInHistory, loadHistory } from "../../src/cli/input_history.ts";

Deno.test("what is kept comes back in order, several lines too", async () => {
  const store = newStore();
  await keepInHistory(store, "one\ntwo 你好");
  await keepInHistory(store, "three");
  assertEquals(await loadHistory(store), ["one\ntwo 你好", "three"]);
});

Deno.test("blank and very long inputs are not kept", async () => {
  const store = newStore();
  await keepInHistory(store, "  \n");
  await keepInHistory(store, "x".repeat(10_001));
  assertEquals(await loadHistory(store), []);
});

Deno.test("damaged lines cost only themselves", async () => {
  assertEquals(await loadHistory(newStore('"one"\n{"a":1}\n"to\n42\n\n"two"\n"thr')), ["one", "two"]);
});

Deno.test("only the newest thousand are loaded", async () => {
  const lines = Array.from({ length: 1500 }, (_, i) => JSON.stringify(`${i}`) + "\n").join("");
  const entries = await loadHistory(newStore(lines));
  assertEquals([entries.length, entries[0], entries.at(-1)], [1000, "500", "1499"]);
});

Deno.test("a store that cannot be read or written is as good as none", async () => {
  const broken: HistoryStore = {
    load: () => Promise.reject(new Deno.errors.NotFound()),
    append: () => Promise.reject(new Deno.errors.NotCapable()),
  };
  await keepInHistory(broken, "one");
  assertEquals(await loadHistory(broken), []);
  await keepInHistory(undefined, "one");
  assertEquals(await loadHistory(undefined), []);
});

function newStore(text = ""): HistoryStore {
  return {
    load: () => Promise.resolve(text),
    append: (line) => Promise.resolve(void (text += line)),
  };
}
