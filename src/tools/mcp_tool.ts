/**
 * A tool of a server, as the loop knows tools.
 *
 * @module
 */

import type { McpConnection } from "./mcp_connection.ts";
import { readResult } from "./mcp_result.ts";
import { inputProblem, type ServerToolInfo } from "./mcp_schema.ts";
import { tellsOfFiles } from "./sandbox_hint.ts";
import { type Tool, ToolError } from "./tool.ts";

/** What a tool of a server is made of. */
export interface McpToolSpec {
  /** What the model calls it. */
  readonly name: string;
  readonly server: string;
  readonly info: ServerToolInfo;
  /** The person's configuration says that it changes nothing. */
  readonly readOnly: boolean;
  readonly connection: McpConnection;
}

const SANDBOX_NOTE =
  "[The server runs in a sandbox that writes only in folders of the workspace: the user can change that]";

/** Makes the tool. */
export function mcpTool({ name, server, info, readOnly, connection }: McpToolSpec): Tool {
  const problem = (input: unknown) => {
    const found = inputProblem(info.inputSchema, input);
    return found === undefined ? undefined : `Cannot call ${name}: ${found}`;
  };
  return {
    name,
    description: info.description === "" ? `A tool of the MCP server ${server}` : info.description,
    inputSchema: info.inputSchema,
    access: "server",
    needs: [],
    origin: { server, tool: info.name, readOnly },
    problem,
    mayChange: () => !readOnly,
    subject(input) {
      const text = JSON.stringify(input) ?? "";
      const own = name.endsWith(`__${info.name}`) ? "" : `${JSON.stringify(info.name)} `; // the offered name hides it
      return own + (text === "{}" ? "" : text);
    },
    async execute(input, context) {
      const found = problem(input);
      if (found !== undefined) throw new ToolError(found);
      const result = await connection.callTool(info.name, input, context.signal);
      const output = await readResult(result, { server, context });
      const isSandbox = output.isError && connection.isConfined && tellsOfFiles(output.content);
      return isSandbox ? { ...output, content: `${output.content}\n\n${SANDBOX_NOTE}` } : output;
    },
  };
}
