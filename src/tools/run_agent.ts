import type { Mode } from "../permissions/grants.ts";
import description from "./run_agent.md" with { type: "text" };
import { defineTool, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** What a sub-agent is to do. */
export interface AgentTask {
  /** In a few words, for the person. */
  description: string;
  prompt: string;
  /** The present mode if absent. */
  mode?: Mode | undefined;
}

/** Runs sub-agents. The tool only hands on: what an agent is, tools do not know. */
export interface SubAgents {
  /** Whether a sub-agent may change something. */
  mayChange(task: AgentTask): boolean;
  /**
   * Runs one to its end. What kept it from an answer is told in an output that is an error.
   *
   * @throws {ToolError} If it cannot begin.
   */
  run(task: AgentTask, context: ToolContext): Promise<ToolOutput>;
}

/** Lets a sub-agent do a task. Its calls are asked about like all others. */
export const runAgent = defineTool({
  name: "run_agent",
  description,
  access: "none",
  needs: [],
  inputSchema: {
    type: "object",
    properties: {
      description: { type: "string", description: "3 to 6 words" },
      prompt: { type: "string" },
      mode: { type: "string", enum: ["plan", "ask", "edit", "full"], description: "Never wider than yours" },
    },
    required: ["description", "prompt"],
  },
  subject: ({ description }) => description,
  mayChange: (task, { agents }) => agents?.mayChange(task) ?? false,
  execute: async (task, context) => {
    if (!context.agents) throw new ToolError("Cannot run a sub-agent: there are none here, do the task yourself");
    return await context.agents.run(task, context);
  },
});
