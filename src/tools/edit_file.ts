import description from "./edit_file.md" with { type: "text" };
import { defineTool } from "./tool.ts";

/**
 * Replaces a piece of a text file that is found in one place only. All other bytes stay as they are.
 *
 * @throws {ToolError} If the piece is not found, or is found more than once without `replace_all`.
 */
export const editFile = defineTool({
  name: "edit_file",
  description,
  access: "write",
  needs: ["read", "write"],
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      old_string: { type: "string", description: "Without line numbers" },
      new_string: { type: "string" },
      replace_all: { type: "boolean", description: "Replace every occurrence" },
    },
    required: ["path", "old_string", "new_string"],
  },
  subject: ({ path }) => path,
  preview: async (input, context) => await (await import("./edit_file_call.ts")).preview(input, context),
  execute: async (input, context) => await (await import("./edit_file_call.ts")).call(input, context),
});
