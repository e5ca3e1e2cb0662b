/**
 * What `mini-agent permissions` and `mini-agent doctor` say of hooks.
 *
 * @module
 */

import type { CheckResult } from "./doctor_command.ts";
import { hasHooks } from "./settings.ts";
import type { Setup } from "./setup.ts";

/** A line for the person's own hooks and one for the project's, where there are any. */
export async function hookLines(setup: Setup): Promise<CheckResult[]> {
  const { hooks, config: { projectHooks }, options } = setup;
  if (!hasHooks(hooks) && !hasHooks(projectHooks)) return [];
  const { countText, obstacleFor } = await import("./open_hooks.ts");
  const { projectTrust, trustText } = await import("./project_trust.ts");
  const obstacle = await obstacleFor(setup);
  const end = obstacle === undefined ? "" : `, cannot run: ${obstacle}`;
  const status = obstacle === undefined ? "ok" : "fail";
  const lines: CheckResult[] = [];
  if (hasHooks(hooks)) lines.push({ status, text: `hooks: ${countText(hooks)}${end}` });
  if (hasHooks(projectHooks)) {
    const trust = await projectTrust(setup);
    const isUsed = trust.state.state === "trusted" || options.trust;
    const text = `hooks of this project: ${countText(projectHooks)}, ${trustText(trust, options.trust)}`;
    lines.push(isUsed ? { status, text: text + end } : { status: "skip", text });
    if (trust.problem !== undefined) lines.push({ status: "fail", text: trust.problem });
  }
  return lines;
}
