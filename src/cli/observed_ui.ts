/**
 * What stands between the agent and whatever a person looks at: no secret gets through in two halves, and somebody else
 * sees the events too.
 *
 * @module
 */

import type { AgentEvent, UI } from "../agent/ui.ts";
import { SYSTEM_CLOCK } from "../llm/clock.ts";
import type { Redactor } from "../permissions/redact.ts";

/** How long a last letter that may begin a key is kept back. */
const LETTER_MS = 50;

/** A UI whose events somebody else sees too, and to which no secret gets in two halves. */
export function observed(ui: UI, redactor: Redactor, onEvent: (event: AgentEvent) => void): UI {
  const streams = { text_delta: redactor.stream(), thinking_delta: redactor.stream() };
  let takeBack = () => {};
  const pass = (type: keyof typeof streams, text: string) => {
    if (text !== "") ui.show({ type, text });
  };
  return {
    show(event) {
      if (event.type === "text_delta" || event.type === "thinking_delta") {
        const { type } = event;
        pass(type, streams[type].push(event.text));
        takeBack();
        takeBack = streams[type].holdsLetter
          ? SYSTEM_CLOCK.after(LETTER_MS, () => pass(type, streams[type].end()))
          : () => {};
      } else {
        takeBack();
        for (const type of ["thinking_delta", "text_delta"] as const) pass(type, streams[type].end());
        ui.show(event);
      }
      onEvent(event);
    },
    ...(ui.confirm && { confirm: (question, signal) => ui.confirm!(question, signal) }),
    ...(ui.ask && { ask: (question, options, signal) => ui.ask!(question, options, signal) }),
  };
}
