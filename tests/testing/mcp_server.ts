/**
 * An MCP server to be run by itself, as badly behaved as a test wants: its only argument is a {@linkcode ServerPlan} in
 * JSON. Needs no permissions, but to write where the plan has a log.
 *
 * @module
 */

import type { ServerPlan } from "./mcp_plan.ts";

const plan: ServerPlan = JSON.parse(Deno.args[0] ?? "{}");
const stdout = Deno.stdout.writable.getWriter();
const encoder = new TextEncoder();

async function print(text: string): Promise<void> {
  await stdout.write(encoder.encode(text));
}

async function say(message: unknown): Promise<void> {
  const text = JSON.stringify(message);
  for (const line of plan.noise ?? []) await print(line + "\n");
  const half = Math.floor(text.length / 2);
  await print(text.slice(0, half)); // a pipe cuts where it likes
  await print(text.slice(half) + "\n");
}

function log(message: unknown): void {
  if (plan.log) Deno.writeTextFileSync(plan.log, JSON.stringify(message) + "\n", { append: true });
}

interface Message {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: Record<string, unknown>; cursor?: string };
}

/** Calls that wait for the next one: they are answered in the wrong order. */
const held: (() => Promise<void>)[] = [];

async function onCall(id: number, name: string, input: Record<string, unknown>): Promise<void> {
  const text = (text: string) => say({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
  switch (name) {
    case "die":
      console.error("out of \u001b[31mmemory");
      return Deno.exit(3);
    case "hang":
      return;
    case "hold":
      return void held.push(() => text("held"));
    case "release":
      await text("released");
      for (const answer of held.splice(0)) await answer();
      return;
    case "fail":
      return await say({ jsonrpc: "2.0", id, error: { code: -32000, message: "no such thing" } });
    case "long":
      return await print("x".repeat(17 * 1024 * 1024) + "\n");
    case "bytes":
      await stdout.write(Uint8Array.of(0xff, 0xfe, 0x0a)); // no UTF-8, and no message
      return await text("after the bytes");
    case "ask":
      await say({ jsonrpc: "2.0", id: "q1", method: "ping" });
      await say({ jsonrpc: "2.0", id: "q2", method: "roots/list" });
      await say({ jsonrpc: "2.0", id: "q3", method: "sampling/createMessage", params: {} });
      await say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      await say({ jsonrpc: "2.0", id: 999, result: {} }); // nobody asked
      return await text("asked");
    case "env":
      return await text(JSON.stringify(Deno.env.toObject()));
    case "write":
      try {
        Deno.writeTextFileSync(String(input["path"]), "x\n");
        return await text("written");
      } catch (error) {
        return await text(`not written: ${error}`);
      }
    case "result":
      return await say({ jsonrpc: "2.0", id, result: input["result"] });
    default:
      return await text(`ECHO of ${name} ${JSON.stringify(input)}`);
  }
}

async function onMessage({ id, method, params = {} }: Message): Promise<void> {
  if (id === undefined || method === undefined) return;
  const answer = (result: unknown) => say({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "initialize":
      if (plan.mute) return;
      return await answer({
        protocolVersion: plan.revision ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "test", version: "1" },
      });
    case "tools/list": {
      const page = Number(params.cursor ?? "0");
      const pages = plan.pages ?? [];
      const nextCursor = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      return await answer({ tools: pages[page] ?? [], ...nextCursor });
    }
    case "tools/call":
      return await onCall(id, params.name ?? "", params.arguments ?? {});
    default:
      return await say({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
}

for (const line of plan.noise ?? []) await print(line + "\n");
if (plan.exit !== undefined) {
  console.error(plan.stderr ?? "");
  Deno.exit(plan.exit);
}
let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  rest += text;
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines.filter((line) => line !== "")) {
    const message = JSON.parse(line);
    log(message);
    await onMessage(message);
  }
}
