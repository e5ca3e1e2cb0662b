/**
 * Looks for processes of this machine.
 *
 * @module
 */

import { decodeOutput } from "../../src/tools/output_buffer.ts";
import { runProcess } from "../../src/tools/run_process.ts";

/** An environment in which programs are found. */
export const TEST_ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** A command that sleeps for long, and that no other test uses: two runs at once do not find each other's. */
export function uniqueSleep(): string {
  return `sleep ${100_000 + crypto.getRandomValues(new Uint32Array(1))[0]!}`;
}

/** How many processes have exactly these arguments. */
export async function countProcesses(args: string): Promise<number> {
  const pattern = `^${args.replaceAll(" ", ".")}.$`; // a dot for the NUL after each argument
  const { stdout } = await runProcess(["sh", "-c", `grep -lsaE '${pattern}' /proc/[0-9]*/cmdline | wc -l`], {
    cwd: "/",
    env: TEST_ENV,
    signal: new AbortController().signal,
    maxBytes: 100,
  });
  return Number(decodeOutput(stdout));
}
