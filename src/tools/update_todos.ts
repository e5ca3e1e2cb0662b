import { defineTool } from "./tool.ts";
import description from "./update_todos.md" with { type: "text" };

/** Replaces the todo list, which the person sees; the model is told no more than that it did. */
export const updateTodos = defineTool({
  name: "update_todos",
  description,
  access: "none",
  needs: [],
  inputSchema: {
    type: "object",
    properties: {
      items: {
        type: "array",
        items: {
          type: "object",
          properties: {
            content: { type: "string" },
            status: { type: "string", enum: ["pending", "in_progress", "done"] },
          },
          required: ["content", "status"],
        },
      },
    },
    required: ["items"],
  },
  subject: () => "",
  execute({ items }) {
    const done = items.filter(({ status }) => status === "done").length;
    return Promise.resolve({
      content: `Updated the todo list: ${done} of ${items.length} done`,
      display: { type: "todos", items },
    });
  },
});
