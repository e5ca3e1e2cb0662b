/**
 * The hooks of this run: which there are, and whether they can run at all. Loaded only where there are some.
 *
 * @module
 */

import { compileMatch } from "../agent/hook_match.ts";
import { type HookHost, HookRunner } from "../agent/hook_runner.ts";
import type { Hook, HookEvent, HookLists, Hooks } from "../agent/hooks.ts";
import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { type Setup, SHELL, type Supply } from "./setup.ts";

/** Makes the hooks of a conversation. */
export type HookMaker = (host: HookHost) => Hooks;

/**
 * Prepares the hooks of a run.
 *
 * @param supply The tools that are offered now.
 * @throws {ConfigError} If calls would run without the hook that must agree to them, or a `match` cannot be read.
 */
export async function openHooks(setup: Setup, { tools }: Pick<Supply, "tools">): Promise<HookMaker> {
  const { hooks, allTools, notices } = setup;
  for (const [event, list] of entriesOf(hooks)) {
    for (const { match } of event.endsWith("_tool") ? list : []) {
      const matches = readMatch(event, match);
      if (allTools.some(({ name }) => matches(name))) continue;
      notices.push(`A hook never runs: ${JSON.stringify(match)} of ${event} fits no tool`);
    }
  }
  const obstacle = await obstacleFor(setup);
  if (obstacle !== undefined) {
    const guards = hooks.before_tool?.map(({ match }) => compileMatch(match)) ?? [];
    const guarded = tools.find(({ name }) => guards.some((matches) => matches(name)));
    if (guarded) {
      throw new ConfigError(
        `Cannot start: the before_tool hook for ${guarded.name} cannot run (${obstacle}), and it must not be passed by`,
      );
    }
    notices.push(`Hooks cannot run: ${obstacle}`);
  }
  return (host) => new HookRunner(hooks, host);
}

/** Why no hook can run now; undefined if they can. */
export async function obstacleFor({ mode, sandbox }: Pick<Setup, "mode" | "sandbox">): Promise<string | undefined> {
  if (isHeld({ name: "run", command: SHELL })) return undefined;
  if (mode !== "full" && (await sandbox.open()).wrap) return undefined;
  return `no --allow-run=${SHELL}`;
}

/** How many hooks there are, in words: `2 (before_tool 1, turn_end 1)`. */
export function countText(hooks: HookLists): string {
  const counts = entriesOf(hooks).map(([event, list]) => `${event} ${list.length}`);
  return `${entriesOf(hooks).reduce((sum, [, list]) => sum + list.length, 0)} (${counts.join(", ")})`;
}

/** The events that have hooks, with these. */
function entriesOf(hooks: HookLists): [HookEvent, Hook[]][] {
  return (Object.entries(hooks) as [HookEvent, Hook[]][]).filter(([, list]) => list.length > 0);
}

function readMatch(event: HookEvent, match: string | undefined): (tool: string) => boolean {
  try {
    return compileMatch(match);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(neutralise(`Cannot use "match" ${JSON.stringify(match)} of a ${event} hook: ${reason}`));
  }
}
