/**
 * A conversation for tests of the loops and commands: it remembers what was asked of it.
 *
 * @module
 */

import { BUILTIN_COMMANDS } from "../../src/cli/builtin_commands.ts";
import type { LoopOptions } from "../../src/cli/inputs.ts";
import type { SessionControls } from "../../src/cli/session_controls.ts";
import { type Message, NO_USAGE } from "../../src/llm/types.ts";

/** {@linkcode SessionControls} over plain values; override what a test is about. */
export function newSession(overrides: Partial<SessionControls> = {}): SessionControls {
  let messages: Message[] = [{ role: "user", content: [{ type: "text", text: "hello" }] }];
  let [model, mode] = ["demo/demo", "ask"];
  return {
    model: () => model,
    models: () => [model, "openai/small", "openai/large"],
    setModel: (name) => void (model = name),
    mode: () => mode,
    setMode: (name) => void (mode = name),
    effort: () => undefined,
    setEffort: () => {},
    tools: () => [],
    permissions: () => [],
    servers: () => [],
    jobs: () => [],
    messages: () => messages,
    usage: () => NO_USAGE,
    cost: () => [],
    contextTokens: () => 0,
    contextWindow: () => 1000,
    reset: () => void (messages = []),
    ...overrides,
  };
}

/** {@linkcode LoopOptions} whose turns are kept in `sent` and end at once; override what a test is about. */
export function newLoopOptions(overrides: Partial<LoopOptions> = {}): LoopOptions & { sent: string[] } {
  const sent: string[] = [];
  return {
    banner: () => ["banner"],
    session: newSession(),
    commands: BUILTIN_COMMANDS,
    send: (message) => {
      sent.push(message);
      return Promise.resolve();
    },
    ...overrides,
    sent,
  };
}

/** A turn that lasts until its signal aborts or `end` is called. */
export function newLongTurn() {
  const started = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<void>();
  return {
    /** Resolves when the turn has begun. */
    started: started.promise,
    end: ended.resolve,
    send(_message: string, signal: AbortSignal): Promise<void> {
      signal.addEventListener("abort", () => ended.resolve());
      started.resolve(signal);
      return ended.promise;
    },
  };
}
