/**
 * Runs a recorded session again: the model's replies and the results of its calls come from the records, all else is
 * what the program does now. Nothing is asked, run or written.
 *
 * @module
 */

import type { Message, ModelRequest } from "../llm/types.ts";
import { mendHistory } from "../llm/history.ts";
import { Agent } from "./agent.ts";
import { OPEN_GATE } from "./gate.ts";
import { replayModel, type Turn } from "./replay_model.ts";
import { replayTools } from "./replay_tools.ts";
import type { Prefix, Stamped } from "./session_records.ts";
import { SessionState } from "./session_state.ts";

/** How a replay ended. */
export interface ReplayReport {
  /** Requests that were made. */
  requests: number;
  /** The first request that is not the recorded one; absent if all are. */
  difference?: ReplayDifference;
}

/** Where a request is not as it was. */
export interface ReplayDifference {
  /** From 1 on. */
  request: number;
  /** Which part of it, in words. */
  place: string;
  recorded: string;
  now: string;
}

/**
 * Replays records.
 *
 * @param records Of a session file, its prefix among them.
 */
export async function replay(records: readonly Stamped[]): Promise<ReplayReport> {
  const prefix = records.find((record) => record.type === "prefix")?.prefix ?? NO_PREFIX;
  const report: ReplayReport = { requests: 0 };
  const before = new SessionState();
  let applied = 0;
  let same = 0;
  /** Compares with what the records say was sent when record number `index` was the answer. */
  const compare = ({ messages }: ModelRequest, index: number) => {
    report.requests++;
    for (; applied < index; applied++) {
      const record = records[applied]!;
      if (["compaction", "reset", "rewind"].includes(record.type)) same = 0;
      before.apply(record, record.at);
    }
    const difference = firstDifference(mendHistory(before.messages), messages, Math.max(0, same - 1));
    if (difference) report.difference ??= { request: report.requests, ...difference };
    same = messages.length;
  };
  let turn: Turn = { answers: [], stop: new AbortController() };
  const agent = new Agent({
    model: replayModel(prefix, () => turn, compare),
    system: prefix.system,
    tools: replayTools(prefix.tools, records),
    ui: { show: () => {} },
    gate: OPEN_GATE,
    surroundings: { cwd: "/", workspace: { cwd: "/", roots: ["/"] }, child: { env: {} } },
    maxSteps: Infinity,
  });
  for (const [i, record] of records.entries()) {
    switch (record.type) {
      case "user": {
        turn = { answers: answersAfter(records, i), stop: new AbortController() };
        // what ended in an error then ends in one now
        await agent.send(structuredClone(record.content), turn.stop.signal).catch(() => {});
        while (turn.answers[0]?.record.type === "compaction" && await agent.compact(turn.stop.signal));
        break;
      }
      case "note":
        await agent.note(record.content.map((block) => block.type === "text" ? block.text : "").join("\n"));
        break;
      case "reset":
        await agent.reset();
        break;
      case "rewind":
        agent.resume(SessionState.of(records.slice(0, i + 1)).past());
        break;
      case "prefix":
        agent.system = record.prefix.system;
        agent.tools = replayTools(record.prefix.tools, records);
        break;
    }
    if (report.difference) break;
  }
  return report;
}

const NO_PREFIX: Prefix = { model: "", contextWindow: Infinity, mode: "", roots: [], system: "", tools: [] };

/** What the model gave in the turn that begins with this record. */
function answersAfter(records: readonly Stamped[], start: number): Turn["answers"] {
  const next = records.findIndex((record, i) => i > start && record.type === "user");
  const end = next < 0 ? records.length : next;
  return records.slice(start, end).flatMap((record, i) =>
    record.type === "reply" || record.type === "partial" || record.type === "compaction"
      ? [{ record, index: start + i }]
      : []
  );
}

function firstDifference(
  recorded: readonly Message[],
  now: readonly Message[],
  from: number,
): Omit<ReplayDifference, "request"> | undefined {
  for (let i = from; i < Math.max(recorded.length, now.length); i++) {
    const [a, b] = [JSON.stringify(recorded[i]) ?? "(none)", JSON.stringify(now[i]) ?? "(none)"];
    if (a !== b) return { place: `message ${i + 1}`, recorded: a, now: b };
  }
  return undefined;
}
