/**
 * What a run gives up at its start.
 *
 * @module
 */

import type { Mode } from "./grants.ts";

/** What is known of a run when it starts. */
export interface RunPlan {
  /** Nobody can raise the mode: a headless run. */
  readonly fixed: boolean;
  /** Whether the session is kept on disk. */
  readonly saving: boolean;
  /** Something is run: commands in the sandbox, or hooks. */
  readonly runs: boolean;
  readonly roots: readonly string[];
}

/**
 * What a run gives up for good at its start, once its configuration is read: whatever it can never use. Where the
 * person can raise the mode, that is little; what Deno was given as a whole, it cannot narrow to a part.
 */
export function revocable(mode: Mode, { fixed, saving, runs, roots }: RunPlan): Deno.PermissionDescriptor[] {
  const never: Deno.PermissionDescriptor[] = [{ name: "ffi" }, { name: "import" }, { name: "sys" }, { name: "env" }];
  if (mode !== "plan" || !fixed) return never;
  const writing: Deno.PermissionDescriptor[] = saving
    ? roots.map((path) => ({ name: "write", path }))
    : [{ name: "write" }];
  return [...never, ...writing, ...runs ? [] : [{ name: "run" } as const]];
}
