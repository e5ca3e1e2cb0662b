/**
 * How the children of a run are started.
 *
 * @module
 */

import { type ChildSettings, ToolError } from "../tools/tool.ts";
import type { Mode } from "./args.ts";
import type { Setup } from "./setup.ts";

/**
 * How commands are started in a mode: in the sandbox, where there is one, and read-only in `plan`.
 *
 * @throws {ToolError} If there is a sandbox and it does not work.
 */
export async function childFor({ env, sandbox }: Pick<Setup, "env" | "sandbox">, mode: Mode): Promise<ChildSettings> {
  if (mode === "full") return { env };
  const { wrap, broken, ready } = await sandbox.open();
  if (broken !== undefined) {
    throw new ToolError(`Cannot run commands: the sandbox does not work (${broken}); the user must see to it`);
  }
  const readOnly = mode === "plan";
  if (!readOnly) await ready();
  return {
    env,
    ...(wrap && { sandbox: (command, run) => wrap(command, { ...run, readOnly: readOnly || run.readOnly }) }),
  };
}
