/**
 * Real temporary folders and the context in which a tool runs in one.
 *
 * @module
 */

import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import type { ToolContext } from "../../src/tools/tool.ts";

/** A temporary folder that is removed at the end of the block: `await using dir = await tempDir()`. */
export interface TempDir extends AsyncDisposable {
  /** Canonical. */
  readonly path: string;
  /** The absolute path of something in it. */
  join(...parts: string[]): string;
}

/**
 * Makes a temporary folder that holds these files.
 *
 * @param files Relative path to content; folders on the way are made.
 */
export async function tempDir(files: Record<string, string | Uint8Array> = {}): Promise<TempDir> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "mini-agent-test-" }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeFile(file, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/**
 * The context of a call: the workspace is the working folder, nothing outside is granted, nothing has been seen and
 * nobody interrupts, unless it is said otherwise.
 */
export function newToolContext(options: Partial<ToolContext> & Pick<ToolContext, "cwd">): ToolContext {
  return {
    signal: new AbortController().signal,
    workspace: { cwd: options.cwd, roots: [options.cwd] },
    granted: new Set(),
    seen: new Map(),
    child: { env: { PATH: "/usr/local/bin:/usr/bin:/bin" } },
    ...options,
  };
}
