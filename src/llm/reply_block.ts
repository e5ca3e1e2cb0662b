/**
 * One block of a reply of the Messages protocol while it is being written.
 *
 * @module
 */

import { isRecord } from "./json.ts";
import { readCall } from "./tool_input.ts";
import type { Block } from "./types.ts";

/** A block in the making. Its pieces are joined once, at its end: many small ones cost no more than a few large ones. */
export class BlockDraft {
  /** `other` is a kind that we do not know: it is left out. */
  readonly type: "text" | "thinking" | "tool_use" | "other";
  readonly pieces: string[] = [];
  signature = "";
  redacted: string | undefined;
  id = "";
  name = "";
  /** Arguments that came with the start of the block. */
  input: unknown;
  isOpen = true;

  constructor(type: BlockDraft["type"]) {
    this.type = type;
  }

  /**
   * Gives the whole block, or `undefined` if it holds nothing.
   *
   * @param model The id of the model that wrote it.
   * @param isCut Whether the output limit may have ended it.
   */
  finish(model: string, isCut: boolean): Block | undefined {
    const text = this.pieces.join("");
    switch (this.type) {
      case "text":
        return text === "" ? undefined : { type: "text", text };
      case "thinking": {
        const { signature, redacted } = this;
        if (redacted !== undefined) return { type: "thinking", text: "", redacted, model };
        if (text === "" && signature === "") return undefined;
        return { type: "thinking", text, ...(signature !== "" && { signature }), model };
      }
      case "tool_use": {
        const { id, name, input } = this;
        const cameWhole = text === "" && isRecord(input) && Object.keys(input).length > 0;
        const json = cameWhole ? JSON.stringify(input) : text === "" && typeof input === "string" ? input : text;
        return readCall({ id, name, json, isCut });
      }
      case "other":
        return undefined;
      default:
        return this.type satisfies never;
    }
  }
}
