/**
 * Servers as tools see them, without the program around.
 *
 * @module
 */

import { neutralise } from "../../src/permissions/neutralise.ts";
import { parseSse } from "../../src/llm/sse.ts";
import { type McpHost, type McpPlace, McpServers, type McpServerSpec } from "../../src/tools/mcp_servers.ts";
import { type ServerPlan, stdioServer } from "./mcp_plan.ts";

/** A host that remembers what it was told. */
export class TestHost implements McpHost {
  readonly version = "1.2.3";
  readonly roots = ["file:///w/a%20b"];
  readonly notes: string[] = [];

  readEvents(body: ReadableStream<Uint8Array>) {
    return parseSse(body);
  }

  clean(text: string): string {
    return neutralise(text).replaceAll("hunter22", "[redacted]");
  }

  notify(text: string): void {
    this.notes.push(text);
  }
}

/** A server that is described in short. */
export function serverSpec(name: string, place: McpPlace, more: Partial<McpServerSpec> = {}): McpServerSpec {
  return {
    name,
    place,
    readOnly: [],
    startTimeoutMs: 20_000,
    timeoutMs: 20_000,
    child: () => Promise.resolve({ env: { PATH: "/usr/local/bin:/usr/bin:/bin" } }),
    ...more,
  };
}

/** Where a process is that runs by a plan. */
export function processPlace(plan: ServerPlan): McpPlace {
  const { command, args, env } = stdioServer(plan);
  return { command: [command, ...args], env, cwd: Deno.cwd() };
}

/** Starts servers; at the end of the block their processes are ended. */
export async function startServers(
  specs: readonly McpServerSpec[],
  host = new TestHost(),
): Promise<{ servers: McpServers; host: TestHost } & AsyncDisposable> {
  const servers = await McpServers.start(specs, host, new AbortController().signal);
  return {
    servers,
    host,
    [Symbol.asyncDispose]: async () => {
      await servers.leave();
      await servers.endProcesses();
    },
  };
}
