/**
 * What a program that uses the agent as a library hands to its tools.
 *
 * @module
 */

import type { AgentOptions } from "./agent_options.ts";

/**
 * The surroundings of an agent that works in one folder. Its commands see no environment but the names given.
 *
 * @param folder An existing folder.
 * @param env The whole environment of commands, without keys.
 * @throws {Deno.errors.NotFound} If the folder does not exist.
 * @example
 * ```ts
 * import { surroundings } from "./surroundings.ts";
 *
 * const { cwd, workspace } = await surroundings(".");
 * if (workspace.roots[0] !== cwd) throw new Error(cwd);
 * ```
 */
export async function surroundings(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentOptions["surroundings"]> {
  const cwd = await Deno.realPath(folder);
  return { cwd, workspace: { cwd, roots: [cwd] }, child: { env } };
}
