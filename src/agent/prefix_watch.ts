/**
 * Notices when a request does not begin with the bytes of the one before: from the first byte that moved, the service
 * reads everything anew and charges for it.
 *
 * @module
 */

import type { Block, ModelRequest } from "../llm/types.ts";

/** The part of a request that services cache. */
export type Cached = Pick<ModelRequest, "system" | "tools" | "messages">;

/** A piece of what was sent. Blocks are kept by reference, since what stands in the history is not rewritten. */
type Piece = { what: string; blocks: readonly unknown[] };

/** Watches the requests of one conversation. */
export class PrefixWatch {
  #last: Piece[] = [];

  /** @param earlier What was sent before, where the conversation is an earlier one. */
  constructor(earlier?: Cached) {
    if (earlier) this.#last = piecesOf(earlier);
  }

  /** Takes in the next request. Returns a line for the person if it does not begin like the one before. */
  check(request: Cached): string | undefined {
    const [before, now] = [this.#last, piecesOf(request)];
    this.#last = now;
    const at = before.findIndex((piece, i) => !continues(piece, now[i], i === before.length - 1));
    if (at < 0) return undefined;
    const [a, b] = [jsonOf(before[at]!), now[at] ? jsonOf(now[at]) : ""];
    const byte = before.slice(0, at).reduce((sum, piece) => sum + byteLength(jsonOf(piece)), 0) +
      byteLength(commonStart(a, b));
    return `The cached part of the conversation ends at byte ${byte}: ${before[at]!.what} changed`;
  }
}

/** In the order in which services put them together. */
function piecesOf({ system, tools, messages }: Cached): Piece[] {
  const definitions = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify([name, description, inputSchema])
  );
  return [
    { what: "the list of tools", blocks: definitions },
    { what: "the system prompt", blocks: [system] },
    ...messages.map(({ content }, i) => ({ what: `message ${i + 1}`, blocks: [...content] as readonly Block[] })),
  ];
}

/** Whether a piece is as it was; the last one may have grown at its end. */
function continues({ blocks }: Piece, next: Piece | undefined, mayGrow: boolean): boolean {
  if (!next || next.blocks.length < blocks.length || (!mayGrow && next.blocks.length > blocks.length)) return false;
  return blocks.every((block, i) => {
    const other = next.blocks[i];
    return block === other || JSON.stringify(block) === JSON.stringify(other);
  });
}

function jsonOf({ blocks }: Piece): string {
  return JSON.stringify(blocks);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
