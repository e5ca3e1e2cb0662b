/**
 * One question, one answer: `-p`.
 *
 * @module
 */

import type { Agent } from "../agent/agent.ts";
import type { Ledger } from "../agent/ledger.ts";
import type { TurnResult } from "../agent/ui.ts";
import { ApiError } from "../llm/errors.ts";
import type { JsonSchema } from "../llm/types.ts";
import type { OutputFormat } from "./args.ts";
import { EXIT } from "./exit_codes.ts";
import type { HeadlessUI } from "./headless_ui.ts";
import { type ResultObject, type ResultSubtype, wireUsage } from "./json_events.ts";
import type { Sink } from "./output.ts";

/** What a headless run is made of. */
export interface HeadlessRun {
  agent: Agent;
  ui: HeadlessUI;
  ledger: Ledger;
  prompt: string;
  format: OutputFormat;
  sessionId: string;
  /** The final answer must be JSON that fits. */
  schema?: JsonSchema;
  /** `performance.now()` at the start of the program. */
  startedAt: number;
  stdout: Sink;
  stderr: Sink;
  /** Aborts with a {@linkcode Deno.Signal} name as its reason. */
  signal: AbortSignal;
}

/** How a run ended. */
interface Ending {
  subtype: ResultSubtype;
  isError: boolean;
  text: string;
  code: number;
  stopReason?: string;
}

/**
 * Runs one turn, prints its result in the format asked for and returns the exit code. Standard output holds nothing else,
 * whatever goes wrong.
 */
export async function runHeadless(run: HeadlessRun): Promise<number> {
  const ending = await conclude(run);
  const { stdout, stderr, format } = run;
  if (format !== "text") {
    stdout.write(JSON.stringify(resultObject(run, ending)) + "\n");
  } else if (!ending.isError) {
    stdout.write(ending.text.endsWith("\n") ? ending.text : ending.text + "\n");
  }
  if (ending.isError && run.signal.reason !== "SIGPIPE") stderr.write(ending.text + "\n");
  if (!ending.isError && run.ui.unasked.size > 0) stderr.write(wayOut(run.ui));
  await Promise.all([stdout.flush(), stderr.flush()]);
  return ending.code;
}

async function conclude(run: HeadlessRun): Promise<Ending> {
  if (run.signal.aborted) return interrupted(run); // before anything was asked
  try {
    const turn = await run.agent.send(run.prompt, run.signal);
    return run.schema && isAnswered(turn) ? await fitSchema(run, run.schema, turn) : endingOf(turn, run);
  } catch (error) {
    if (run.signal.aborted) return interrupted(run);
    const text = error instanceof Error ? error.message : String(error);
    const unavailable = error instanceof ApiError && error.retryable;
    return failure(text, unavailable ? EXIT.unavailable : EXIT.failed);
  }
}

function endingOf(turn: TurnResult, run: HeadlessRun): Ending {
  const stopReason = turn.stopReason && { stopReason: turn.stopReason };
  const said = turn.text.trim() === "" ? [] : [turn.text.trim()];
  switch (turn.outcome) {
    case "done":
    case "max_tokens": {
      if (turn.outcome === "max_tokens" && turn.text.trim() === "") {
        const text = "The output limit was used up before the answer began: see --max-tokens and --effort";
        return { ...failure(text, EXIT.failed), ...stopReason };
      }
      if (turn.outcome === "max_tokens") run.stderr.write("The answer was cut by the output limit: see --max-tokens\n");
      const code = run.ui.denials.length > 0 ? EXIT.denied : EXIT.done;
      return { subtype: "success", isError: false, text: turn.text, code, ...stopReason };
    }
    case "refusal":
      return { ...failure(["The model refused to answer", ...said].join(": "), EXIT.failed), ...stopReason };
    case "max_steps": {
      const text = `Stopped at the step limit after ${turn.steps} model ${
        turn.steps === 1 ? "call" : "calls"
      }: see --max-steps`;
      return { subtype: "error_max_turns", isError: true, text, code: EXIT.limit, ...stopReason };
    }
    case "stuck": {
      const text = "Stopped: the model repeated the same calls with the same results";
      return { subtype: "error_stuck", isError: true, text, code: EXIT.limit, ...stopReason };
    }
    case "budget": {
      const text = `Stopped before the session costs more than the limit: ${
        usd(run.ledger.total)
      } spent, see --max-cost`;
      return { subtype: "error_max_budget_usd", isError: true, text, code: EXIT.budget, ...stopReason };
    }
    case "interrupted":
      return interrupted(run);
    default:
      return turn.outcome satisfies never;
  }
}

/** Whether there is an answer, or a part of one. */
function isAnswered({ outcome }: TurnResult): boolean {
  return outcome === "done" || outcome === "max_tokens";
}

/** Checks the answer; one repair round, then a clear error. */
async function fitSchema(run: HeadlessRun, schema: JsonSchema, first: TurnResult): Promise<Ending> {
  const { extractJson, validateJson } = await import("../agent/json_schema.ts");
  const problemsWith = ({ text, outcome }: TurnResult): string | undefined => {
    let value: unknown;
    try {
      value = extractJson(text);
    } catch {
      return outcome === "max_tokens" ? "it was cut by the output limit" : "it is not JSON";
    }
    const problems = validateJson(schema, value);
    return problems.length === 0 ? undefined : problems.slice(0, 5).join("; ");
  };
  let turn = first;
  for (let round = 0;; round++) {
    const problems = problemsWith(turn);
    if (problems === undefined) {
      return { ...endingOf(turn, run), text: JSON.stringify(extractJson(turn.text)) };
    }
    if (round === 1) {
      const hint = turn.outcome === "max_tokens" ? ", see --max-tokens" : "";
      return failure(`The answer does not fit the JSON schema: ${problems}${hint}`, EXIT.failed);
    }
    turn = await run.agent.send(
      `Your answer does not fit the JSON schema: ${problems}. Answer again with only the JSON.\n\nThe schema:\n${
        JSON.stringify(schema)
      }`,
      run.signal,
    );
    if (!isAnswered(turn)) return endingOf(turn, run);
  }
}

function failure(text: string, code: number): Ending {
  return { subtype: "error_during_execution", isError: true, text, code };
}

function interrupted(run: HeadlessRun): Ending {
  const codes: Readonly<Record<string, number>> = { SIGHUP: EXIT.hungUp, SIGTERM: EXIT.terminated };
  return failure("(interrupted)", codes[run.signal.reason] ?? EXIT.interrupted);
}

function resultObject(run: HeadlessRun, ending: Ending): ResultObject {
  const { agent, ui, ledger, sessionId, startedAt } = run;
  return {
    type: "result",
    subtype: ending.subtype,
    is_error: ending.isError,
    result: ending.text,
    session_id: sessionId,
    num_turns: agent.steps,
    duration_ms: Math.round(performance.now() - startedAt),
    duration_api_ms: Math.round(ui.apiMs),
    total_cost_usd: Number(ledger.total.toPrecision(12)), // 0.1 + 0.2
    usage: wireUsage(agent.usage),
    permission_denials: ui.denials,
    stop_reason: ending.stopReason ?? null,
  };
}

/** How the calls that nobody was asked about could be allowed. */
function wayOut({ rules, unasked }: HeadlessUI): string {
  const flags = [...rules].slice(0, MAX_FLAGS).map((rule) => `--allow '${rule.replaceAll("'", `'\\''`)}'`);
  const ways = [...(flags.length === 0 ? [] : [flags.join(" ")]), "see --allow and --mode"].join(", or ");
  return `To allow ${[...unasked].join(", ")} without a question: ${ways}\n`;
}

const MAX_FLAGS = 5;

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
