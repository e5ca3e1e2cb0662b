/**
 * The system prompt: stable parts first, the dated environment last, so that the longest possible prefix stays the same
 * from session to session.
 *
 * @module
 */

import fixed from "./base_prompt.md" with { type: "text" };

/** What the system prompt is made of, beside its fixed text. */
export interface PromptParts {
  /** What stands in the place of the fixed text: for an agent that is another one. */
  base?: string;
  /** The person's own addition (`--append-system-prompt`). */
  append?: string;
  /** Instructions of the person and the project, the most general first. */
  memory?: readonly MemoryFile[];
  /** Names and descriptions of the skills there are. */
  skills?: readonly { name: string; description: string }[];
  environment: Environment;
}

/** A file of instructions. */
export interface MemoryFile {
  /** As it is shown to the model. */
  path: string;
  text: string;
}

/** Where and when the agent works. */
export interface Environment {
  cwd: string;
  /** `linux`, `darwin`, `windows`. */
  os: string;
  /** More folders that may be read and written. */
  addedFolders?: readonly string[];
  /** The permission mode, and what the process lacks, in words. */
  limits?: readonly string[];
  /** To the day: anything finer would change the prompt within a session. */
  date: Date;
}

/**
 * Builds the system prompt. The same parts always give the same bytes.
 *
 * @example
 * ```ts
 * import { buildPrompt } from "./prompt.ts";
 *
 * const prompt = buildPrompt({ environment: { cwd: "/home/me/shop", os: "linux", date: new Date(2026, 10, 30) } });
 * if (!prompt.endsWith("Date: 2026-11-30\n")) throw new Error(prompt);
 * ```
 */
export function buildPrompt({ base = fixed, append, memory = [], skills = [], environment }: PromptParts): string {
  const parts = [base.trim()];
  if (append) parts.push(append.trim());
  for (const { path, text } of memory) parts.push(`# Instructions from ${path}\n\n${text.trim()}`);
  if (skills.length > 0) {
    const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
    parts.push(`# Skills, loaded with load_skill when they fit\n\n${lines.join("\n")}`);
  }
  const { cwd, os, addedFolders = [], limits = [], date } = environment;
  parts.push([
    "# Environment",
    "",
    `Working folder: ${cwd}`,
    ...addedFolders.map((folder) => `Also open: ${folder}`),
    `System: ${os}`,
    ...limits.map((limit) => `Limit: ${limit}`),
    `Date: ${isoDay(date)}`,
  ].join("\n"));
  return parts.join("\n\n") + "\n";
}

/** The local calendar day, for example `2026-11-30`. */
export function isoDay(date: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
