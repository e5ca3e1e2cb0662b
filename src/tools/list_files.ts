import description from "./list_files.md" with { type: "text" };
import { defineTool } from "./tool.ts";

/**
 * Lists a folder as a tree, by name. Links are shown with their target and not followed.
 *
 * @throws {PathError} If it may not be read.
 * @throws {ToolError} If it is not a folder.
 */
export const listFiles = defineTool({
  name: "list_files",
  description,
  access: "read",
  needs: ["read"],
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      depth: { type: "integer", description: "Levels; default 2", minimum: 1, maximum: 20 },
    },
    required: [],
  },
  // models send an empty text for what they leave out
  subject: ({ path }) => path || ".",
  execute: async (input, context) => await (await import("./list_files_call.ts")).call(input, context),
});
