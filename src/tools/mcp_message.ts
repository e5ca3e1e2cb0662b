/**
 * The messages of the Model Context Protocol: JSON-RPC 2.0. Pure.
 *
 * @module
 */

/** The revisions of the protocol that are spoken, the one that is asked for first. */
export const REVISIONS: readonly string[] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/** What tells a request from others. */
export type MessageId = number | string;

/** A message to a server. */
export type Outgoing =
  | { jsonrpc: "2.0"; id: MessageId; method: string; params: unknown }
  | { jsonrpc: "2.0"; method: string; params?: unknown }
  | { jsonrpc: "2.0"; id: MessageId; result: unknown }
  | { jsonrpc: "2.0"; id: MessageId; error: RpcError };

/** What went wrong, as the protocol says it. */
export interface RpcError {
  code: number;
  message: string;
}

/** A message from a server. */
export type Incoming =
  | { kind: "result"; id: unknown; result: unknown }
  | { kind: "error"; id: unknown; error: RpcError }
  | { kind: "request"; id: MessageId; method: string }
  | { kind: "notification"; method: string };

/** The messages in a text: one, or a list of them. None if it is something else, a line of a log say. */
export function readMessages(text: string): Incoming[] {
  if (!text.includes('"jsonrpc"')) return []; // to fail at parsing is slow, and a log may be long
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).flatMap((item) => readMessage(item) ?? []);
}

/** Whether something is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MAX_REASON_CHARS = 2000;

function shorten(message: unknown): string {
  if (typeof message !== "string") return "no reason";
  return message.length <= MAX_REASON_CHARS ? message : `${message.slice(0, MAX_REASON_CHARS).toWellFormed()}…`;
}

function readMessage(value: unknown): Incoming | undefined {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method, error } = value;
  if (typeof method === "string") {
    return typeof id === "number" || typeof id === "string"
      ? { kind: "request", id, method }
      : { kind: "notification", method };
  }
  if (isObject(error)) {
    const { code, message } = error;
    return {
      kind: "error",
      id,
      error: {
        code: typeof code === "number" ? code : 0,
        message: shorten(message),
      },
    };
  }
  return Object.hasOwn(value, "result") ? { kind: "result", id, result: value["result"] } : undefined;
}
