/**
 * Slash commands as a table. They are for the program and never reach the model.
 *
 * @module
 */

import { nearest } from "../tools/nearest.ts";
import type { Styles } from "./ansi.ts";
import type { SessionControls } from "./session_controls.ts";

/** What a command works with. */
export interface CommandContext {
  readonly session: SessionControls;
  readonly commands: readonly Command[];
  readonly styles: Styles;
  /** Columns that a row may take. */
  readonly columns: number;
  /** A text of others, without secrets and control characters. */
  clean(text: string): string;
  /** Aborts when the person ends the command. */
  readonly signal: AbortSignal;
  /** Prints text for the person; lines end in `\n`. */
  print(text: string): void;
}

/** What follows from a command: the program ends, or something is said to the model. */
export type CommandResult = { exit: true } | { message: string };

/** One command. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** How its arguments are written, for the help: `[NAME]`. */
  readonly usage?: string;
  /** One line for the help. */
  readonly summary: string;
  /** What its argument may be, for Tab. */
  values?(session: SessionControls): readonly string[];
  /**
   * Runs it.
   *
   * @param args What stands behind the name, trimmed.
   * @throws {Error} With a message for the person.
   */
  run(args: string, context: CommandContext): Promise<CommandResult | void> | CommandResult | void;
}

/** Whether a line is a command and not a message that begins with a path. */
export function isCommand(line: string): boolean {
  return COMMAND.test(line);
}

/**
 * Runs the command that a line names.
 *
 * @throws {Error} If there is none of that name: the message names the nearest. Or what the command throws.
 */
export async function runCommand(line: string, context: CommandContext): Promise<CommandResult | void> {
  const [, name = "", args = ""] = COMMAND.exec(line) ?? [];
  const command = context.commands.find((c) => c.name === name || c.aliases?.includes(name));
  if (command) return await command.run(args.trim(), context);
  const names = context.commands.flatMap((c) => [c.name, ...c.aliases ?? []]);
  const near = nearest(name, names);
  throw new Error(`Unknown command "/${name}": ${near ? `did you mean /${near}?` : "/help lists them"}`);
}

const COMMAND = /^\/([a-z][\w-]{0,63})(?:\s+([^]*))?$/i;
