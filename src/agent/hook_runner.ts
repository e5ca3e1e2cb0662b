/**
 * Runs the hooks of a session and says what their ends mean.
 *
 * Exit 0 is consent, exit 2 an objection with the error output as its reason. A `before_tool` hook that fails in any
 * other way closes: a guard that cannot say yes has not said it.
 *
 * @module
 */

import type { ToolUseBlock } from "../llm/types.ts";
import { orInterrupt } from "../tools/or_interrupt.ts";
import { type HookEnd, runHook } from "../tools/run_hook.ts";
import type { ChildSettings, ToolOutput } from "../tools/tool.ts";
import { compileMatch } from "./hook_match.ts";
import type { Hook, HookEvent, HookLists, Hooks, TurnEnding } from "./hooks.ts";

/** What hooks run in. */
export interface HookHost {
  readonly cwd: string;
  /** The session that is going on. */
  session(): { id: string; resumed: boolean };
  mode(): string;
  /** How children are started now. Throws if none may run. */
  child(): Promise<ChildSettings>;
  /** Takes secrets and control characters out of what a hook writes. */
  clean(text: string): string;
  /** Tells the person. */
  notify(text: string): void;
}

/** A hook that is ready to run. */
interface Ready extends Hook {
  readonly matches: (tool: string) => boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 600_000;
/** A command is named by its beginning. */
const NAMED_CHARS = 80;

/** {@linkcode Hooks} that are commands. */
export class HookRunner implements Hooks {
  readonly #host: HookHost;
  readonly #hooks: ReadonlyMap<HookEvent, readonly Ready[]>;
  #started: string | undefined;

  /** @throws {SyntaxError} If the `match` of a hook cannot be read. */
  constructor(lists: HookLists, host: HookHost) {
    this.#host = host;
    this.#hooks = new Map(
      Object.entries(lists).map(([event, hooks]) => [
        event as HookEvent,
        hooks.map((hook) => ({ ...hook, matches: compileMatch(hook.match) })),
      ]),
    );
  }

  async sessionStart(signal: AbortSignal): Promise<void> {
    const { id, resumed } = this.#host.session();
    if (this.#started === id) return;
    this.#started = id;
    await this.#tellFailures("session_start", { source: resumed ? "resume" : "startup" }, signal);
  }

  async turnEnd({ outcome, text }: TurnEnding, signal: AbortSignal): Promise<void> {
    await this.#tellFailures("turn_end", { outcome, result: this.#host.clean(text) }, signal);
  }

  async beforeTool({ id, name, input }: ToolUseBlock, signal: AbortSignal): Promise<string | undefined> {
    for (const hook of this.#for("before_tool", name)) {
      const end = await this.#run("before_tool", hook, { tool_name: name, tool_input: input, tool_use_id: id }, signal);
      if (!end) return undefined;
      if (end.ended === "objects") return `Blocked by a hook: ${end.stderr || "it gave no reason"}`;
      if (end.ended === "failed") {
        this.#tell("before_tool", hook, end, `, so ${name} did not run`);
        return `Not run: a hook that must agree to each ${name} call failed (${end.how}), and the user must see to it`;
      }
    }
  }

  async afterTool({ id, name, input }: ToolUseBlock, output: ToolOutput, signal: AbortSignal): Promise<string> {
    const { content, isError = false } = output;
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    const added: string[] = [];
    for (const hook of this.#for("after_tool", name)) {
      const end = await this.#run("after_tool", hook, { ...call, tool_response: content, is_error: isError }, signal);
      if (end?.ended === "objects" && end.stderr !== "") added.push(`A hook says: ${end.stderr}`);
      else if (end && end.ended !== "well") this.#tell("after_tool", hook, end);
    }
    return added.join("\n\n");
  }

  /** Where nothing can be stopped any more, exit 2 too is only told. */
  async #tellFailures(event: HookEvent, facts: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    for (const hook of this.#hooks.get(event) ?? []) {
      const end = await this.#run(event, hook, facts, signal);
      if (end && end.ended !== "well") this.#tell(event, hook, end);
    }
  }

  #for(event: HookEvent, tool: string): readonly Ready[] {
    return this.#hooks.get(event)?.filter(({ matches }) => matches(tool)) ?? [];
  }

  /** Runs one hook. Nothing comes of one that was interrupted. */
  async #run(
    event: HookEvent,
    { command, timeoutMs = DEFAULT_TIMEOUT_MS }: Hook,
    facts: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<HookEnd | undefined> {
    const { cwd, session, mode, child, clean, notify } = this.#host;
    const common = { hook_event_name: event, session_id: session().id, cwd, permission_mode: mode() };
    try {
      const end = await runHook(command, {
        cwd,
        child: await orInterrupt(child(), signal),
        input: JSON.stringify({ ...common, ...facts }) + "\n",
        timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS),
        signal,
      });
      if (end.notes.length > 0) notify(clean(`${this.#name(event, command)}: ${end.notes.join("\n")}`));
      return { ...end, stderr: clean(end.stderr).trim() };
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      return { ended: "failed", how: "it could not be started", stderr: clean(reason), notes: [] };
    }
  }

  #tell(event: HookEvent, { command }: Hook, { ended, how, stderr }: HookEnd, consequence = ""): void {
    const does = ended === "objects" ? "objects" : `failed: ${how}`;
    const reason = stderr === "" ? "" : `\n${stderr}`;
    this.#host.notify(`${this.#name(event, command)} ${does}${consequence}${reason}`);
  }

  #name(event: HookEvent, command: string): string {
    const name = this.#host.clean(command).split("\n")[0]!;
    return `The ${event} hook "${name.length > NAMED_CHARS ? `${name.slice(0, NAMED_CHARS)}…` : name}"`;
  }
}
