import description from "./search_files.md" with { type: "text" };
import { defineTool } from "./tool.ts";

const MAX_LIMIT = 2000;

/**
 * Finds the lines of files that match a regular expression, in the order of the paths.
 *
 * @throws {PathError} If the file or folder may not be read.
 * @throws {ToolError} If it is not there, or the pattern or the glob is none.
 */
export const searchFiles = defineTool({
  name: "search_files",
  description,
  access: "read",
  needs: ["read"],
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string", description: "File or folder" },
      include: { type: "string", description: "Glob for the files" },
      ignore_case: { type: "boolean" },
      context: { type: "integer", description: "Lines around a match", minimum: 0, maximum: 20 },
      mode: { type: "string", enum: ["content", "files", "count"] },
      limit: { type: "integer", minimum: 1, maximum: MAX_LIMIT },
    },
    required: ["pattern"],
  },
  // models send an empty text for what they leave out
  subject: ({ path }) => path || ".",
  execute: async (input, context) => await (await import("./search_files_call.ts")).call(input, context),
});
