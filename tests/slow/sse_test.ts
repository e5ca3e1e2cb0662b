import { assert, assertEquals } from "@std/assert";
import { parseSse } from "../../src/llm/sse.ts";

const PIECE = 64 * 1024;
const MIB = 1024 * 1024;

/** A body of this many bytes in pieces of 64 KiB. */
function bodyOf(text: string, bytes: number): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(text.repeat(PIECE / text.length));
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      left -= piece.length;
      controller.enqueue(piece);
    },
  }, { highWaterMark: 0 });
}

async function read(body: ReadableStream<Uint8Array>): Promise<{ ms: number; length: number }> {
  const start = performance.now();
  let length = 0;
  for await (const { data } of parseSse(body)) length += data.length;
  return { ms: performance.now() - start, length };
}

Deno.test("parseSse() reads one event of 26 MB in pieces of 64 KB within a second", async () => {
  const bytes = new TextEncoder().encode(`data: ${"x".repeat(26 * MIB)}\n\n`);
  const pieces = Array.from(
    { length: Math.ceil(bytes.length / PIECE) },
    (_, i) => bytes.subarray(i * PIECE, (i + 1) * PIECE),
  );
  const { ms, length } = await read(ReadableStream.from(pieces));
  assertEquals(length, 26 * MIB);
  assert(ms < 1000, `${ms} ms`);
});

Deno.test("parseSse() reads 26 MB of ordinary events within a second", async () => {
  const chunk = `data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}`.padEnd(126, " ");
  const { ms, length } = await read(bodyOf(`${chunk}\n\n`, 26 * MIB));
  assert(length > 20 * MIB);
  assert(ms < 1000, `${ms} ms`);
});

Deno.test("parseSse() takes time in proportion to the input", async () => {
  const times: number[] = [];
  for (const size of [2, 2, 16]) times.push((await read(bodyOf("data: abcdefgh\r\n".repeat(4), size * MIB))).ms);
  assert(times[2]! < 8 * 4 * Math.max(times[1]!, 20), `${times} ms for 2, 2 and 16 MB`);
});

Deno.test("parseSse() refuses an event of 100 MB within a second and 120 MB", async () => {
  const source = new URL("../../src/llm/sse.ts", import.meta.url).href;
  const script = `
    import { parseSse } from ${JSON.stringify(source)};
    const piece = new Uint8Array(${PIECE}).fill(120);
    let peak = 0, sent = 0;
    async function* body() {
      yield new TextEncoder().encode("data: ");
      for (; sent < 100 * ${MIB}; sent += piece.length) {
        peak = Math.max(peak, Deno.memoryUsage().rss);
        yield piece.slice();
      }
    }
    const start = performance.now();
    const refused = await Array.fromAsync(parseSse(body())).then(() => "", (error) => error.message);
    console.log(JSON.stringify({ refused, ms: performance.now() - start, peak, sent }));
  `;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--ext=ts", script] }).output();
  const { refused, ms, peak, sent } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(refused, `Cannot read the reply: one event is longer than ${28 * MIB} characters`);
  assert(sent < 100 * MIB, "it was read to its end");
  assert(ms < 1000, `${ms} ms`);
  assert(peak < 120 * MIB, `${peak} bytes`);
});
