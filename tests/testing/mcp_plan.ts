/**
 * What a test's MCP server is to do, and how it is started.
 *
 * @module
 */

import { fromFileUrl } from "@std/path/from-file-url";
import { visibleInSandbox } from "./visible.ts";

/** How the server of a test behaves. */
export interface ServerPlan {
  /** Its tools, a page each. */
  pages?: readonly (readonly unknown[])[];
  /** Lines that it prints before and between its messages. */
  noise?: readonly string[];
  /** Every message that it gets is appended to this file. */
  log?: string;
  /** Its tool `write` may write anywhere. */
  writes?: boolean;
  /** The revision that it says it speaks. */
  revision?: string;
  /** It never answers. */
  mute?: boolean;
  /** It ends at once with this exit code. */
  exit?: number;
  /** What it says before that. */
  stderr?: string;
}

/** A tool as a server lists it. */
export function listed(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, description: `Does ${name}. And more`, inputSchema: { type: "object", properties: {} }, ...more };
}

/** A `mcpServers` entry, or the place of a server, that runs `mcp_server.ts` by this plan. */
export function stdioServer(plan: ServerPlan): { command: string; args: string[]; env: Record<string, string> } {
  const file = visibleInSandbox(fromFileUrl(new URL("./mcp_server.ts", import.meta.url)));
  const write = plan.writes ? "--allow-write" : `--allow-write=${plan.log}`;
  const grants = ["--allow-env", ...(plan.writes || plan.log ? [write] : [])];
  return {
    command: visibleInSandbox(Deno.execPath()),
    args: ["run", "--quiet", "--no-check", "--no-prompt", "--no-config", ...grants, file, JSON.stringify(plan)],
    env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`, DENO_NO_UPDATE_CHECK: "1" },
  };
}

/** What a server has logged. */
export async function logged(path: string): Promise<{ method?: string; id?: unknown; params?: unknown }[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
