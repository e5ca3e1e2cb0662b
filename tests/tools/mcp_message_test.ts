import { assertEquals } from "@std/assert";
import { LineCutter } from "../../src/tools/mcp_lines.ts";
import { readMessages } from "../../src/tools/mcp_message.ts";

Deno.test("readMessages() tells messages from everything else that a program prints", () => {
  for (const text of ["", " ", "Server starting...", "{", "7", "null", '{"level":"info"}', "[debug] x", '"jsonrpc"']) {
    assertEquals(readMessages(text), []);
  }
  assertEquals(readMessages('{"jsonrpc":"1.0","id":1,"result":{}}'), []);
  assertEquals(readMessages('{"jsonrpc":"2.0","id":1}'), []);
});

Deno.test("readMessages() reads each kind, and lists of them", () => {
  const text =
    '[{"jsonrpc":"2.0","id":1,"result":null},{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}},7,' +
    '{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":null,"method":"x","params":{}}]';
  assertEquals(readMessages(text), [
    { kind: "result", id: 1, result: null },
    { kind: "error", id: 2, error: { code: -1, message: "no" } },
    { kind: "request", id: "a", method: "ping" },
    { kind: "notification", method: "x" },
  ]);
});

Deno.test("readMessages() takes an error whatever it holds, and not more of it than a person reads", () => {
  const read = (error: unknown) => readMessages(JSON.stringify({ jsonrpc: "2.0", id: 1, error }))[0];
  assertEquals(read({}), { kind: "error", id: 1, error: { code: 0, message: "no reason" } });
  const long = read({ code: 1, message: "x".repeat(5000) });
  assertEquals(long, { kind: "error", id: 1, error: { code: 1, message: `${"x".repeat(2000)}…` } });
});

Deno.test("LineCutter gives whole lines wherever the pieces are cut, from an array that is used again", () => {
  const bytes = new TextEncoder().encode("a\n\nzwölf €\r\n😀 last\nrest");
  for (let size = 1; size <= bytes.length; size++) {
    const cutter = new LineCutter(100, () => {});
    const lines: string[] = [];
    const shared = new Uint8Array(size);
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      shared.set(piece);
      lines.push(...cutter.push(shared.subarray(0, piece.length)));
      shared.fill(65);
    }
    assertEquals(lines, ["a", "", "zwölf €\r", "😀 last"]);
  }
});

Deno.test("LineCutter leaves out a line that is too long, tells it once, and reads on", () => {
  let count = 0;
  const cutter = new LineCutter(4, () => count++);
  const push = (text: string) => cutter.push(new TextEncoder().encode(text));
  assertEquals(push("1234\n12345\nab\n"), ["1234", "ab"]);
  assertEquals([push("123"), push("456"), push("789\nx\n")].flat(), ["x"]);
  assertEquals(count, 2);
});

Deno.test("LineCutter replaces what is no UTF-8", () => {
  const cutter = new LineCutter(100, () => {});
  assertEquals(cutter.push(Uint8Array.of(0x61, 0xff, 0x62, 0x0a)), ["a\ufffdb"]);
});
