/**
 * One request to the model and its whole reply, shown as it comes.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";
import type { Model, ModelRequest, ModelResponse } from "../llm/types.ts";
import { interruptible } from "./interruptible.ts";
import type { AgentEvent } from "./ui.ts";

/** Who hears of a reply while it comes. */
export interface Listener {
  show(event: AgentEvent): void;
  /** Takes the pieces of text that stand so far: what a person has read is kept when they interrupt. */
  partial: string[];
}

/**
 * Asks once.
 *
 * @throws {ApiError} If the service gave no usable reply.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  { show, partial }: Listener,
): Promise<ModelResponse> {
  for await (const event of interruptible(model.stream(request, signal), signal)) {
    switch (event.type) {
      case "text_delta":
        partial.push(event.text);
        show(event);
        break;
      case "thinking_delta":
      case "tool_use_start":
        show(event);
        break;
      case "restart":
        partial.length = 0;
        show({ ...event, type: "retry" });
        break;
      case "done":
        return event.response;
      default:
        event satisfies never;
    }
  }
  throw new ApiError(`Cannot read the reply of "${model.id}": it ended without its last event`, {
    kind: "broken_reply",
    retryable: true,
  });
}
