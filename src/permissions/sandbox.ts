/**
 * A command line that runs confined by the operating system: writes only in the workspace and a private temporary
 * folder, no network, no other processes, protected paths read-only, secrets masked. Pure: what is on disk comes in.
 *
 * @module
 */

/** Where bubblewrap is looked for, never on the search path: the workspace could have put one there. */
export const BUBBLEWRAP_PATHS: readonly string[] = [
  "/usr/bin/bwrap",
  "/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/run/current-system/sw/bin/bwrap",
];

/** Something on disk, by its canonical path. */
export interface DiskEntry {
  readonly path: string;
  readonly type: "file" | "folder";
}

/** What the sandbox shows of the disk. All paths are canonical. */
export interface SandboxView {
  /** Folders that may be written. */
  readonly writable: readonly string[];
  /** What may not be read. */
  readonly masked: readonly DiskEntry[];
  /** What lies in a masked folder and may be read all the same. */
  readonly readable: readonly string[];
  /** Folders in a writable one that are mounts of their own, so that they cannot be moved away: `.git`. */
  readonly anchored: readonly string[];
  /** What exists in a writable folder and may not be changed. */
  readonly protected: readonly string[];
  /** What does not exist in a writable folder and may not be made: it is an empty folder for the command. */
  readonly absent: readonly string[];
  /** Of the anchored and the protected those that may be gone when the command begins: it starts all the same. */
  readonly fleeting?: ReadonlySet<string>;
  /** Bubblewrap before 0.8 cannot keep a command from making namespaces; what it mounted stays locked in them. */
  readonly nestedNamespaces?: boolean;
  /** Where the resolver's configuration lies if not in `/etc`: needed with network. */
  readonly resolver?: string;
}

/** How one command runs in the sandbox. */
export interface SandboxedRun {
  readonly cwd: string;
  readonly network: boolean;
  /** The writable folders are read-only too. */
  readonly readOnly: boolean;
  /** It runs as long as we do: it leaves no traces in the workspace, and writes only in the folders that are there. */
  readonly standing?: boolean;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is started in the command's place. */
export interface Confined {
  readonly command: string[];
  readonly env: Record<string, string>;
}

/** In a fresh `/proc` these act on the whole machine, and a user who is root outside could write them. */
const KERNEL_SWITCHES = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver"].map((name) =>
  `/proc/${name}`
);
/** Empty for a command: what lies there belongs to running programs. */
export const PRIVATE_FOLDERS: readonly string[] = ["/tmp", "/run"];

/**
 * Wraps a command for bubblewrap.
 *
 * @param program Bubblewrap itself, one of {@linkcode BUBBLEWRAP_PATHS}.
 */
export function wrapForBubblewrap(
  command: readonly string[],
  run: SandboxedRun,
  { program, view }: { program: string; view: SandboxView },
): Confined {
  const bind = run.readOnly ? "--ro-bind" : "--bind";
  const ifThere = (option: string, path: string) => [view.fleeting?.has(path) ? `${option}-try` : option, path, path];
  const mounts = [
    ...view.masked.map((entry) => ({ path: entry.path, args: mask(entry) })),
    ...view.writable.map((path) => ({ path, args: [bind, path, path] })),
    ...view.readable.map((path) => ({ path, args: ["--ro-bind-try", path, path] })),
  ].sort((a, b) => byDepth(a.path, b.path));
  const isSeen = (path: string) => !isMasked(path, view); // a cover would bring to light what lies below a mask
  const args = [
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(view.nestedNamespaces ? [] : ["--disable-userns"]),
    ...(run.network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session"],
    ...["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...KERNEL_SWITCHES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...PRIVATE_FOLDERS.flatMap((folder) => ["--tmpfs", folder]),
    ...["--ro-bind-try", "/run/current-system", "/run/current-system"], // programs lie there on NixOS
    ...(run.network && view.resolver !== undefined ? ["--ro-bind-try", view.resolver, view.resolver] : []),
    ...mounts.flatMap(({ args }) => args),
    // read-only as a whole, a folder needs no places in it where something could be mounted
    ...(run.readOnly ? [] : [
      ...view.anchored.filter(isSeen).toSorted(byDepth).flatMap((folder) => ifThere("--bind", folder)),
      ...view.protected.filter(isSeen).flatMap((path) => ifThere("--ro-bind", path)),
      // for a file's name too: git would want to add an empty file, and passes an empty folder by
      ...view.absent.filter(isSeen).flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
    ]),
    ...["--chdir", run.cwd, "--clearenv"],
    ...Object.entries({ ...run.env, TMPDIR: "/tmp" }).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
  // the environment of bubblewrap itself can be read inside, at /proc/1/environ
  return { command: [program, ...args, "--", ...command], env: {} };
}

/** What lies in another comes after it. */
function byDepth(a: string, b: string): number {
  return a.length - b.length;
}

/** Whether a path lies in what may not be read, and in no part of that which is open all the same. */
function isMasked(path: string, { masked, writable, readable }: SandboxView): boolean {
  const deepest = (folders: readonly string[]) =>
    Math.max(0, ...folders.filter((f) => path === f || path.startsWith(`${f}/`)).map((folder) => folder.length));
  return deepest(masked.map((entry) => entry.path)) > deepest([...writable, ...readable]);
}

/** An empty folder, or a file that cannot be opened, stands in its place. */
function mask({ path, type }: DiskEntry): string[] {
  return type === "folder" ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
