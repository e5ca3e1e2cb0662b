import description from "./find_files.md" with { type: "text" };
import { defineTool } from "./tool.ts";

/**
 * Finds files and links by name, in the order of their paths.
 *
 * @throws {PathError} If the folder may not be read.
 * @throws {ToolError} If it is not a folder, or the pattern is not a glob.
 */
export const findFiles = defineTool({
  name: "find_files",
  description,
  access: "read",
  needs: ["read"],
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string", description: "Folder that the pattern starts from" },
    },
    required: ["pattern"],
  },
  // models send an empty text for what they leave out
  subject: ({ path }) => path || ".",
  execute: async (input, context) => await (await import("./find_files_call.ts")).call(input, context),
});
