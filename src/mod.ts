/**
 * mini-agent as a library: ask a model one question with {@linkcode create}, or let an {@linkcode Agent} run the loop
 * with tools.
 *
 * @example One question
 * ```ts
 * import { create, openModel } from "./mod.ts";
 *
 * const model = openModel({ provider: "demo", model: "demo" });
 * const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }];
 * const reply = await create(model, { system: "", messages, tools: [], maxTokens: 100 }, AbortSignal.timeout(1000));
 * if (reply.stopReason !== "end_turn") throw new Error(reply.stopReason);
 * ```
 *
 * @example The loop, with the tools that read
 * ```ts
 * import { Agent, builtinTools, openModel, surroundings } from "./mod.ts";
 *
 * const agent = new Agent({
 *   model: openModel({ provider: "demo", model: "demo" }),
 *   system: "You explain code.",
 *   tools: builtinTools().filter((tool) => tool.access === "read"),
 *   ui: { show: () => {} },
 *   surroundings: await surroundings("."),
 * });
 * const { text } = await agent.send("What is in this folder?", AbortSignal.timeout(10_000));
 * if (!text.includes("demo model")) throw new Error(text);
 * ```
 *
 * @module
 */

export { Agent } from "./agent/agent.ts";
export { type AgentOptions, TurnStop } from "./agent/agent_options.ts";
export { type Admission, type Gate, OPEN_GATE, READ_ONLY_GATE } from "./agent/gate.ts";
export { buildPrompt, type PromptParts } from "./agent/prompt.ts";
export type { AgentRecord, Recorder } from "./agent/records.ts";
export { surroundings } from "./agent/surroundings.ts";
export type { AgentEvent, Decision, Question, TurnOutcome, TurnResult, UI } from "./agent/ui.ts";
export { ApiError, type ApiErrorKind, ConfigError } from "./llm/errors.ts";
export { openModel, type OpenModelOptions } from "./llm/open_model.ts";
export { type RetryOptions, withRetry } from "./llm/retry.ts";
export * from "./llm/types.ts";
export { builtinTools } from "./tools/builtin.ts";
export { defineTool, type Tool, type ToolContext, ToolError, type ToolOutput, type ToolSpec } from "./tools/tool.ts";
