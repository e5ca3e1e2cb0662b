import type { Jobs } from "./jobs.ts";
import description from "./poll_command.md" with { type: "text" };
import { defineTool, type Tool } from "./tool.ts";

/**
 * Makes the tool that reads a background command's output and ends it.
 *
 * @param jobs The background commands of the session.
 */
export function pollCommandTool(jobs: Jobs): Tool {
  return defineTool({
    name: "poll_command",
    description,
    access: "none",
    needs: ["run"],
    inputSchema: {
      type: "object",
      properties: { id: { type: "string" }, stop: { type: "boolean" } },
      required: ["id"],
    },
    subject: ({ id }) => id,
    execute: async (input, context) => await (await import("./poll_command_call.ts")).call(input, context, jobs),
  });
}
