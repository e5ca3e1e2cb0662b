/**
 * Completion of commands, of what can stand behind them, and of file names.
 *
 * @module
 */

import type { Command } from "./commands.ts";
import type { SessionControls } from "./session_controls.ts";

/** What may stand in place of the text from `start` to the cursor. */
export interface Completion {
  start: number;
  candidates: string[];
}

/** Where completions come from. */
export interface CompletionSources {
  commands: readonly Command[];
  /** Knows what may stand behind a command. */
  session?: SessionControls;
  /** Paths that begin with a text, folders with a `/` at their end. */
  completePath?(start: string): Promise<string[]>;
}

/**
 * Completes a `/command` at the start of a draft, its argument, or the `@path` before the cursor: in quotes, if it holds a blank.
 *
 * @param before The draft up to the cursor.
 * @returns `undefined` where there is nothing of the kind. A candidate that is complete ends in a blank.
 */
export async function complete(before: string, sources: CompletionSources): Promise<Completion | undefined> {
  if (/^\/[\w-]*$/.test(before)) {
    const names = sources.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const candidates = names.map((name) => `/${name} `).filter((candidate) => candidate.startsWith(before));
    return { start: 0, candidates: candidates.sort() };
  }
  const [, name, value] = /^\/([\w-]+) (\S*)$/.exec(before) ?? [];
  const command = name && sources.commands.find((known) => known.name === name || known.aliases?.includes(name));
  if (value !== undefined && command && command.values && sources.session) {
    const candidates = command.values(sources.session).filter((candidate) => candidate.startsWith(value));
    return { start: before.length - value.length, candidates: candidates.map((candidate) => `${candidate} `) };
  }
  const quoted = /(?:^|\s)@"([^"\n]*)$/.exec(before)?.[1];
  const path = quoted ?? /(?:^|\s)@(\S*)$/.exec(before)?.[1];
  if (path === undefined || !sources.completePath) return undefined;
  const paths = await sources.completePath(path);
  return {
    start: before.length - path.length - (quoted === undefined ? 0 : 1),
    candidates: paths.map((path) => {
      const isFolder = path.endsWith("/");
      if (quoted === undefined && !/\s/.test(path)) return isFolder ? path : `${path} `;
      return isFolder ? `"${path}` : `"${path}" `; // the quotes of a folder stay open for what it holds
    }),
  };
}
