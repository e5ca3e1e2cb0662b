/**
 * How services that speak chat completions differ, as data.
 *
 * @module
 */

import type { Effort } from "./types.ts";

/** Fields of a request body. */
export type Fields = { readonly [name: string]: unknown };

/** One service's way of speaking the protocol. */
export interface Dialect {
  /** The field that limits the reply. */
  maxTokens: "max_tokens" | "max_completion_tokens";
  /** Whether `stream_options` is known there: without it usage may not come. */
  streamOptions: boolean;
  /** What is sent for each effort, and for none given. */
  effort: { readonly [E in Effort | "default"]?: Fields };
  /** The field in which the model's own reasoning goes back; it stays here where the service does not know it. */
  reasoning?: "reasoning_content" | "reasoning" | undefined;
  /** Whether every assistant message carries that field, an empty one where there was no reasoning. */
  reasoningAlways: boolean;
  /** How a reply is held to a schema: by the service, as any JSON object, or by words alone. */
  schema: "json_schema" | "json_object" | "words";
  /** Whether the chat template refuses a user message behind tool results: its text then joins the last result. */
  strictRoles: boolean;
  /** Whether a call's id must be nine letters and digits. */
  shortIds: boolean;
  /** Whether pictures may be sent; `false` where a model turned out not to see. */
  images: boolean;
}

const PLAIN: Dialect = {
  maxTokens: "max_tokens",
  streamOptions: true,
  effort: {
    low: { reasoning_effort: "low" },
    high: { reasoning_effort: "high" },
    max: { reasoning_effort: "high" },
  },
  reasoning: "reasoning_content",
  reasoningAlways: false,
  schema: "json_schema",
  strictRoles: false,
  shortIds: false,
  images: true,
};

const DEEPSEEK: Dialect = {
  ...PLAIN,
  effort: {
    off: { thinking: { type: "disabled" } },
    low: { thinking: { type: "enabled" }, reasoning_effort: "low" },
    high: { thinking: { type: "enabled" }, reasoning_effort: "high" },
    max: { thinking: { type: "enabled" }, reasoning_effort: "max" },
  },
  schema: "json_object",
};

/** Servers whose models bring their own chat templates: many of these raise an error when roles do not alternate. */
const LOCAL: Dialect = { ...PLAIN, strictRoles: true };

const TEMPLATE_THINKING_OFF = { off: { chat_template_kwargs: { enable_thinking: false } } };

/** All dialects by name. */
export const DIALECTS = {
  plain: PLAIN,
  deepseek: DEEPSEEK,
  openai: {
    ...PLAIN,
    maxTokens: "max_completion_tokens",
    effort: {
      off: { reasoning_effort: "none" },
      low: { reasoning_effort: "low" },
      high: { reasoning_effort: "high" },
      max: { reasoning_effort: "xhigh" },
    },
    reasoning: undefined,
  },
  openrouter: {
    ...PLAIN,
    effort: {
      off: { reasoning: { enabled: false } },
      low: { reasoning: { effort: "low" } },
      high: { reasoning: { effort: "high" } },
      max: { reasoning: { effort: "xhigh" } },
    },
    reasoning: "reasoning",
  },
  mistral: { ...PLAIN, streamOptions: false, effort: {}, reasoning: undefined, shortIds: true },
  ollama: { ...LOCAL, effort: { ...PLAIN.effort, off: { reasoning_effort: "none" } }, reasoning: "reasoning" },
  llamacpp: { ...LOCAL, effort: { ...PLAIN.effort, ...TEMPLATE_THINKING_OFF } },
  vllm: { ...LOCAL, effort: { ...PLAIN.effort, ...TEMPLATE_THINKING_OFF }, reasoning: "reasoning" },
  lmstudio: { ...LOCAL, reasoning: "reasoning" },
} satisfies Record<string, Dialect>;

const BY_HOST: readonly [suffix: string, Dialect][] = [
  ["deepseek.com", DIALECTS.deepseek],
  ["openai.com", DIALECTS.openai],
  ["openai.azure.com", DIALECTS.openai],
  ["openrouter.ai", DIALECTS.openrouter],
  ["mistral.ai", DIALECTS.mistral],
];

/** The ports that local servers use unless they are told otherwise. */
const BY_LOCAL_PORT: Readonly<Record<string, Dialect>> = {
  "11434": DIALECTS.ollama,
  "8080": DIALECTS.llamacpp,
  "8000": DIALECTS.vllm,
  "1234": DIALECTS.lmstudio,
};

/** Recognises a service by its address. */
export function dialectOf(url: string): Dialect {
  const { hostname, port } = new URL(url);
  const known = BY_HOST.find(([suffix]) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  if (known) return known[1];
  if (BY_LOCAL_PORT[port]) return BY_LOCAL_PORT[port];
  return isLoopback(hostname) ? LOCAL : PLAIN;
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** What the refusal of a request teaches about the service that sent it. */
const LESSONS: readonly [refusal: RegExp, lesson: Partial<Dialect>][] = [
  [/reasoning_content\W.*(must be passed back|missing)|missing\W+reasoning_content/i, { reasoningAlways: true }],
  [/use\W+max_completion_tokens/i, { maxTokens: "max_completion_tokens" }],
  [/max_completion_tokens/i, { maxTokens: "max_tokens" }],
  [/stream_options/i, { streamOptions: false }],
  [/reasoning_effort.*\bnone\b/i, { effort: fixed({ reasoning_effort: "none" }) }],
  [/reasoning_effort|chat_template_kwargs|\bthinking\b/i, { effort: {} }],
  [/reasoning_content|\Wreasoning\W/i, { reasoning: undefined }],
  [/response_format|json_schema/i, { schema: "words" }],
  [/roles? must alternate|after the optional system message/i, { strictRoles: true }],
  [/tool call id\b.*\blength of 9\b/i, { shortIds: true }],
  [/image_url|image input|(not|n't) support (image|vision)|multimodal/i, { images: false }],
];

/** The same fields for every effort. */
export function fixed(fields: Fields): Dialect["effort"] {
  return { default: fields, off: fields, low: fields, high: fields, max: fields };
}

/**
 * Learns from the words of a refused request what the service cannot take.
 *
 * @returns The dialect to try next, or `undefined` if the words teach nothing new.
 */
export function learn(dialect: Dialect, refusal: string): Dialect | undefined {
  const lesson = LESSONS.find(([pattern]) => pattern.test(refusal))?.[1];
  if (!lesson) return undefined;
  const next = { ...dialect, ...lesson };
  return JSON.stringify(next) === JSON.stringify(dialect) ? undefined : next;
}
