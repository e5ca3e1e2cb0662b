import type { Jobs } from "./jobs.ts";
import description from "./run_command.md" with { type: "text" };
import { defineTool, type Tool } from "./tool.ts";

/**
 * Makes the tool that runs a command in the system's shell.
 *
 * @param jobs Where background commands go.
 */
export function runCommandTool(jobs: Jobs): Tool {
  return defineTool({
    name: "run_command",
    description,
    access: "execute",
    needs: ["run"],
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string" },
        timeout_ms: { type: "integer", description: "Default 120000, at most 600000", minimum: 1 },
        background: { type: "boolean" },
        needs: { type: "string", enum: ["network", "outside"] },
      },
      required: ["command"],
    },
    subject: ({ command }) => command,
    execute: async (input, context) => await (await import("./run_command_call.ts")).call(input, context, jobs),
  });
}
