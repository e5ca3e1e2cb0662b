/**
 * The names under which a model calls the tools of servers: `mcp__SERVER__TOOL`, in letters that every service takes.
 *
 * @module
 */

const MAX_LENGTH = 64;
/** Of the server's part: the tool's tells more. */
const MAX_SERVER_LENGTH = 24;

/** A name that the model services take, see {@linkcode offeredNames}. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, "_");
}

/**
 * Names for the tools of a server, in their order: distinct from each other and from those that are taken. Where two would be
 * the same, the later one gets a number.
 *
 * @param taken The names so far; grows.
 */
export function offeredNames(server: string, tools: readonly string[], taken: Set<string>): string[] {
  const prefix = `mcp__${plainName(server).slice(0, MAX_SERVER_LENGTH)}__`;
  return tools.map((tool) => {
    const whole = prefix + plainName(tool);
    let name = whole.slice(0, MAX_LENGTH);
    for (let number = 2; taken.has(name); number++) {
      const end = `_${number}`;
      name = whole.slice(0, MAX_LENGTH - end.length) + end;
    }
    taken.add(name);
    return name;
  });
}
