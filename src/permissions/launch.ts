/**
 * The exact `deno` lines for a mode and a folder, and what a mode gives up at its start.
 *
 * @module
 */

import type { Mode } from "./grants.ts";

/** What a launch is for. All paths are absolute and canonical. */
export interface LaunchOptions {
  /** `main.ts`, the one-file bundle, or their address. */
  readonly program: string;
  /** A bundle holds its dependencies; the source finds them in Deno's cache or in `vendor/`. */
  readonly form: "source" | "bundle";
  /** The working folder and each `--add-dir`. */
  readonly roots: readonly string[];
  /** What is read besides: the configuration folder. */
  readonly readable?: readonly string[];
  /** What is written besides: the data folder. Without it nothing is kept. */
  readonly writable?: readonly string[];
  /** The model service and what `net(…)` rules name, as `host:port`. */
  readonly hosts: readonly string[];
  /** Names of the environment variables that the program reads; `LC_*` is possible. */
  readonly variables: readonly string[];
  /** The shell, `rg`, `git`, as they are started; only the sandbox's program is started in `plan`. */
  readonly programs: readonly string[];
  /** The sandbox's program, where there is one. */
  readonly sandbox?: string;
}

/** Cloud machines hand out keys at this address. */
const METADATA_ADDRESSES = "169.254.0.0/16";

/** A permission as Deno's flags and its `deno.json` both have it: all, some or none of it. */
type Scope = boolean | readonly string[];

interface Scopes {
  read: Scope;
  write: Scope;
  run: Scope;
  net: Scope;
  env: Scope;
}

function scopesFor(mode: Mode, options: LaunchOptions): Scopes {
  const { roots, readable = [], writable = [], hosts, variables, programs, sandbox } = options;
  if (mode === "full") return { read: true, write: true, run: true, net: true, env: true };
  const confined = sandbox === undefined ? [] : [sandbox];
  return {
    read: unique([...roots, ...readable, ...writable]),
    write: unique(mode === "plan" ? writable : [...roots, ...writable]),
    run: unique(mode === "plan" ? confined : [...confined, ...programs]),
    net: unique(hosts),
    env: unique(variables),
  };
}

/**
 * The flags for `deno run` that hold what the mode needs and nothing else.
 *
 * @throws {RangeError} If a path holds a comma, which no flag can carry: `permissionSet` can.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const options = { program: "main.ts", form: "source", roots: ["/repo"], hosts: [], variables: [], programs: [] } as const;
 * assertEquals(launchFlags("plan", options), [
 *   "--no-prompt",
 *   "--cached-only",
 *   "--allow-read=/repo",
 *   "--deny-net=169.254.0.0/16",
 * ]);
 * ```
 */
export function launchFlags(mode: Mode, options: LaunchOptions): string[] {
  const flags = Object.entries(scopesFor(mode, options)).flatMap(([name, scope]: [string, Scope]) => {
    if (scope === true) return [`--allow-${name}`];
    if (scope === false || scope.length === 0) return [];
    const withComma = scope.find((item) => item.includes(","));
    if (withComma !== undefined) {
      throw new RangeError(`Cannot write --allow-${name} for ${JSON.stringify(withComma)}: a flag cannot hold a comma`);
    }
    return [`--allow-${name}=${scope.join(",")}`];
  });
  return ["--no-prompt", offlineFlag(options), ...flags, `--deny-net=${METADATA_ADDRESSES}`];
}

/**
 * The whole line that starts the program, for a POSIX shell. Without `--quiet` Deno moves the cursor of the terminal
 * while it loads, even where that is no terminal to move in.
 */
export function launchLine(mode: Mode, options: LaunchOptions): string {
  return ["deno", "run", "--quiet", ...launchFlags(mode, options), options.program].map(quoteWord).join(" ");
}

/** The whole line that builds an executable which can never do more, for a POSIX shell. */
export function compileLine(mode: Mode, options: LaunchOptions & { output: string }): string {
  const flags = launchFlags(mode, options);
  return ["deno", "compile", ...flags, "--output", options.output, options.program].map(quoteWord).join(" ");
}

/**
 * The same grants as a permission set, for `"permissions": { NAME: … }` in a `deno.json`. It is used by
 * `deno run --no-prompt --cached-only -P=NAME`: a set cannot carry those two flags.
 */
export function permissionSet(mode: Mode, options: LaunchOptions): Record<string, unknown> {
  const { net, ...scopes } = scopesFor(mode, options);
  return {
    ...scopes,
    net: { allow: net, deny: [METADATA_ADDRESSES] },
    sys: false,
    ffi: false,
    import: { deny: true }, // without it a set lets code from anywhere in, which the flags do not
  };
}

function offlineFlag({ form }: LaunchOptions): string {
  return form === "bundle" ? "--no-remote" : "--cached-only";
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
