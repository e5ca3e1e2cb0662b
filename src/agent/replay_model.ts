/**
 * A model that gives the recorded replies of a session.
 *
 * @module
 */

import { ApiError } from "../llm/errors.ts";
import type { Model, ModelRequest, ModelResponse, StreamEvent } from "../llm/types.ts";
import { isSummaryRequest } from "./compaction.ts";
import type { Prefix, Stamped } from "./session_records.ts";

/** What the model gave in one turn, and what ends it where a person did. */
export interface Turn {
  answers: { record: Extract<Stamped, { type: "reply" | "partial" | "compaction" }>; index: number }[];
  stop: AbortController;
}

/**
 * Makes the model.
 *
 * @param turn The turn that runs.
 * @param onRequest Called with each request that was answered, and the number of the record with the answer.
 */
export function replayModel(
  { model, contextWindow }: Prefix,
  turn: () => Turn,
  onRequest: (request: ModelRequest, index: number) => void,
): Model {
  return {
    id: model,
    contextWindow,
    async *stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
      const { answers, stop } = turn();
      const answer = answers[0];
      if (!answer) throw new ApiError("No reply is recorded", { kind: "network", retryable: false });
      const { record, index } = answer;
      if (record.type === "compaction" && !isSummaryRequest(request.messages)) {
        throw new ApiError("The request was too long", { kind: "overflow", retryable: false });
      }
      answers.shift();
      if (record.type !== "compaction") onRequest(request, index);
      if (record.type === "partial") {
        for (const block of record.content) if (block.type === "text") yield { type: "text_delta", text: block.text };
        stop.abort();
        throw stop.signal.reason;
      }
      yield { type: "done", response: record.type === "reply" ? structuredClone(record.response) : summaryOf(record) };
    },
  };
}

function summaryOf({ summary, usage }: Extract<Stamped, { type: "compaction" }>): ModelResponse {
  return { content: [{ type: "text", text: summary }], stopReason: "end_turn", usage, model: "" };
}
