import { defineTool } from "./tool.ts";
import description from "./write_file.md" with { type: "text" };

/**
 * Writes a whole text file. One that exists is overwritten only if its content is known, and keeps its encoding, byte
 * order mark, mode and owner; its line ends are those of the new content.
 *
 * @throws {ToolError} If the file has not been read, or has changed since.
 */
export const writeFile = defineTool({
  name: "write_file",
  description,
  access: "write",
  needs: ["read", "write"],
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string", description: "The whole new content" } },
    required: ["path", "content"],
  },
  subject: ({ path }) => path,
  preview: async (input, context) => await (await import("./write_file_call.ts")).preview(input, context),
  execute: async (input, context) => await (await import("./write_file_call.ts")).call(input, context),
});
