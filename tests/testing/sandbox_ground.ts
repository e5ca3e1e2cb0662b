/**
 * The real sandbox of this machine over a workspace with a repository, beside a folder that must stay as it is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Workspace } from "../../src/permissions/paths.ts";
import { makeSandbox, type Sandbox } from "../../src/permissions/sandbox_guard.ts";
import { probeSandbox, type RunProgram, type SandboxFacts } from "../../src/permissions/sandbox_probe.ts";

const IS_ROOT = Deno.build.os === "linux" && await output(["id", "-u"]) === "0\n";
/** Bubblewrap as ourselves, and as nobody where we are root. */
export const USERS: { name: string; prefix: string[] }[] = [
  { name: IS_ROOT ? "root" : "a normal user", prefix: [] },
  ...(IS_ROOT
    ? [{ name: "nobody", prefix: ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] }]
    : []),
];

/** What a program prints; nothing if there is none. */
export async function output(command: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await new Deno.Command(command[0]!, { args: command.slice(1), stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch {
    return undefined;
  }
}

/** Runs programs behind these words, which change the user. */
export function runAs(prefix: readonly string[]): RunProgram {
  return async (command, env) => {
    const [program = "", ...args] = [...prefix, ...command];
    const options = { args, env: { ...env }, clearEnv: true, cwd: "/", stdin: "null" } as const;
    const { code, stdout, stderr } = await new Deno.Command(program, options).output();
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  };
}

/** Nothing to write in. */
export const NO_WORKSPACE = { cwd: "/nowhere", roots: [] };
/** Whether this machine has bubblewrap: tests that need it are counted as ignored elsewhere, never as passed. */
export const HAS_SANDBOX =
  (await probeSandbox({ os: Deno.build.os, workspace: NO_WORKSPACE }, runAs([]))).kind === "bubblewrap";
/** A workspace and its sandbox. */
export interface Ground {
  workspace: Workspace;
  outside: string;
  home: string;
  facts: Extract<SandboxFacts, { kind: "bubblewrap" | "seatbelt" }>;
  sandbox: Sandbox;
  /** Runs a script in the sandbox as that user. */
  run(script: string, options?: { network?: boolean; readOnly?: boolean; standing?: boolean }): Promise<
    { code: number; stdout: string; stderr: string; moved: string[]; changed: string[]; unwatched: number }
  >;
}

/** A workspace with a repository beside a folder outside, and a home folder with secrets, owned by that user. */
export async function withGround(
  { prefix, repository = true }: { prefix: string[]; repository?: boolean },
  use: (ground: Ground) => Promise<void>,
): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const [repo, outside, home] = [`${base}/repo`, `${base}/outside`, `${base}/home`];
  const run = runAs(prefix);
  try {
    if (prefix.length > 0) await Deno.chown(base, 65534, 65534);
    const setup = `cd '${base}' && mkdir -p repo outside home/.ssh home/.config/gh && echo kept > outside/marker &&
      ln -s ../outside repo/way-out && echo private > home/.ssh/id_rsa && echo private > home/.netrc &&
      ${repository ? "git init -q repo" : "true"}`;
    const made = await run(["sh", "-c", setup], { PATH: "/usr/bin:/bin", HOME: home });
    assertEquals(made.stderr, "");
    const workspace = { cwd: repo, roots: [repo], home };
    const facts = await probeSandbox(
      { os: Deno.build.os, workspace, write: ["~/.config"], mask: [`${base}/none`] },
      run,
    );
    assert(facts.kind === "bubblewrap", JSON.stringify(facts));
    const sandbox = makeSandbox(facts, workspace.roots);
    await use({
      workspace,
      outside,
      home,
      facts,
      sandbox,
      async run(script, { network = false, readOnly = false, standing = false } = {}) {
        const env = { PATH: "/usr/bin:/bin", HOME: home };
        const confined = sandbox.wrap(["sh", "-c", script], { cwd: repo, network, readOnly, standing, env });
        const result = await run(confined.command, confined.env);
        const { moved, changed, unwatched } = await confined.settled();
        return { ...result, moved: [...moved], changed: [...changed], unwatched };
      },
    });
    assertEquals(await Deno.readTextFile(`${outside}/marker`), "kept\n");
    assertEquals(Array.from(Deno.readDirSync(outside), ({ name }) => name), ["marker"]);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}
