/**
 * Tries in the real sandbox what a hostile command would try.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { join } from "../permissions/os_path.ts";
import { trialsFor } from "../permissions/sandbox_trials.ts";
import { runProcess } from "../tools/run_process.ts";
import type { CheckResult } from "./doctor_command.ts";
import { openSandbox } from "./open_sandbox.ts";
import type { Setup } from "./setup.ts";

/** Milliseconds that one attempt may take. */
const TRIAL_MS = 10_000;

/** Runs all attempts. The first line says what sandbox there is. */
export async function trySandbox({ config: { settings }, env }: Setup): Promise<CheckResult[]> {
  const needed = ["read", "write", "run", "net"] as const;
  const lacking = needed.flatMap((name) => isHeld({ name }) ? [] : [`--allow-${name}`]);
  if (lacking.length > 0) {
    return [{ status: "skip", text: `sandbox: not tried, for which ${lacking.join(" ")} is needed` }];
  }
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "mini-agent-doctor-" }));
  const [workspace, outside] = [join(base, "workspace"), join(base, "outside")];
  await Promise.all([Deno.mkdir(workspace), Deno.mkdir(outside)]);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let connections = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      connections++;
      connection.close();
    }
  })();
  const sandbox = await openSandbox({ workspace: { cwd: workspace, roots: [workspace] }, settings, env })
    .catch((error) => error as Error);
  try {
    if (sandbox instanceof Error) return [{ status: "fail", text: `sandbox: ${sandbox.message}` }];
    const { wrap, label, broken } = sandbox;
    if (!wrap) return [{ status: broken === undefined ? "skip" : "fail", text: `sandbox: ${label}, nothing to try` }];
    await makeGround(workspace, outside, env);
    const run = async (script: string, confined: boolean) => {
      const { code } = await runProcess(["sh", "-c", script], {
        cwd: workspace,
        env,
        ...(confined && { sandbox: wrap }),
        signal: AbortSignal.timeout(2 * TRIAL_MS),
        timeoutMs: TRIAL_MS,
        maxBytes: 64 * 1024,
      });
      return code === 0;
    };
    const results: CheckResult[] = [{ status: "ok", text: `sandbox: ${label}` }];
    for (
      const { name, script, allowed, needs = [] } of trialsFor({
        workspace,
        outside,
        port: listener.addr.port,
        pid: Deno.pid,
      })
    ) {
      if (needs.length > 0 && !await run(needs.map((program) => `command -v ${program}`).join(" && "), false)) {
        results.push({ status: "skip", text: `  ${name}: needs ${needs.join(", ")}` });
        continue;
      }
      const succeeded = await run(script, true);
      results.push({
        status: succeeded === allowed ? "ok" : "fail",
        text: `  ${name}: ${succeeded ? "allowed" : "blocked"}`,
      });
    }
    const marker = await Deno.readTextFile(join(outside, "marker")).catch(() => "");
    const intact = marker === MARKER && connections === 0;
    results.push({ status: intact ? "ok" : "fail", text: `  outside: ${intact ? "untouched" : "changed or reached"}` });
    return results;
  } finally {
    listener.close();
    await accepting;
    if (!(sandbox instanceof Error)) await sandbox.dispose();
    await Deno.remove(base, { recursive: true }).catch(() => {});
  }
}

const MARKER = "as it was\n";

async function makeGround(workspace: string, outside: string, env: Readonly<Record<string, string>>): Promise<void> {
  await Deno.writeTextFile(join(outside, "marker"), MARKER);
  await Deno.symlink(outside, join(workspace, "way-out"));
  await runProcess(["sh", "-c", "git init -q . || true"], {
    cwd: workspace,
    env,
    signal: AbortSignal.timeout(TRIAL_MS),
    maxBytes: 64 * 1024,
  });
}
