/**
 * Tells whose the lines of sub-agents are that run side by side.
 *
 * @module
 */

import type { AgentEvent } from "../agent/ui.ts";

/** Follows which sub-agents run. */
export class RunningAgents {
  /** The task of each by its call. */
  readonly #tasks = new Map<string, string>();

  /** Something has happened in the turn. */
  follow(event: AgentEvent): void {
    if (event.type === "tool_call" && event.name === "run_agent") this.#tasks.set(event.id, event.subject);
    if (event.type === "results") this.#tasks.clear();
  }

  /** What a call was about. */
  taskOf(id: string): string {
    return this.#tasks.get(id) ?? "";
  }

  /** Stands before the lines of a sub-agent: its task, where it is not the only one; else nothing. */
  markOf(id: string): string {
    if (this.#tasks.size < 2) return "";
    const task = [...this.taskOf(id).replaceAll(/\s+/g, " ").trim()];
    return `[${task.length > MAX_CHARS ? `${task.slice(0, MAX_CHARS - 1).join("")}…` : task.join("")}] `;
  }
}

const MAX_CHARS = 30;
