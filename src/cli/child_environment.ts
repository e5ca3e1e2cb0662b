/**
 * What the children of this process get to see of its environment: an allow-list, so that no key is among it.
 *
 * @module
 */

/** Names that children may see on every system. */
export const CHILD_VARIABLES: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_COLLATE",
  "LC_CTYPE",
  "LC_MESSAGES",
  "LC_MONETARY",
  "LC_NUMERIC",
  "LC_TIME",
  "TERM",
  "TZ",
  "TMPDIR",
];
const WINDOWS = [
  "SystemRoot",
  "SystemDrive",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "USERNAME",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
  "ProgramFiles",
  "ProgramFiles(x86)",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
];

/**
 * Builds the environment of children.
 *
 * @param added Names that the person's configuration adds.
 * @param secret Names that are never passed on, whatever the configuration says.
 */
export function childEnvironment(
  os: string,
  added: readonly string[],
  secret: ReadonlySet<string>,
  variable: (name: string) => string | undefined,
): Record<string, string> {
  const names = [
    ...CHILD_VARIABLES,
    ...(os === "windows" ? WINDOWS : []),
    ...added.filter((name) => !secret.has(name)),
  ];
  const environment: Record<string, string> = {};
  for (const name of names) {
    const value = variable(name);
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
