/**
 * Watches a headless run: progress for people on stderr, events for programs on stdout. Nobody is there to answer, so it
 * has no `confirm`.
 *
 * @module
 */

import type { AgentEvent, UI } from "../agent/ui.ts";
import type { OutputFormat } from "./args.ts";
import {
  assistantEvent,
  compactionEvent,
  deltaEvent,
  type Origin,
  type PermissionDenial,
  retryEvent,
  userEvent,
} from "./json_events.ts";
import type { Sink } from "./output.ts";
import { callLine } from "./call_line.ts";
import { RunningAgents } from "./running_agents.ts";

/** What a {@linkcode HeadlessUI} is made of. */
export interface HeadlessOptions {
  format: OutputFormat;
  /** stream-json: also pieces of replies. */
  partials: boolean;
  sessionId: string;
  stdout: Sink;
  stderr: Sink;
}

/** A {@linkcode UI} without a terminal. Gathers what the closing result needs. */
export class HeadlessUI implements UI {
  readonly denials: PermissionDenial[] = [];
  /** Names of the tools whose calls a person could have allowed. */
  readonly unasked = new Set<string>();
  /** The rules that would have allowed them, where there are any. */
  readonly rules = new Set<string>();
  /** Milliseconds spent waiting for the model. */
  apiMs = 0;
  readonly #options: HeadlessOptions;
  readonly #agents = new RunningAgents();

  constructor(options: HeadlessOptions) {
    this.#options = options;
  }

  show(event: AgentEvent): void {
    this.#agents.follow(event);
    this.#show(event, { sessionId: this.#options.sessionId });
  }

  #show(event: AgentEvent, origin: Origin): void {
    const { parent } = origin;
    const say = (line: string) =>
      this.#progress(parent === undefined ? line : `  ${this.#agents.markOf(parent)}${line}`);
    switch (event.type) {
      case "text_delta":
        return this.#partial({ type: "text_delta", text: event.text });
      case "thinking_delta":
        return this.#partial({ type: "thinking_delta", thinking: event.text });
      case "reply":
        this.apiMs += event.durationMs;
        return this.#event(assistantEvent(event.response, origin));
      case "results":
        return this.#event(userEvent(event.message, origin));
      case "tool_call":
        return say(callLine(event));
      case "denial":
        this.denials.push({ tool_name: event.name, tool_use_id: event.id, tool_input: event.input });
        if (event.reason.endsWith(NOBODY)) this.unasked.add(event.name);
        if (event.rule !== undefined) this.rules.add(event.rule);
        return say(event.reason.startsWith("Denied") ? event.reason : `Denied: ${event.reason}`);
      case "retry": {
        this.#event(retryEvent(event, this.#options.sessionId));
        const seconds = (event.delayMs / 1000).toFixed(1);
        return say(`Retry ${event.attempt} of ${event.maxAttempts} in ${seconds} s: ${event.reason}`);
      }
      case "compaction":
        this.apiMs += event.durationMs;
        this.#event(compactionEvent(event, this.#options.sessionId));
        return say(`Compacted the conversation: ${event.tokensBefore} to ${event.tokensAfter} tokens`);
      case "notice":
        return say(event.text);
      case "sub_agent":
        return this.#show(event.event, { ...origin, parent: event.id });
      case "tool_use_start":
      case "tool_output":
      case "tool_result":
      case "turn_end":
        return;
      default:
        event satisfies never;
    }
  }

  #event(event: Record<string, unknown>): void {
    if (this.#options.format === "stream-json") this.#options.stdout.write(JSON.stringify(event) + "\n");
  }

  #partial(delta: Parameters<typeof deltaEvent>[0]): void {
    if (this.#options.partials) this.#event(deltaEvent(delta, this.#options.sessionId));
  }

  #progress(line: string): void {
    this.#options.stderr.write(line + "\n");
  }
}

/** How the gate's reason ends where a question would have been put. */
const NOBODY = "nobody is there to ask";
