/**
 * What the requests of a session begin with. A restart, midnight and a changed AGENTS.md must not move a byte of it: the
 * service would read the whole conversation anew.
 *
 * @module
 */

import type { Tool } from "../tools/tool.ts";
import type { Prefix } from "./session_records.ts";

/** What the person asked for in this run, which the system prompt must say or not say. */
export interface Wishes {
  says?: readonly string[];
  saysNot?: readonly string[];
}

/** The prefix with which a session goes on: the earlier one, if what it tells the model still holds. */
export function keepPrefix(
  earlier: Prefix | undefined,
  present: Prefix,
  { says = [], saysNot = [] }: Wishes = {},
): Prefix {
  if (!earlier) return present;
  const includes = (text: string) => earlier.system.includes(text);
  if (!says.every(includes) || saysNot.some(includes)) return present;
  const names = ({ tools }: Prefix) => tools.map(({ name }) => name);
  const facts = (prefix: Prefix) => JSON.stringify([prefix.mode, prefix.roots, names(prefix)]);
  if (facts(earlier) !== facts(present)) return present;
  return { ...earlier, model: present.model, contextWindow: present.contextWindow };
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
