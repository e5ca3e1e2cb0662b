/**
 * Finds out at the start whether the sandbox is there and really confines. What it is told about the disk is looked up
 * in the sandbox itself, so that Deno needs no grant for the places that are to be hidden.
 *
 * @module
 */

import type { Workspace } from "./paths.ts";
import { BUBBLEWRAP_PATHS, type DiskEntry, PRIVATE_FOLDERS, type SandboxView, wrapForBubblewrap } from "./sandbox.ts";
import { SEATBELT_PATH, wrapForSeatbelt } from "./seatbelt.ts";
import { SECRET } from "./sensitive_paths.ts";

/** Starts a program with exactly this environment and waits for it. Throws if there is none. */
export type RunProgram = (
  command: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<{ code: number; stdout: string; stderr: string }>;

/** What the sandbox is to know. */
export interface SandboxRequest {
  readonly os: typeof Deno.build.os;
  readonly workspace: Workspace;
  /** The configuration's `sandboxWrite`: more folders to write in. */
  readonly write?: readonly string[];
  /** The configuration's `sandboxMask`: more that may not be read. */
  readonly mask?: readonly string[];
}

/** What was found. Plain data. */
export type SandboxFacts =
  | {
    readonly kind: "bubblewrap" | "seatbelt";
    readonly program: string;
    /** What holds for all runs; of the workspace itself it knows nothing. */
    readonly view: Pick<SandboxView, "writable" | "masked" | "readable" | "resolver" | "nestedNamespaces">;
    /** Paths of `sandboxWrite` and `sandboxMask` that do not exist. */
    readonly missing: readonly string[];
  }
  /** This system has none. */
  | { readonly kind: "none"; readonly reason: string }
  /** There is one and it does not do what it must: nothing may run in it. */
  | { readonly kind: "broken"; readonly program: string; readonly reason: string };

/** Prints who and where it is, then of each path that it is given whether it is a folder or a file, and canonically. */
const SCRIPT = `
echo "pid $$"
grep -c : /proc/net/dev 2>/dev/null | sed 's/^/interfaces /'
while read -r device point type options rest; do
  [ "$point" = / ] && echo "root $options"
done < /proc/self/mounts
echo "resolver $(readlink /etc/resolv.conf 2>/dev/null)"
for path; do
  if [ -d "$path" ]; then (cd -P -- "$path" 2>/dev/null && echo "folder $(pwd -P)" || echo "folder $path")
  elif [ -e "$path" ]; then echo "file $(readlink -f -- "$path" 2>/dev/null || echo "$path")"
  else echo "missing $path"
  fi
done`;

/** Tries the sandbox of this system. Never throws: what goes wrong is a fact too. */
export async function probeSandbox(request: SandboxRequest, run: RunProgram): Promise<SandboxFacts> {
  const { os, workspace } = request;
  if (workspace.roots.includes("/")) return { kind: "none", reason: "the workspace is the whole disk" };
  if (os === "darwin") return await probeSeatbelt(request, run);
  if (os !== "linux") return { kind: "none", reason: `there is none for ${os}` };
  for (const program of BUBBLEWRAP_PATHS) {
    const facts = await probeBubblewrap(program, request, run);
    if (facts !== undefined) return facts;
  }
  return { kind: "none", reason: "bubblewrap is not installed" };
}

async function probeSeatbelt(request: SandboxRequest, run: RunProgram): Promise<SandboxFacts> {
  const { secrets, mask, write } = candidatesOf(request);
  const { roots, readable = [] } = request.workspace;
  const view = {
    writable: [...roots, ...write],
    // a profile names paths whether they exist or not
    masked: [...secrets, ...mask].map((path) => ({ path, type: "folder" as const })),
    readable,
  };
  const { command, env } = wrapForSeatbelt(
    [
      "sh",
      "-c",
      'touch "$1/.mini-agent-probe" 2>/dev/null && { rm -f "$1/.mini-agent-probe"; exit 3; } || true',
      "sh",
      roots[0]!,
    ],
    { cwd: "/", network: false, readOnly: true, env: { PATH: "/usr/bin:/bin" } },
    view,
  );
  const result = await tryRun(SEATBELT_PATH, () => run(command, env));
  if (result === undefined) return { kind: "none", reason: "sandbox-exec is missing" };
  return "kind" in result ? result : { kind: "seatbelt", program: SEATBELT_PATH, view, missing: [] };
}

async function probeBubblewrap(
  program: string,
  request: SandboxRequest,
  run: RunProgram,
): Promise<SandboxFacts | undefined> {
  const candidates = candidatesOf(request);
  const paths = [...candidates.secrets, ...candidates.mask, ...candidates.write];
  if (paths.some((path) => /[\n\0]/.test(path))) return { kind: "none", reason: "a path holds a line break" };
  // what the configuration names may lie where a command sees an empty folder
  const view = { writable: [], masked: [], readable: PRIVATE_FOLDERS, anchored: [], protected: [], absent: [] };
  const attempt = (nestedNamespaces: boolean) => {
    const { command, env } = wrapForBubblewrap(
      ["sh", "-c", SCRIPT, "sh", ...paths],
      { cwd: "/", network: false, readOnly: true, env: { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" } },
      { program, view: { ...view, nestedNamespaces } },
    );
    return tryRun(program, () => run(command, env));
  };
  let result = await attempt(false);
  const old = result !== undefined && "kind" in result && result.kind === "broken" &&
    /disable-userns/.test(result.reason);
  if (old) result = await attempt(true);
  if (result === undefined || "kind" in result) return result;
  const facts = readReport(result.stdout, program, candidates, request.workspace);
  return old && facts.kind === "bubblewrap" ? { ...facts, view: { ...facts.view, nestedNamespaces: true } } : facts;
}

type RunResult = Awaited<ReturnType<RunProgram>>;

/** The output of a run that went well; else what its failure says, `undefined` if there is no such program. */
async function tryRun(program: string, run: () => Promise<RunResult>): Promise<RunResult | SandboxFacts | undefined> {
  const broken = (reason: string) => ({ kind: "broken", program, reason }) as const;
  try {
    const result = await run();
    if (result.code === 0) return result;
    const complaint = result.stderr.trim().split("\n", 1)[0]!;
    // what the kernel or a container forbids is no sandbox here; anything else is a sandbox that fails
    const forbidden = /namespace|[ug]id map|Operation not permitted|proc.*denied/i.test(complaint);
    if (forbidden) return { kind: "none", reason: complaint };
    return broken(complaint === "" ? `it ended with ${result.code}` : complaint);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotCapable) return { kind: "none", reason: `no --allow-run for ${program}` };
    return broken(error instanceof Error ? error.message : String(error));
  }
}

interface Candidates {
  readonly secrets: readonly string[];
  readonly mask: readonly string[];
  readonly write: readonly string[];
}

function candidatesOf({ workspace, write = [], mask = [] }: SandboxRequest): Candidates {
  const { home, ownFolders = [] } = workspace;
  const absolute = (path: string) => home !== undefined && path.startsWith("~/") ? `${home}/${path.slice(2)}` : path;
  const secrets = home === undefined ? [] : SECRET.map((path) => `${home}/${path}`);
  return { secrets: [...secrets, ...ownFolders], mask: mask.map(absolute), write: write.map(absolute) };
}

function readReport(
  stdout: string,
  program: string,
  candidates: Candidates,
  { roots, readable = [] }: Workspace,
): SandboxFacts {
  const lines = stdout.trimEnd().split("\n");
  const value = (name: string) => lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const pid = Number(value("pid"));
  const confined = pid > 0 && pid < 20 && value("interfaces") === "1" && /^ro(?:,|$)/.test(value("root") ?? "");
  if (!confined) return { kind: "broken", program, reason: "it starts commands without confining them" };
  const answers = lines.slice(lines.findIndex((line) => line.startsWith("resolver")) + 1).map(toEntry);
  const { secrets, mask, write } = candidates;
  const masked = answers.slice(0, secrets.length + mask.length);
  const writable = answers.slice(masked.length);
  const missing = [...mask, ...write].filter((_, i) => answers[secrets.length + i] === undefined);
  const resolver = resolverPath(value("resolver") ?? "");
  return {
    kind: "bubblewrap",
    program,
    view: {
      writable: [...roots, ...writable.flatMap((entry) => entry?.path ?? [])],
      masked: masked.filter((entry) => entry !== undefined),
      readable,
      ...(resolver !== undefined && { resolver }),
    },
    missing,
  };
}

function toEntry(line: string): DiskEntry | undefined {
  if (line.startsWith("folder ")) return { path: line.slice(7), type: "folder" };
  return line.startsWith("file ") ? { path: line.slice(5), type: "file" } : undefined;
}

/** Where `/etc/resolv.conf` leads, if into a folder that is empty in the sandbox. */
function resolverPath(link: string): string | undefined {
  const path = link.replace(/^(?:\.\.)?\/(?:var\/)?run\//, "/run/");
  return path.startsWith("/run/") ? path : undefined;
}
