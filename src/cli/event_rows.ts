/**
 * What is printed for the events of a turn, the text of replies aside.
 *
 * @module
 */

import type { AgentEvent, TurnOutcome } from "../agent/ui.ts";
import type { Todo } from "../tools/tool.ts";
import { callLine, type ShownCall } from "./call_line.ts";
import { diffRows } from "./diff_view.ts";
import { foldMessage, foldText, hang } from "./fold.ts";
import type { Look } from "./look.ts";
import { cutToWidth, textWidth } from "./text_width.ts";
import { textRows } from "./text_rows.ts";

/** The line of a call: `⏺ name args`, on one row of at most 120 columns. */
export function callRow(call: ShownCall, { columns, styles, neutralise }: Look): string {
  return styles.cyan(cutToWidth(neutralise(callLine(call)), Math.min(columns, 120)));
}

/**
 * The result of a call: folded and grey, red if it is an error, a change as a diff, todos as a list.
 *
 * @param interrupted The person has ended the turn: then nothing has failed.
 */
export function resultRows(
  { content, display, isError }: Extract<AgentEvent, { type: "tool_result" }>,
  look: Look,
  interrupted = false,
): string[] {
  const { styles } = look;
  const style = isError && !interrupted ? styles.red : styles.grey;
  if (isError) return foldMessage(content, look).map(style);
  switch (display?.type) {
    case "diff":
      return hang(diffRows(display, { ...look, columns: Math.max(1, look.columns - 4) }, 40));
    case "todos":
      return hang(todoRows(display.items, { ...look, columns: Math.max(1, look.columns - 4) }));
    case "terminal":
      return foldText(display.output.trim() === "" ? content : display.output, look, "tail").map(style);
    case undefined:
      return foldText(content, look).map(style);
    default:
      return display satisfies never;
  }
}

/** The todo list, one row an entry. */
export function todoRows(items: readonly Todo[], { columns, styles, neutralise }: Look): string[] {
  if (items.length === 0) return [styles.grey("(no todos)")];
  return items.map(({ content, status }) => {
    const mark = { pending: "☐", in_progress: "▸", done: "☑" }[status];
    const style = { pending: (text: string) => text, in_progress: styles.bold, done: styles.grey }[status];
    return style(cutToWidth(`${mark} ${neutralise(content).replaceAll(/\s+/g, " ")}`, columns));
  });
}

/** What a person is told of the other events; most say nothing. */
export function noticeRows(event: AgentEvent, look: Look): string[] {
  const { styles } = look;
  const say = (text: string, style = styles.grey) => textRows(text, look, style);
  switch (event.type) {
    case "notice":
      return say(event.text);
    case "retry": {
      const seconds = (event.delayMs / 1000).toFixed(1);
      return say(`Retry ${event.attempt} of ${event.maxAttempts} in ${seconds} s: ${event.reason}`, styles.yellow);
    }
    case "compaction":
      return say(`Compacted the conversation: ${event.tokensBefore} to ${event.tokensAfter} tokens`);
    case "turn_end": {
      const text = OUTCOMES[event.result.outcome];
      return text === undefined ? [] : say(text, event.result.outcome === "interrupted" ? styles.grey : styles.yellow);
    }
    default:
      return [];
  }
}

/**
 * What a sub-agent does, set in under its call. What comes of its calls only it needs to see.
 *
 * @param mark Says whose the rows are, where several run.
 */
export function subAgentRows(event: AgentEvent, mark: string, look: Look): string[] {
  const lead = INDENT + look.neutralise(mark);
  const inner = { ...look, columns: Math.max(1, look.columns - textWidth(lead)) };
  const rows = event.type === "tool_call" ? [callRow(event, inner)] : noticeRows(event, inner);
  return rows.map((row) => look.styles.grey(lead) + row);
}

const INDENT = "    ";

/** What a person is told about a turn that did not simply end. */
const OUTCOMES: Readonly<Record<TurnOutcome, string | undefined>> = {
  done: undefined,
  interrupted: "(interrupted)",
  refusal: "(the model refused)",
  max_tokens: "(cut: the reply reached the output limit, --max-tokens raises it)",
  max_steps: "(stopped: the turn reached its step limit, --max-steps raises it)",
  stuck: "(stopped: the same call came back with the same result again and again)",
  budget: "(stopped: the session reached its cost limit, --max-cost raises it)",
};
