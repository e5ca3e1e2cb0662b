/**
 * Completion of commands and of file names.
 *
 * @module
 */

import type { Command } from "./commands.ts";

/** What may stand in place of the text from `start` to the cursor. */
export interface Completion {
  start: number;
  candidates: string[];
}

/** Where completions come from. */
export interface CompletionSources {
  commands: readonly Command[];
  /** Paths that begin with a text, folders with a `/` at their end. */
  completePath?(start: string): Promise<string[]>;
}

/**
 * Completes a `/command` at the start of a draft, or the `@path` before the cursor: in quotes, if it holds a blank.
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
