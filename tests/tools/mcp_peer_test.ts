import { assertEquals } from "@std/assert";
import type { Outgoing } from "../../src/tools/mcp_message.ts";
import { McpPeer } from "../../src/tools/mcp_peer.ts";

Deno.test("a server that asks without end and reads nothing gets a few answers, and short ones", async () => {
  const sent: Outgoing[] = [];
  const read = Promise.withResolvers<void>();
  const peer = new McpPeer({ name: "s", onNotification: () => {} });
  peer.attach({
    send(message) {
      sent.push(message);
      return read.promise;
    },
    close: () => Promise.resolve(),
  });
  for (let id = 0; id < 10_000; id++) peer.receive({ kind: "request", id, method: "x".repeat(1000) });
  assertEquals(sent.length, 32);
  assertEquals(JSON.stringify(sent[0]).length < 300, true);
  read.resolve();
  await new Promise((resolve) => setTimeout(resolve)); // it reads again
  peer.receive({ kind: "request", id: "again", method: "ping" });
  assertEquals(sent.at(-1), { jsonrpc: "2.0", id: "again", result: {} });
});
