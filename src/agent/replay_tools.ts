/**
 * Tools that give the recorded results of a session and do nothing.
 *
 * @module
 */

import { UNKNOWN_RESULT } from "../llm/history.ts";
import type { ToolDefinition, ToolResultBlock } from "../llm/types.ts";
import type { Tool } from "../tools/tool.ts";
import type { Stamped } from "./session_records.ts";

/** The tools of a session. Each call gets the next result that was recorded for a call with its input. */
export function replayTools(definitions: readonly ToolDefinition[], records: readonly Stamped[]): Tool[] {
  const results = recordedResults(records);
  return definitions.map(({ name, description, inputSchema }): Tool => ({
    name,
    description,
    inputSchema,
    access: "read",
    needs: [],
    problem: () => undefined,
    subject: () => "",
    execute(input) {
      const block = results.get(keyOf(name, input))?.shift();
      const { content, isError, images } = block ?? { content: UNKNOWN_RESULT, isError: true };
      return Promise.resolve({ content, isError, ...(images && { images }) });
    },
  }));
}

/** Results by the call that they answer. */
function recordedResults(records: readonly Stamped[]): Map<string, ToolResultBlock[]> {
  const results = new Map<string, ToolResultBlock[]>();
  let open = new Map<string, ToolResultBlock[]>();
  for (const record of records) {
    if (record.type === "reply") {
      open = new Map();
      for (const block of record.response.content) {
        if (block.type !== "tool_use") continue;
        const key = keyOf(block.name, block.input);
        const list = results.get(key) ?? [];
        results.set(key, list);
        open.set(block.id, list);
      }
    } else if (record.type === "result") {
      open.get(record.block.toolUseId)?.push(record.block);
      open.delete(record.block.toolUseId); // a second one has a warning that the loop adds by itself
    }
  }
  return results;
}

function keyOf(name: string, input: unknown): string {
  return JSON.stringify([name, input]);
}
