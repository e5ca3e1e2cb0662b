import { assertEquals, assertRejects } from "@std/assert";
import { readText } from "../../src/tools/web_text.ts";

const url = new URL("https://a.example/");
const never = new AbortController().signal;

/** A body whose second piece never comes: something happens instead. */
function breakingBody(first: string, instead: (body: ReadableStreamDefaultController<Uint8Array>) => void) {
  let isFirst = true;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(body) {
      if (isFirst && first !== "") body.enqueue(new TextEncoder().encode(first));
      else instead(body);
      isFirst = false;
    },
  }, { highWaterMark: 0 });
}

const textResponse = (body: ReadableStream<Uint8Array<ArrayBuffer>>) =>
  new Response(body, { headers: { "content-type": "text/plain" } });

Deno.test("readText() gives what has come when the time is up", async () => {
  const limit = new AbortController();
  const body = breakingBody("beginning", (it) => {
    limit.abort();
    it.error(limit.signal.reason);
  });
  const text = await readText({ url, response: textResponse(body) }, { signal: limit.signal, interrupt: never });
  assertEquals(text, "beginning\n\n[the time was up before the end]");
});

Deno.test("readText() throws when the time is up before anything has come", async () => {
  const limit = new AbortController();
  const body = breakingBody("", (it) => {
    limit.abort(new Error("late"));
    it.error(limit.signal.reason);
  });
  const reading = () => readText({ url, response: textResponse(body) }, { signal: limit.signal, interrupt: never });
  await assertRejects(reading, Error, "late");
});

Deno.test("readText() gives what has come when the connection breaks", async () => {
  const body = breakingBody("beginning", (it) => it.error(new TypeError("reset")));
  const text = await readText({ url, response: textResponse(body) }, { signal: never, interrupt: never });
  assertEquals(text, "beginning\n\n[the connection broke before the end]");
});
