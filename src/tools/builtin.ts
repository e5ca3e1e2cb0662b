/**
 * The tools there are.
 *
 * @module
 */

import { editFile } from "./edit_file.ts";
import { fetchUrlTool } from "./fetch_url.ts";
import { findFiles } from "./find_files.ts";
import { Jobs } from "./jobs.ts";
import { listFiles } from "./list_files.ts";
import { pollCommandTool } from "./poll_command.ts";
import { readFile } from "./read_file.ts";
import { runAgent } from "./run_agent.ts";
import { runCommandTool } from "./run_command.ts";
import { searchFiles } from "./search_files.ts";
import type { Tool } from "./tool.ts";
import { updateTodos } from "./update_todos.ts";
import { writeFile } from "./write_file.ts";

/** What the tools share with the rest of the program. */
export interface ToolServices {
  /** The background commands of the session, for whoever lists them. */
  readonly jobs?: Jobs;
  /** Whether a text holds a known secret. */
  holdsSecret?(text: string): boolean;
}

/** All tools, in the order in which the model sees them. */
export function builtinTools({ jobs = new Jobs(), holdsSecret = () => false }: ToolServices = {}): Tool[] {
  return [
    listFiles,
    readFile,
    findFiles,
    searchFiles,
    writeFile,
    editFile,
    runCommandTool(jobs),
    pollCommandTool(jobs),
    fetchUrlTool({ holdsSecret }),
    updateTodos,
    runAgent,
  ];
}
