import { assertEquals, assertRejects } from "@std/assert";
import { type Todo, ToolError } from "../../src/tools/tool.ts";
import { updateTodos } from "../../src/tools/update_todos.ts";
import { newToolContext } from "../testing/tool_context.ts";

const context = newToolContext({ cwd: "/" });

Deno.test("update_todos shows the whole list to the person and tells the model how far it is", async () => {
  const items: Todo[] = [
    { content: "Read", status: "done" },
    { content: "Change", status: "in_progress" },
    { content: "Test", status: "pending" },
  ];
  assertEquals(await updateTodos.execute({ items }, context), {
    content: "Updated the todo list: 1 of 3 done",
    display: { type: "todos", items },
  });
});

Deno.test("update_todos says which statuses there are", async () => {
  const items = [{ content: "Read", status: "finished" }];
  await assertRejects(
    () => updateTodos.execute({ items }, context),
    ToolError,
    '"items[0].status" must be one of "pending", "in_progress", "done"',
  );
});
