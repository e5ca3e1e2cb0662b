/**
 * Runs a program against the service and says how long it took and what it used.
 *
 * @module
 */

import { Meter, type Usage } from "./meter.ts";
import type { Exchange, Script, Service } from "./service.ts";

/** A program that is measured. */
export interface Program {
  name: string;
  /** Deno's own arguments, up to the script. */
  deno: readonly string[];
}

/** Where programs run. */
export interface Place {
  service: Service;
  /** The working folder. */
  project: string;
  home: string;
}

/** How a run went. */
export interface Run {
  exchanges: readonly Exchange[];
  /** Milliseconds from the start of the process to its first request; NaN if it made none. */
  firstRequestMs: number;
  /** Milliseconds from start to end. */
  wallMs: number;
  /** Milliseconds of processor time, its children not counted: at each request, and at the end. */
  cpuMs: readonly number[];
  /** MB (10^6 bytes) of memory at the highest point. */
  peakMb: number;
}

/** How often a running process is looked at where it is measured. */
const SAMPLE_MS = 5;

/**
 * Runs a program to its end.
 *
 * @param script What the service answers.
 * @param options.watch Whether processor time and memory are measured, which takes a little time itself.
 * @throws {Error} If the program fails.
 */
export async function runProgram(
  { name, deno }: Program,
  args: readonly string[],
  { service, project, home }: Place,
  { watch = false, ...script }: Partial<Script> & { watch?: boolean } = {},
): Promise<Run> {
  const cpuMs: number[] = [];
  let usage: Usage = { cpuMs: 0, peakMb: 0 };
  await using meter = watch ? new Meter() : undefined;
  const look = async () => void (usage = await meter?.read(child.pid) ?? usage);
  const onRequest = async () => {
    await look();
    cpuMs.push(usage.cpuMs);
  };
  service.play({ replies: script.replies ?? [], ...(watch && { onRequest }) });
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...deno, ...args],
    cwd: project,
    clearEnv: true,
    env: environment(home, service.url),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const timer = watch ? setInterval(look, SAMPLE_MS) : undefined;
  const { success } = await child.status;
  const wallMs = performance.now() - startedAt;
  clearInterval(timer);
  await look();
  if (!success) throw new Error(`${name} failed: ${await errors}`);
  cpuMs.push(usage.cpuMs);
  const { exchanges } = service;
  const firstRequestMs = (exchanges[0]?.receivedAt ?? NaN) - startedAt;
  return { exchanges, firstRequestMs, wallMs, cpuMs, peakMb: usage.peakMb };
}

/** Deno's cache is the caller's: with a fresh one a program would be compiled at each start. */
function environment(home: string, serviceUrl: string): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
    NO_PROXY: "127.0.0.1",
    OPENAI_BASE_URL: serviceUrl,
    OPENAI_API_KEY: "bench-key",
  };
}
