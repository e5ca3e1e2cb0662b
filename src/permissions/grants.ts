/**
 * What this process may do, as Deno was told at its start, and which tools that leaves.
 *
 * @module
 */

/** How the program was told to treat calls. */
export type Mode = "plan" | "ask" | "edit" | "full";

/** How far one kind of permission reaches. */
export interface Grant {
  /** `scoped`: not in general, but for at least one of the things that were asked about. */
  readonly reach: "everywhere" | "scoped" | "none";
  /** Something within that reach was denied by a `--deny-…` flag, or the whole of it. */
  readonly restricted: boolean;
}

/** The permissions of this process. Plain data. */
export interface Grants {
  /** Of the working folder. */
  readonly read: Grant;
  readonly write: Grant;
  /** The roots, and only those, that may be written. */
  readonly writableRoots: readonly string[];
  readonly run: Grant;
  /** The programs, of those asked about, that may be started. */
  readonly programs: readonly string[];
  readonly net: Grant;
  /** The hosts, of those asked about, that may be reached. */
  readonly hosts: readonly string[];
  readonly env: Grant;
}

/** What to ask about: scoped grants show themselves only to whoever names them. */
export interface GrantScope {
  readonly cwd: string;
  readonly roots: readonly string[];
  /** As they will be started: a grant for `sh` does not cover `/bin/sh`. */
  readonly programs: readonly string[];
  /** As `host` or `host:port`: the provider's, and what allow rules name. */
  readonly hosts: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
}

/**
 * Asks Deno what this process holds. Never prompts.
 *
 * @example
 * ```ts
 * const scope = { cwd: "/repo", roots: ["/repo"], programs: ["sh"], hosts: ["api.deepseek.com:443"], variables: [] };
 * const grants = readGrants(scope);
 * if (grants.write.reach === "none") console.log("read-only");
 * ```
 */
export function readGrants(scope: GrantScope): Grants {
  const ask = (items: readonly string[], describe: (item: string) => Deno.PermissionDescriptor) =>
    items.map((item) => ({ item, status: Deno.permissions.querySync(describe(item)) }));
  const all = ask(["read", "write", "run", "net", "env"], (name) => ({ name } as Deno.PermissionDescriptor));
  const read = ask([scope.cwd], (path) => ({ name: "read", path }));
  const write = ask(scope.roots, (path) => ({ name: "write", path }));
  const run = ask(scope.programs, (command) => ({ name: "run", command }));
  const net = ask(scope.hosts, (host) => ({ name: "net", host }));
  const env = ask(scope.variables, (variable) => ({ name: "env", variable }));
  const general = (name: string) => all.find(({ item }) => item === name)!.status;
  return {
    read: toGrant(general("read"), read),
    write: toGrant(general("write"), write),
    writableRoots: granted(write),
    run: toGrant(general("run"), run),
    programs: granted(run),
    net: toGrant(general("net"), net),
    hosts: granted(net),
    env: toGrant(general("env"), env),
  };
}

/** Gives permissions up for the rest of this run. What is not held is passed by. */
export function revoke(descriptors: readonly Deno.PermissionDescriptor[]): void {
  for (const descriptor of descriptors) Deno.permissions.revokeSync(descriptor);
}

type Answers = readonly { item: string; status: Deno.PermissionStatus }[];

function toGrant(general: Deno.PermissionStatus, answers: Answers): Grant {
  const statuses = [general, ...answers.map(({ status }) => status)];
  const restricted = statuses.some(({ state, partial }) => state === "denied" || partial === true);
  if (general.state === "granted") return { reach: "everywhere", restricted };
  return { reach: granted(answers).length > 0 ? "scoped" : "none", restricted };
}

function granted(answers: Answers): string[] {
  return answers.filter(({ status }) => status.state === "granted").map(({ item }) => item);
}
