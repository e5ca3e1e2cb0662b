/**
 * A command line that runs confined on macOS: the same promises as on Linux, as a profile for `sandbox-exec`. Pure.
 *
 * @module
 */

import type { Confined, SandboxedRun, SandboxView } from "./sandbox.ts";
import { PROTECTED } from "./sensitive_paths.ts";

/** A part of the system; nothing on the search path can stand in for it. */
export const SEATBELT_PATH = "/usr/bin/sandbox-exec";

/** Where commands may write besides the workspace. */
const TEMPORARY = "/private/tmp";

/** What programs need of the system to run at all. */
const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow ipc-posix-shm-read*)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.PowerManagement.control")
  (global-name "com.apple.trustd.agent"))
(allow file-read*)
(allow file-ioctl (literal "/dev/null") (literal "/dev/zero"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero"))`;

const NETWORK = `(allow network*)
(allow system-socket)
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.networkd"))`;

/** Wraps a command for `sandbox-exec`. Of the rules in a profile the last that fits counts. */
export function wrapForSeatbelt(
  command: readonly string[],
  run: SandboxedRun,
  view: Pick<SandboxView, "writable" | "masked" | "readable">,
): Confined {
  const env = { ...run.env, TMPDIR: TEMPORARY };
  return { command: [SEATBELT_PATH, "-p", profileOf(run, view), "--", ...command], env };
}

function profileOf(
  { network, readOnly }: SandboxedRun,
  { writable, masked, readable }: Pick<SandboxView, "writable" | "masked" | "readable">,
): string {
  const folders = (paths: readonly string[]) => paths.map((path) => `(subpath ${quote(path)})`).join(" ");
  const lines = [BASE, `(allow file-write* ${folders([TEMPORARY, "/private/var/folders"])})`];
  if (writable.length > 0 && !readOnly) {
    lines.push(`(allow file-write* ${folders(writable)})`, `(deny file-write* ${protectedPatterns(writable)})`);
  }
  if (masked.length > 0) lines.push(`(deny file-read* file-write* ${folders(masked.map(({ path }) => path))})`);
  // a workspace below a masked folder stays what it is
  if (writable.length > 0) {
    lines.push(`(allow file-read* ${folders(writable.filter((path) => isBelowAny(path, masked)))})`);
  }
  if (readable.length > 0) lines.push(`(allow file-read* ${folders(readable)})`);
  if (network) lines.push(NETWORK);
  return lines.filter((line) => !line.endsWith(" )")).join("\n");
}

/** Protected names at any depth, whether they exist or not. Of `.git` only what git runs and obeys: commits work. */
function protectedPatterns(writable: readonly string[]): string {
  const git = [
    "config",
    "config\\.worktree",
    "commondir",
    "hooks(/.*)?",
    "info(/.*)?",
    "modules/.*/(config|config\\.worktree|commondir|hooks/.*|info/.*)",
    "worktrees/.*/(config\\.worktree|commondir)",
    // what git finds through these names must not be moved away
    "(modules|worktrees)(/[^/]*)?",
  ];
  const names = PROTECTED.filter((name) => name !== ".git").map((name) => `${anyCase(name)}(/.*)?`);
  return writable.flatMap((folder) => {
    const below = `^${escapePattern(folder)}/(.*/)?`;
    return [
      // the folder itself can be neither moved nor made; what a commit writes lies in it
      `(regex ${quotePattern(`${below}${anyCase(".git")}$`)})`,
      ...git.map((name) => `(regex ${quotePattern(`${below}${anyCase(".git")}/${name}$`)})`),
      ...names.map((name) => `(regex ${quotePattern(`${below}${name}$`)})`),
    ];
  }).join(" ");
}

function isBelowAny(path: string, masked: SandboxView["masked"]): boolean {
  return masked.some((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
}

/** The usual file system there does not mind the case of a name. */
function anyCase(name: string): string {
  return escapePattern(name).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function quotePattern(pattern: string): string {
  return `#"${pattern.replaceAll('"', '\\"')}"`;
}

function quote(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
