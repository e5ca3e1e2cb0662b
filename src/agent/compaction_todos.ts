/**
 * The todo list when the history is made shorter: the call that last wrote it may be in the part that goes.
 *
 * @module
 */

import type { Message } from "../llm/types.ts";

/** How the todo list begins that a shortened history holds. */
export const TODO_MARK = "[Todo list, as last written with update_todos]";

const BOX: Record<string, string> = { pending: "[ ]", in_progress: "[~]", done: "[x]" };

/** The todo list that holds at the end of these messages, as text; undefined if there is none. */
export function todoText(messages: readonly Message[]): string | undefined {
  for (const { content } of messages.toReversed()) {
    for (const block of content.toReversed()) {
      if (block.type === "text" && block.text.startsWith(TODO_MARK)) return block.text;
      const items = block.type === "tool_use" && block.name === "update_todos" && itemsOf(block.input);
      if (!items) continue;
      return [TODO_MARK, "", ...items.map(({ content, status }) => `- ${BOX[status] ?? "[ ]"} ${content}`)].join("\n");
    }
  }
  return undefined;
}

function itemsOf(input: unknown): { content: string; status: string }[] | undefined {
  const { items } = input as { items?: unknown };
  return Array.isArray(items) && items.length > 0 ? items : undefined;
}
