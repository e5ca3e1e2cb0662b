/**
 * What the requests of a session begin with. A restart, midnight and a changed AGENTS.md must not move a byte of it: the
 * service would read the whole conversation anew.
 *
 * @module
 */

import type { Tool } from "../tools/tool.ts";
import type { Prefix } from "./session_records.ts";

/**
 * The prefix with which a session goes on: the earlier one, if what it tells the model still holds.
 *
 * @param added What the person wants to stand in the system prompt.
 */
export function keepPrefix(earlier: Prefix | undefined, present: Prefix, added = ""): Prefix {
  if (!earlier?.system.includes(added)) return present;
  const names = ({ tools }: Prefix) => tools.map(({ name }) => name);
  const facts = (prefix: Prefix) => JSON.stringify([prefix.mode, prefix.roots, names(prefix)]);
  return facts(earlier) === facts(present)
    ? { ...earlier, model: present.model, contextWindow: present.contextWindow }
    : present;
}

/** The tools, told to the model in these words. */
export function withDefinitions(tools: readonly Tool[], { tools: definitions }: Prefix): Tool[] {
  return tools.map((tool) => {
    const frozen = definitions.find(({ name }) => name === tool.name);
    if (!frozen) return tool;
    const { description, inputSchema } = frozen;
    return { ...tool, description, inputSchema };
  });
}
