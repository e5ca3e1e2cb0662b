/**
 * One block of a history made fit to be sent, whatever a file, an older version or another model left in it.
 *
 * @module
 */

import { isRecord } from "./json.ts";
import type { Block, ImageBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock } from "./types.ts";

/** What an empty tool result says: services refuse empty texts. */
export const NO_OUTPUT = "(no output)";

/** Deeper arguments are cut: `JSON.stringify` and the services recurse, no tool of ours asks for more than a few levels. */
const MAX_DEPTH = 100;

/** Tool names and call ids may be this long on every service. */
const NAME_LENGTH = 64;
const ID_LENGTH = 40;

/**
 * Reads a block that may be anything JSON can hold.
 *
 * @returns The very same block if it can be sent, a mended copy, or `undefined` if it says nothing.
 */
export function cleanBlock(block: unknown): Block | undefined {
  if (!isRecord(block)) return undefined;
  switch (block.type) {
    case "text": {
      if (typeof block.text !== "string" || block.text.trim() === "") return undefined;
      return sameOr(block, { type: "text", text: block.text.toWellFormed() });
    }
    case "thinking":
      return cleanThinking(block);
    case "tool_use":
      return cleanToolUse(block);
    case "tool_result":
      return cleanToolResult(block);
    case "image":
      return cleanImage(block);
    default:
      return undefined;
  }
}

/** A tool name in the characters and the length that every service takes. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, NAME_LENGTH) || "unnamed";
}

/** The same for a call's id. */
export function wireId(id: string): string {
  return id.replace(/[^\w-]/g, "_").slice(0, ID_LENGTH) || "call";
}

/** The same for the `count`-th call of one id, from 2: its end is replaced by the number. */
export function numberedId(id: string, count: number): string {
  const ending = `_${count}`;
  return id.slice(0, ID_LENGTH - ending.length) + ending;
}

function cleanThinking(block: Record<string, unknown>): ThinkingBlock | undefined {
  const clean: ThinkingBlock = { type: "thinking", text: stringOr(block.text, "") };
  for (const key of ["signature", "redacted", "model"] as const) {
    const value = block[key];
    if (typeof value === "string" && value !== "") clean[key] = value.toWellFormed();
  }
  // A service may hide the text and send the signature alone: that block has to go back too.
  if (clean.text === "" && clean.signature === undefined && clean.redacted === undefined) return undefined;
  return sameOr(block, clean);
}

function cleanToolUse(block: Record<string, unknown>): ToolUseBlock {
  return sameOr(block, {
    type: "tool_use",
    id: stringOr(block.id, ""), // ids become wire names where it is known which are taken
    name: wireName(stringOr(block.name, "")),
    input: isRecord(block.input) ? wellFormed(block.input) : {},
    ...(typeof block.invalid === "string" && { invalid: block.invalid.toWellFormed() }),
  });
}

function cleanToolResult(block: Record<string, unknown>): ToolResultBlock {
  const content = stringOr(block.content, "");
  return sameOr(block, {
    type: "tool_result",
    toolUseId: stringOr(block.toolUseId, ""),
    content: content.trim() === "" ? NO_OUTPUT : content,
    isError: block.isError === true,
    ...(Array.isArray(block.images) && { images: cleanImages(block.images) }),
  });
}

function cleanImages(images: unknown[]): ImageBlock[] {
  const clean = images.flatMap((image) => (isRecord(image) ? cleanImage(image) : undefined) ?? []);
  return clean.length === images.length && clean.every((image, i) => image === images[i])
    ? images as ImageBlock[]
    : clean;
}

function cleanImage(block: Record<string, unknown>): ImageBlock | undefined {
  const { mediaType, data } = block;
  if (typeof mediaType !== "string" || !/^image\/[\w.+-]+$/.test(mediaType)) return undefined;
  if (typeof data !== "string" || data === "") return undefined;
  // The ends tell what it is; to read megabytes again before every request would hold everything up.
  if (/[^A-Za-z0-9+/=]/.test(data.slice(0, 1000) + data.slice(-1000))) return undefined;
  return sameOr(block, { type: "image", mediaType, data });
}

/** Gives back the original if it holds what the clean copy holds, so that a sound history stays the same object. */
function sameOr<T extends Block>(original: Record<string, unknown>, clean: T): T {
  const known = ["signature", "redacted", "model", "invalid", "images"];
  const isSame = Object.entries(clean).every(([key, value]) => original[key] === value) &&
    known.every((key) => original[key] === undefined || key in clean);
  return isSame ? original as unknown as T : clean;
}

/** Replaces lone surrogates in every text, names included, and cuts what is nested too deeply. */
function wellFormed(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => wellFormed(item, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]): [string, unknown] => [key.toWellFormed(), wellFormed(item, depth + 1)]);
  const isSame = after.every(([key, item], i) => key === before[i]?.[0] && item === before[i]?.[1]);
  return isSame ? value : Object.fromEntries(after);
}

function stringOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value.toWellFormed() : otherwise;
}
