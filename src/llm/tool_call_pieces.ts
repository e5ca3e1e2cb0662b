/**
 * Puts the calls of a streamed reply together. The protocol numbers its pieces with `index`; services leave it out,
 * repeat names and ids, send names late, or send the whole of the arguments again and again.
 *
 * @module
 */

import { isRecord } from "./json.ts";

/** A call in the making. */
export class CallDraft {
  id = "";
  name = "";
  /** Whether it has been announced as an event. */
  announced = false;
  /** Its arguments, in the pieces in which they came. */
  readonly pieces: string[] = [];
  #depth = 0;
  #inString = false;
  #escaped = false;

  add(piece: string): void {
    this.pieces.push(piece);
    for (const char of piece) this.#read(char);
  }

  /** Whether the arguments have come to the end of an object: counted along, so that long arguments cost no more. */
  get isWhole(): boolean {
    return this.pieces.length > 0 && this.#depth === 0 && !this.#inString;
  }

  #read(char: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString && char === "\\") this.#escaped = true;
    else if (char === '"') this.#inString = !this.#inString;
    else if (this.#inString) return;
    else if (char === "{" || char === "[") this.#depth++;
    else if (char === "}" || char === "]") this.#depth--;
  }
}

/** One piece of a call, as far as it can be read. */
interface Piece {
  index?: number;
  id: string;
  name: string;
  text: string;
}

/** Collects the pieces of all calls of one reply. */
export class ToolCallPieces {
  readonly drafts: CallDraft[] = [];
  readonly #byIndex = new Map<number, CallDraft>();

  /**
   * Takes in the calls of one chunk.
   *
   * @param calls The chunk's `tool_calls`, which may be anything.
   * @returns The drafts that changed.
   */
  add(calls: unknown): Set<CallDraft> {
    const changed = new Set<CallDraft>();
    for (const call of Array.isArray(calls) ? calls : [calls]) {
      if (!isRecord(call)) continue;
      const piece = readPiece(call);
      const found = this.#find(piece);
      const isSecond = found && changed.has(found) && piece.index === undefined && piece.name !== "";
      const draft = found && !isSecond && !beginsAnother(piece, found) ? found : this.#begin(piece);
      if (draft.id === "") draft.id = piece.id;
      if (piece.name !== "" && draft.pieces.length === 0) draft.name = piece.name;
      if (piece.text !== "") draft.add(piece.text);
      changed.add(draft);
    }
    return changed;
  }

  /** The call that a piece seems to go on with: by its number, else by its id, else the last one. */
  #find({ index, id }: Piece): CallDraft | undefined {
    if (index !== undefined) return this.#byIndex.get(index);
    return (id !== "" && this.drafts.findLast((draft) => draft.id === id)) || this.drafts.at(-1);
  }

  #begin({ index }: Piece): CallDraft {
    const draft = new CallDraft();
    this.drafts.push(draft);
    if (index !== undefined) this.#byIndex.set(index, draft);
    return draft;
  }
}

/**
 * Whether a piece belongs to a new call though its number, its id or its place says otherwise. Within a call ids may
 * change and names may be repeated; but a named piece that begins an object where one has ended is another call, unless
 * it says the same again.
 */
function beginsAnother({ index, id, name, text }: Piece, draft: CallDraft): boolean {
  const otherName = name !== "" && draft.name !== "" && name !== draft.name;
  const otherId = id !== "" && draft.id !== "" && id !== draft.id;
  if (name === "") return otherId && draft.isWhole;
  if (draft.pieces.length === 0) return otherId || (otherName && index === undefined);
  if (!draft.isWhole) return otherId && otherName;
  return otherId || otherName || (text.startsWith("{") && !joinPieces([...draft.pieces, text]).endsWith(text));
}

function readPiece(call: Record<string, unknown>): Piece {
  const { function: inner, index, id } = call;
  const { name, arguments: text } = isRecord(inner) ? inner : call;
  return {
    ...(Number.isInteger(Number(index ?? NaN)) && { index: Number(index) }),
    id: typeof id === "string" ? id : typeof id === "number" ? String(id) : "",
    name: typeof name === "string" ? name : "",
    text: typeof text === "string" ? text : text === undefined || text === null ? "" : JSON.stringify(text),
  };
}

/**
 * The arguments out of their pieces. Normally these follow each other; only where that is no JSON, and one of the known
 * ways to repeat oneself explains every piece without remainder, is it read that way.
 */
export function joinPieces(pieces: readonly string[]): string {
  const joined = pieces.join("");
  const last = pieces.at(-1);
  if (last === undefined || pieces.length === 1 || isWholeObject(joined)) return joined;
  const grows = pieces.every((piece, i) => i === 0 || piece.startsWith(pieces[i - 1]!));
  const repeatsAll = joined === last + last;
  if ((grows || repeatsAll) && isWholeObject(last)) return last;
  const [first, ...rest] = pieces;
  const afterPlaceholder = rest.join("");
  return first === "{}" && isWholeObject(afterPlaceholder) ? afterPlaceholder : joined;
}

function isWholeObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
