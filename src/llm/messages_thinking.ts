/**
 * How each family of models on the Messages protocol is told to think. The field is a moving target: what one
 * generation needs, the next one refuses.
 *
 * @module
 */

import type { Effort } from "./types.ts";

/** The fields of a request that are about thinking. */
export interface ThinkingFields {
  thinking?: {
    type: "adaptive" | "enabled" | "disabled" | "between_tools";
    budget_tokens?: number;
    display?: "summarized";
    block_binding?: { prefix_mismatch_behavior: "drop_block" };
  };
  output_config?: { effort: "low" | "high" | "max" };
}

/** What a family of models takes. */
interface Family {
  /** Matches the model's name; the first family that fits counts. */
  name: RegExp;
  /** It decides by itself how much it thinks, or is given a budget in tokens. */
  way: "adaptive" | "budget";
  /** What turns thinking off; absent where nothing needs to be said, or nothing can be. */
  off?: "disabled" | "between_tools";
  /** It thinks unless it is turned off, and shows it only when asked to. */
  always?: boolean;
  /** Takes the effort as a word beside the budget. */
  effort?: boolean;
  /** It refuses earlier thinking once anything before it has changed, as after a compaction, unless told to drop it. */
  bound?: boolean;
}

/** As of 2026-11, from the services' migration guides. */
const FAMILIES: readonly Family[] = [
  { name: /claude-sonnet-5-[5-9]/, way: "adaptive", always: true, off: "between_tools", bound: true },
  { name: /claude-haiku-5/, way: "adaptive", always: true, off: "disabled", bound: true },
  { name: /claude-(opus-5-[5-9]|fable-5-[1-9]|mythos-5-[1-9])/, way: "adaptive", always: true, bound: true },
  { name: /claude-(fable|mythos)/, way: "adaptive", always: true },
  { name: /claude-(opus|sonnet)-5/, way: "adaptive", always: true, off: "disabled" },
  { name: /claude-(opus|sonnet)-4-[6-9]/, way: "adaptive" },
  { name: /claude/, way: "budget" },
  { name: /deepseek/, way: "budget", off: "disabled", effort: true },
  { name: /./, way: "budget", off: "disabled" },
];

/** The header that goes with `block_binding`. */
export const BINDING_BETA = "thinking-binding-controls-2026-08-01";

const BUDGET_TOKENS = { low: 2_000, high: 8_000, max: 32_000 };
const MIN_BUDGET_TOKENS = 1_024;

/** What {@linkcode thinkingFields} goes by. */
export interface ThinkingOptions {
  effort: Effort | undefined;
  /** Of the reply, thinking included. */
  maxTokens: number;
  /** Whether the last reply of the history may be followed by thinking with a budget. */
  canBudget: boolean;
}

/** Translates an effort into the fields that a model takes; none means that the service's own default holds. */
export function thinkingFields(model: string, options: ThinkingOptions): ThinkingFields {
  const family = FAMILIES.find(({ name }) => name.test(model));
  if (family === undefined) return {};
  const { effort } = options;
  if (effort === "off" && family.off) return { thinking: { type: family.off } };
  const spoken = effort && { output_config: { effort: effort === "off" ? "low" as const : effort } };
  if (family.way === "budget") return { ...budget(options), ...(family.effort && spoken) };
  if (!family.always && (effort === undefined || effort === "off")) return {};
  const binding = family.bound && { block_binding: { prefix_mismatch_behavior: "drop_block" as const } };
  return { thinking: { type: "adaptive", display: "summarized", ...binding }, ...spoken };
}

function budget({ effort, maxTokens, canBudget }: ThinkingOptions): ThinkingFields {
  if (effort === undefined || effort === "off") return {};
  const tokens = Math.min(BUDGET_TOKENS[effort], Math.floor(maxTokens / 2));
  if (tokens < MIN_BUDGET_TOKENS || !canBudget) return {};
  return { thinking: { type: "enabled", budget_tokens: tokens } };
}
