/**
 * `mini-agent mcp`: starts the configured MCP servers and says what they offer.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import { endAllProcesses } from "../tools/process.ts";
import type { CliOptions } from "./args.ts";
import { EXIT } from "./exit_codes.ts";
import type { CheckResult } from "./doctor_command.ts";
import { serverChecks, serverRows, serverStatuses } from "./mcp_status.ts";
import { StreamSink } from "./output.ts";
import { prepare, type Setup } from "./setup.ts";
import { listen } from "./signals.ts";

/** Runs the command. The exit code is 1 if a server cannot be used. */
export async function start(options: CliOptions): Promise<number> {
  const stop = new AbortController();
  listen({ SIGINT: () => stop.abort(EXIT.interrupted), SIGTERM: () => stop.abort(EXIT.terminated) });
  const stdout = new StreamSink(Deno.stdout);
  const stderr = new StreamSink(Deno.stderr);
  const setup = await prepare({ ...options, save: false });
  const clean = (text: string) => setup.redactor.redact(neutralise(text));
  const isWhole = await openTrusted(setup, stop.signal);
  const statuses = serverStatuses(setup);
  for (const notice of setup.notices) stderr.write(clean(notice) + "\n");
  if (isWhole) stdout.write(serverRows(statuses).map((row) => clean(row).replaceAll("\n", " ") + "\n").join(""));
  await setup.running?.leave();
  await endAllProcesses();
  await setup.sandbox.dispose();
  await Promise.all([stdout.flush(), stderr.flush()]);
  if (!isWhole) return stop.signal.reason;
  return statuses.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
}

/** Starts the servers, says what became of each, and ends them. */
export async function tryServers(setup: Setup): Promise<CheckResult[]> {
  await openTrusted(setup, new AbortController().signal);
  const checks = serverChecks(serverStatuses(setup));
  await setup.running?.leave();
  await endAllProcesses();
  return checks.map(({ status, text }) => ({ status, text: setup.redactor.redact(text) }));
}

/** Starts the servers, a project's only if it is trusted: nobody is asked here. */
async function openTrusted(setup: Setup, signal: AbortSignal): Promise<boolean> {
  if (setup.projectServers.length > 0) {
    const { accept, projectTrust } = await import("./project_trust.ts");
    const { state } = await projectTrust(setup);
    if (setup.options.trust || state.state === "trusted") accept(setup);
  }
  if (setup.servers.length === 0) return true;
  return await (await import("./open_servers.ts")).openServers(setup, signal);
}
