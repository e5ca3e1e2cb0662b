/**
 * Events of services that do not keep to the form: several in one, or a stream that calls itself a document.
 *
 * @module
 */

import { type ServerSentEvent, SseDecoder } from "./sse.ts";

/** Takes an event apart whose data are several documents, each on a line: the blank lines between were forgotten. */
export function separated(event: ServerSentEvent): ServerSentEvent[] {
  if (!event.data.includes("\n") || isDocument(event.data)) return [event];
  const lines = event.data.split("\n").filter((line) => line.trim() !== "");
  return lines.every((line) => isDocument(line) || line.trim() === "[DONE]")
    ? lines.map((data) => ({ ...event, data }))
    : [event];
}

/** The events of a text that should be one document: it is one, or a stream after all. */
export function eventsIn(text: string): ServerSentEvent[] {
  if (!/^\ufeff?\s*(data|event|id|retry)?:/.test(text)) return separated({ data: text.trim() });
  const decoder = new SseDecoder();
  return [...decoder.push(new TextEncoder().encode(text)), ...decoder.end()].flatMap(separated);
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
