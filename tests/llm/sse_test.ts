import { assertEquals, assertRejects } from "@std/assert";
import { ApiError } from "../../src/llm/errors.ts";
import { parseSse, type ServerSentEvent } from "../../src/llm/sse.ts";
import { randomPieces, seeded } from "../testing/random.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** The events of a body that arrives in these pieces. */
function decode(...pieces: (string | Uint8Array<ArrayBuffer>)[]): Promise<ServerSentEvent[]> {
  const bytes = pieces.map((piece) => typeof piece === "string" ? encode(piece) : piece);
  return Array.fromAsync(parseSse(ReadableStream.from(bytes)));
}

Deno.test("parseSse() ends an event at a blank line, whatever ends the lines", async () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    assertEquals(await decode(`data: a${end}${end}data: b${end}data: c${end}${end}`), [{ data: "a" }, {
      data: "b\nc",
    }]);
  }
  assertEquals(await decode("data: a\r\n\ndata: b\r\rdata: c\n\r\n"), [{ data: "a" }, { data: "b" }, { data: "c" }]);
});

Deno.test("parseSse() takes CR and LF of two reads for one line end", async () => {
  assertEquals(await decode("data: a\r", "\ndata: b\r", "\n\r", "\n"), [{ data: "a\nb" }]);
  assertEquals(await decode("data: a\r", "\r"), [{ data: "a" }]);
  assertEquals(await decode("data: a\r", "", "\n\r\n"), [{ data: "a" }]);
});

Deno.test("parseSse() drops one blank after the colon, and needs none", async () => {
  assertEquals(await decode("data:a\n\ndata:  b\n\ndata:\n\ndata\n\n"), [
    { data: "a" },
    { data: " b" },
    { data: "" },
    { data: "" },
  ]);
});

Deno.test("parseSse() passes over comments, ids, retry times and unknown fields", async () => {
  const body = ": keep-alive\n\nid: 7\nretry: 10\nx-more: 1\n\n: hello\ndata: a\n: between\ndata: b\nid\n\n: bye\n\n";
  assertEquals(await decode(body), [{ data: "a\nb" }]);
});

Deno.test("parseSse() gives an event its name, and the next one none", async () => {
  assertEquals(await decode("event: ping\ndata: 1\n\ndata: 2\n\nevent: lost\n\ndata: 3\n\n"), [
    { event: "ping", data: "1" },
    { data: "2" },
    { data: "3" },
  ]);
});

Deno.test("parseSse() uses the last event though its blank line or its line end is missing", async () => {
  for (const end of ["", "\n", "\r", "\r\n"]) {
    assertEquals(await decode(`data: a\n\ndata: b${end}`), [{ data: "a" }, { data: "b" }]);
  }
  assertEquals(await decode("data: a\n\n"), [{ data: "a" }]);
  assertEquals(await decode(), []);
});

Deno.test("parseSse() drops a byte order mark, in one read or in three", async () => {
  const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
  assertEquals(await decode(mark, "data: a\n\n"), [{ data: "a" }]);
  assertEquals(await decode(mark.slice(0, 1), mark.slice(1, 2), mark.slice(2), "data: \ufeffa\n\n"), [
    { data: "\ufeffa" },
  ]);
});

Deno.test("parseSse() keeps a character whole wherever the reads cut it", async () => {
  const bytes = encode("data: 价格 🙂 €5\r\n\r\n");
  for (let cut = 0; cut <= bytes.length; cut++) {
    assertEquals(await decode(bytes.slice(0, cut), bytes.slice(cut)), [{ data: "价格 🙂 €5" }], `cut at ${cut}`);
  }
  assertEquals(await decode(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [{ data: "价格 🙂 €5" }]);
});

Deno.test("parseSse() gives what is no event stream as data", async () => {
  assertEquals(await decode("<html>\n<p>Bad gateway: x</p>\n</html>"), [{
    data: "<html>\n<p>Bad gateway: x</p>\n</html>",
  }]);
  assertEquals(await decode('{"error": {\n  "message": "no"\n}}\n'), [{ data: '{"error": {\n  "message": "no"\n}}' }]);
  assertEquals(await decode("upstream connect error: reset"), [{ data: "upstream connect error: reset" }]);
});

Deno.test("parseSse() closes the body of a reader who leaves early", async () => {
  let closed = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encode("data: a\n\n")),
    cancel: () => void (closed = true),
  });
  for await (const _event of parseSse(body)) break;
  assertEquals(closed, true);
});

Deno.test("parseSse() refuses an event that is too long, in one line, in many lines, or without an end", async () => {
  const limit = { maxEventLength: 1000 };
  const bodies = [["data: " + "x".repeat(2000)], Array.from({ length: 50 }, () => "data: " + "x".repeat(50) + "\n")];
  for (const pieces of bodies) {
    const body = ReadableStream.from(pieces.map(encode));
    const error = await assertRejects(() => Array.fromAsync(parseSse(body, limit)), ApiError);
    assertEquals([error.kind, error.retryable], ["broken_reply", false]);
  }
  const many = ReadableStream.from(Array.from({ length: 50 }, () => encode("data: " + "x".repeat(50) + "\n\n")));
  assertEquals((await Array.fromAsync(parseSse(many, limit))).length, 50);
});

/** The same by the book, from the whole text: nothing is shared with the decoder under test. */
function byTheBook(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  let data: string[] = [];
  let event = "";
  for (const line of [...text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/), ""]) {
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) events.push({ ...(event && { event }), data: data.join("\n") });
      [data, event] = [[], ""];
    } else if (field === "data") data.push(value);
    else if (field === "event") event = value;
  }
  return events;
}

Deno.test("parseSse() reads generated streams as the book says, however they are cut", async () => {
  const seed = 20261130;
  const random = seeded(seed);
  const fields = ["data:", "data: ", "event:", "event: ", ":", ": ", "id: ", "retry:", "x-more: "];
  const values = ["", " ", "a", ": b", "é🙂", '{"c":"价格"}', "data: d"];
  const line = () => random.pick(["", "", "data", "event", () => random.pick(fields) + random.pick(values)]);
  for (let round = 0; round < 2000; round++) {
    const lines = Array.from({ length: random.below(12) }, () => {
      const made = line();
      return (typeof made === "string" ? made : made()) + random.pick(["\n", "\r", "\r\n"]);
    }).join("") + random.pick(["", "data: end"]);
    const text = random.below(10) === 0 ? `\ufeff${lines}` : lines;
    const pieces = randomPieces(encode(text), random);
    assertEquals(await decode(...pieces), byTheBook(text), `seed ${seed}, round ${round}: ${JSON.stringify(text)}`);
  }
});
