/**
 * The OS sandbox of this run: found out when the first command needs it, then kept.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import type { Workspace } from "../permissions/paths.ts";
import type { SandboxWrapper } from "../tools/tool.ts";
import type { Settings } from "./settings.ts";

/** What commands run in. */
export interface OpenSandbox {
  /** For the banner: `bubblewrap`, or why there is none. */
  readonly label: string;
  /** Its program, also where this process must not run it. */
  readonly program?: string;
  /** Absent where there is none. */
  readonly wrap?: SandboxWrapper;
  /** There is one and it does not work: no command may run, but in `full` mode. */
  readonly broken?: string;
  /** Waits for what it must know of the workspace before a command. */
  ready(): Promise<void>;
  /** Tells of a protected path that a tool of ours makes with consent. */
  expectChange(path: string): void;
  /** Removes what commands left of it. */
  dispose(): Promise<void>;
}

/** What decides about the sandbox. */
export interface SandboxOptions {
  readonly workspace: Workspace;
  readonly settings: Settings;
  /** The environment of children. */
  readonly env: Readonly<Record<string, string>>;
}

/** Finds the sandbox of this system and tries whether it really confines. */
export async function openSandbox({ workspace, settings, env }: SandboxOptions): Promise<OpenSandbox> {
  if (settings.sandbox === "off") return without("off");
  const { probeSandbox } = await import("../permissions/sandbox_probe.ts");
  const { runProcess } = await import("../tools/run_process.ts");
  const { decodeOutput } = await import("../tools/output_buffer.ts");
  const facts = await probeSandbox(
    { os: Deno.build.os, workspace, write: settings.sandboxWrite ?? [], mask: settings.sandboxMask ?? [] },
    async (command, childEnv) => {
      const { code, stdout, stderr } = await runProcess(command, {
        cwd: workspace.cwd,
        env: { ...childEnv },
        signal: AbortSignal.timeout(PROBE_MS),
        maxBytes: 256 * 1024,
      });
      return { code, stdout: decodeOutput(stdout), stderr: decodeOutput(stderr) };
    },
  );
  if (facts.kind === "none") return without(`none (${facts.reason})`);
  if (facts.kind === "broken") return { ...without(`broken (${facts.reason})`), broken: facts.reason };
  const { program } = facts;
  if (!isHeld({ name: "run", command: program })) {
    return { ...without(`none (no --allow-run=${program})`), program };
  }
  const { makeSandbox } = await import("../permissions/sandbox_guard.ts");
  const sandbox = makeSandbox(facts, workspace.roots);
  return {
    label: facts.kind,
    program,
    wrap: (command, run) => sandbox.wrap(command, { ...run, env: run.env ?? env }),
    ready: () => sandbox.ready(),
    expectChange: (path) => sandbox.expectChange(path),
    dispose: () => sandbox.dispose(),
  };
}

/** The sandbox of a run, tried when it is first asked for. */
export class LazySandbox {
  readonly #options: SandboxOptions;
  #opened: Promise<OpenSandbox> | undefined;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** The sandbox; with `"sandbox": "require"` there must be one. */
  open(): Promise<OpenSandbox> {
    return this.#opened ??= openSandbox(this.#options).then((sandbox) => {
      if (this.#options.settings.sandbox !== "require" || sandbox.wrap) return sandbox;
      return { ...sandbox, broken: `your configuration requires one, and there is ${sandbox.label}` };
    });
  }

  /** Tells of a protected path that a tool of ours makes with consent: it stays. */
  async expectChange(path: string): Promise<void> {
    (await this.#opened)?.expectChange(path);
  }

  /** Removes what commands left of it. */
  async dispose(): Promise<void> {
    await (await this.#opened)?.dispose();
  }
}

/** Time for the trials of the sandbox. */
const PROBE_MS = 10_000;

function without(label: string): OpenSandbox {
  return { label, ready: () => Promise.resolve(), expectChange: () => {}, dispose: () => Promise.resolve() };
}
