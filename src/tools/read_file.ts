import description from "./read_file.md" with { type: "text" };
import { defineTool } from "./tool.ts";

/**
 * Reads a page of a text file with line numbers, or shows a picture.
 *
 * @throws {ToolError} If it is neither.
 */
export const readFile = defineTool({
  name: "read_file",
  description,
  access: "read",
  needs: ["read"],
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      offset: { type: "integer", description: "First line, from 1", minimum: 0 },
      limit: { type: "integer", description: "Number of lines", minimum: 1 },
    },
    required: ["path"],
  },
  subject: ({ path }) => path,
  execute: async (input, context) => await (await import("./read_file_call.ts")).call(input, context),
});
