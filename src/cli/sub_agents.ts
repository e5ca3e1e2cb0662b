/**
 * Sub-agents of a conversation: what one is made of in a mode, and what counts for the session.
 *
 * @module
 */

import type { Agent } from "../agent/agent.ts";
import type { AgentOptions } from "../agent/agent_options.ts";
import type { PermissionGate } from "../agent/permission_gate.ts";
import type { Recorder } from "../agent/records.ts";
import { subAgentRecorder } from "../agent/session_sub_agent.ts";
import base from "../agent/sub_agent_prompt.md" with { type: "text" };
import { runSubAgent, subAgentUI } from "../agent/sub_agent.ts";
import { addUsage } from "../llm/types.ts";
import type { AgentTask } from "../tools/run_agent.ts";
import { type ChildSettings, type ToolContext, ToolError, type ToolOutput } from "../tools/tool.ts";
import { type Mode, MODES } from "./args.ts";
import { policyOf, type Setup, type Supply, workspaceOf } from "./setup.ts";

/** The conversation that a sub-agent works for. */
export interface Parent {
  readonly agent: Agent;
  /** What the agent is made of. */
  readonly options: AgentOptions;
  readonly gate: PermissionGate;
  readonly setup: Setup;
  readonly mode: Mode;
  supplyFor(mode: Mode): Promise<Supply>;
  childFor(mode: Mode): Promise<ChildSettings>;
  /** The prompt with another beginning. */
  promptFor(base: string, mode: Mode, supply: Supply): string;
  /** Throws where a request would exceed the cost limit. */
  readonly checkBudget: AgentOptions["beforeRequest"];
}

/**
 * Runs one sub-agent to its end.
 *
 * @throws {ToolError} If its mode would be wider than its parent's.
 */
export async function runAgent(task: AgentTask, context: ToolContext, parent: Parent): Promise<ToolOutput> {
  const mode = modeOf(task, parent.mode);
  const { agent, gate, setup, checkBudget } = parent;
  const { schema: _answer, past: _past, beforeRequest: _watched, surroundings, ...inherited } = parent.options;
  const { agents: _below, ...around } = surroundings;
  const supply = await parent.supplyFor(mode);
  const left = new Set(supply.tools.map(({ name }) => name));
  const ui = subAgentUI(inherited.ui, task, context.callId);
  const child = () => parent.childFor(mode);
  return await runSubAgent(task, {
    ...inherited,
    model: agent.model,
    system: parent.promptFor(base, mode, supply),
    tools: agent.tools.filter(({ name }) => left.has(name) && name !== "run_agent"),
    ui,
    gate: gate.forSubAgent({ ui, child, policy: () => policyOf(setup, mode) }),
    surroundings: { ...around, workspace: workspaceOf(setup, mode), confinedChild: child },
    record: counted(agent, subAgentRecorder(setup.session)),
    ...(agent.effort && { effort: agent.effort }),
    ...(checkBudget && { beforeRequest: checkBudget }),
  }, context);
}

function modeOf({ mode: wanted }: AgentTask, present: Mode): Mode {
  if (wanted === undefined || MODES.indexOf(wanted) <= MODES.indexOf(present)) return wanted ?? present;
  const possible = MODES.slice(0, MODES.indexOf(present) + 1).join(", ");
  throw new ToolError(
    `Cannot run a sub-agent in mode "${wanted}": the present mode is "${present}", and a sub-agent's may not be wider. ` +
      `Leave mode out, or take one of ${possible}`,
  );
}

/** What a sub-agent uses counts for its parent; the model calls that it makes do not. */
function counted(parent: Agent, record: Recorder): Recorder {
  return async (event) => {
    if (event.type === "reply") parent.usage = addUsage(parent.usage, event.response.usage);
    if (event.type === "compaction") parent.usage = addUsage(parent.usage, event.usage);
    await record(event);
  };
}
