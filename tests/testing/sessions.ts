/**
 * Sessions for tests: kept in a temporary folder, with agents that record into them.
 *
 * @module
 */

import type { Agent } from "../../src/agent/agent.ts";
import type { AgentOptions } from "../../src/agent/agent_options.ts";
import { Session } from "../../src/agent/session.ts";
import { SessionLog } from "../../src/agent/session_log.ts";
import type { Prefix } from "../../src/agent/session_records.ts";
import { SessionState } from "../../src/agent/session_state.ts";
import { SessionStore } from "../../src/agent/session_store.ts";
import type { Model } from "../../src/llm/types.ts";
import { newAgent } from "./agents.ts";
import { newToolContext } from "./tool_context.ts";

/** What the requests of a test begin with. */
export const PREFIX: Prefix = {
  model: "fake/fake",
  contextWindow: 100_000,
  mode: "ask",
  roots: ["/w"],
  system: "You are a test.",
  tools: [],
};

/** A new session that is kept in a folder. */
export async function newSession(folder: string, cwd = "/w", redact = (text: string) => text): Promise<Session> {
  const store = new SessionStore(folder);
  const session = new Session({ id: crypto.randomUUID(), cwd, store, redact });
  await session.setPrefix(PREFIX);
  return session;
}

/** The same session in the next process. The one before must have been disposed of. */
export async function reopen(folder: string, id: string): Promise<Session> {
  const store = new SessionStore(folder);
  const { log, text } = await SessionLog.open(store.fileOf(id));
  const { header } = text;
  const state = SessionState.of(text.records);
  return new Session({ id, cwd: header?.cwd ?? "/w", store, log, state, redact: (t) => t, ...(header && { header }) });
}

/** An agent that records into a session and goes on from what it holds. */
export function agentOf(session: Session, model: Model, options: Partial<AgentOptions> = {}): Agent {
  const { signal: _signal, seen: _seen, granted: _granted, ...surroundings } = newToolContext({ cwd: session.cwd });
  return newAgent(model, {
    surroundings: { ...surroundings, keepOutput: session.keepOutput, beforeChange: session.beforeChange },
    record: session.record,
    past: session.state.past(),
    ...options,
  });
}

/** The lines of a session's file, parsed. */
// deno-lint-ignore no-explicit-any -- tests look into them freely
export async function linesOf(folder: string, id: string): Promise<any[]> {
  const text = await Deno.readTextFile(new SessionStore(folder).fileOf(id));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
