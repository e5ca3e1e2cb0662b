/**
 * What a turn is waiting for: a spinner, the time it takes, the tokens so far, and the last lines of a running command.
 *
 * @module
 */

import type { AgentEvent } from "../agent/ui.ts";
import type { Block, Size } from "./input_view.ts";
import type { LiveScreen } from "./live_screen.ts";
import type { Look } from "./look.ts";
import { cutToWidth } from "./text_width.ts";

/** The status of the present turn, drawn in a slot of the screen. */
export class TurnStatus {
  readonly #screen: LiveScreen;
  readonly #look: Pick<Look, "styles" | "neutralise">;
  readonly #isHidden: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  #startedAt = 0;
  #activity = WAITING;
  /** Output tokens of the replies that are complete, and characters of the one that is not. */
  #tokens = 0;
  #characters = 0;
  #output = "";

  /** @param isHidden Whether something else is waited for than the turn. */
  constructor(screen: LiveScreen, look: Pick<Look, "styles" | "neutralise">, isHidden: () => boolean) {
    this.#isHidden = isHidden;
    this.#screen = screen;
    this.#look = look;
  }

  /** A turn begins. */
  start(): void {
    this.#startedAt = performance.now();
    this.#activity = WAITING;
    this.#tokens = this.#characters = 0;
    this.#output = "";
    this.#screen.show("status", (size) => this.#draw(size));
    this.#timer ??= setInterval(() => this.#screen.refresh(), SPIN_MS);
  }

  /** A command of the person's own runs. */
  startCommand(command: string): void {
    this.#activity = `Running ${cutToWidth(command.slice(0, 200).replaceAll(/\s+/g, " "), COMMAND_COLUMNS)}`;
  }

  /** The turn has ended. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.show("status", undefined);
  }

  /** Something has happened in the turn. */
  follow(event: AgentEvent): void {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
        this.#activity = event.type === "text_delta" ? "Writing" : "Thinking";
        this.#characters += event.text.length;
        break;
      case "tool_use_start":
        this.#activity = `Calling ${event.name}`;
        break;
      case "tool_call":
        this.#activity = `Running ${event.name}`;
        this.#output = "";
        break;
      case "tool_output":
        this.#output = (this.#output + event.text).slice(-MAX_OUTPUT);
        break;
      case "reply":
        this.#tokens += event.response.usage.outputTokens;
        this.#characters = 0;
        break;
      case "retry":
        this.#activity = "Waiting to ask again";
        this.#characters = 0;
        break;
      case "sub_agent":
        return this.follow(event.event);
      case "results":
        this.#activity = WAITING;
        this.#output = "";
        break;
      default:
    }
  }

  #draw({ columns }: Size): Block {
    if (this.#isHidden()) return { rows: [] };
    const elapsedMs = performance.now() - this.#startedAt;
    const spinner = SPINNER[Math.floor(elapsedMs / SPIN_MS) % SPINNER.length]!;
    // About four characters make a token; the exact number comes with the end of the reply.
    const tokens = this.#tokens + Math.round(this.#characters / 4);
    const parts = [`${spinner} ${this.#activity}`, formatDuration(elapsedMs)];
    if (tokens > 0) parts.push(`${formatCount(tokens)} tokens`);
    parts.push("Ctrl+C ends the turn");
    const { styles, neutralise } = this.#look;
    const output = neutralise(this.#output).trimEnd().split("\n").slice(-OUTPUT_ROWS);
    const rows = [...output.filter((line) => line.trim() !== "").map((line) => `    ${line}`), parts.join(" · ")];
    return { rows: rows.map((row) => styles.grey(cutToWidth(neutralise(row).replaceAll(/\s/g, " "), columns - 1))) };
  }
}

/** `7s`, `2m 05s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}

/** `950`, `1.2k`, `3.4M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`;
}

const WAITING = "Waiting for the model";
const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const SPIN_MS = 100;
const OUTPUT_ROWS = 3;
const COMMAND_COLUMNS = 40;
/** Characters of a running command's output that are kept: a few rows. */
const MAX_OUTPUT = 2000;
