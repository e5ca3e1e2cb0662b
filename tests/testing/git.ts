/**
 * Git without anything of the person who runs the tests.
 *
 * @module
 */

import { decodeOutput } from "../../src/tools/output_buffer.ts";
import { runProcess } from "../../src/tools/run_process.ts";

/** Runs git in a folder and gives what it prints. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(["git", "-c", "core.excludesFile=", ...args], {
    cwd,
    env: { PATH: Deno.env.get("PATH") ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: cwd },
    signal: AbortSignal.timeout(60_000),
    maxBytes: 10_000_000,
  });
  if (code !== 0) throw new Error(`Cannot run git ${args[0]}: ${decodeOutput(stderr)}`);
  return decodeOutput(stdout);
}

/** Whether a program can be run here: tests that need it are skipped visibly where it is missing. */
export function isInstalled(program: string): boolean {
  try {
    new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync();
    return true;
  } catch {
    return false;
  }
}
