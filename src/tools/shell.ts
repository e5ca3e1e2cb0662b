/**
 * How the system's shell is started with a command: all that differs between systems.
 *
 * @module
 */

/** A command line, and whether its arguments are quoted already. */
export interface ShellStart {
  readonly command: string[];
  readonly rawArguments: boolean;
  /** Whether the command's error output comes through its standard output: in the order in which it was written. */
  readonly merged: boolean;
}

/**
 * The command line that hands this text to the system's shell: `sh`, or `cmd` on Windows.
 *
 * On Windows both outputs are read side by side, because `cmd` cannot redirect a text as a whole.
 *
 * @param merge Whether both outputs are wanted as one.
 */
export function startShell(text: string, os: typeof Deno.build.os, { merge = true } = {}): ShellStart {
  if (os === "windows") {
    return { command: ["cmd", "/d", "/s", "/c", `"${text}"`], rawArguments: true, merged: false };
  }
  // The text comes last: whatever it holds, it cannot change what is before it.
  return { command: ["sh", "-c", merge ? `exec 2>&1; ${text}` : text, "sh"], rawArguments: false, merged: merge };
}

/** Programs that wait for a person fail instead, or print: there is no terminal to wait at. */
export const QUIET_ENVIRONMENT: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "echo 'There is no editor: give the text as an argument, as with git commit -m' >&2; false",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};
