/**
 * Puts the calls of a streamed reply together. The protocol numbers its pieces with `index`; services leave it out,
 * repeat names and ids, send names late, or send the whole of the arguments again and again.
 *
 * @module
 */

import { isRecord } from "./json.ts";

/** A call in the making. */
export class CallDraft {
  /** The service's id; empty as long as there is none. */
  id = "";
  name = "";
  /** The id by which everybody else knows it; empty until it is announced. */
  callId = "";
  isNumbered = false;
  /** Its arguments, in the pieces in which they came. */
  readonly pieces: string[] = [];
  #piecesRead = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Whether the arguments have come to the end of an object. Each piece is looked through once, and only if asked. */
  get isWhole(): boolean {
    for (; this.#piecesRead < this.pieces.length; this.#piecesRead++) {
      for (const char of this.pieces[this.#piecesRead]!) this.#read(char);
    }
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
  readonly #byId = new Map<string, CallDraft>();

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
      const draft = found && !isSecond && !beginsAnother(piece, found) ? found : this.#begin();
      if (piece.index !== undefined) {
        draft.isNumbered = true;
        this.#byIndex.set(piece.index, draft);
      }
      if (draft.id === "") draft.id = piece.id;
      if (draft.id !== "") this.#byId.set(draft.id, draft);
      if (goesOnWithName(piece, draft)) draft.name += piece.name;
      else if (piece.name !== "" && (draft.name === "" || draft.pieces.length === 0)) draft.name = piece.name;
      if (piece.text !== "") draft.pieces.push(piece.text);
      changed.add(draft);
    }
    return changed;
  }

  /** The call that a piece seems to go on with: by its number, else by its id, else the last one. */
  #find({ index, id, name }: Piece): CallDraft | undefined {
    const last = this.drafts.at(-1);
    if (index === undefined) return this.#byId.get(id) ?? last;
    const isBare = id === "" && name === "" && last?.isNumbered === false;
    return this.#byIndex.get(index) ?? (isBare ? last : undefined);
  }

  #begin(): CallDraft {
    const draft = new CallDraft();
    this.drafts.push(draft);
    return draft;
  }
}

/**
 * Whether a piece belongs to a new call though its number, its id or its place says otherwise. Within a call some
 * services repeat the name and change the id; but a piece with another name, or one that begins an object where one has
 * ended, is another call, unless it says the same again.
 */
function beginsAnother(piece: Piece, draft: CallDraft): boolean {
  const { index, id, name, text } = piece;
  if (goesOnWithName(piece, draft)) return false;
  const otherId = id !== "" && draft.id !== "" && id !== draft.id;
  if (name === "") return otherId && draft.isWhole;
  const otherName = draft.name !== "" && !name.startsWith(draft.name);
  if (draft.pieces.length === 0) return otherName || (otherId && index === undefined);
  if (!draft.isWhole) return otherName && otherId;
  if (otherName || (otherId && (index === undefined || text !== ""))) return true;
  return text.startsWith("{") && joinPieces([...draft.pieces, text]) !== text;
}

/** Whether a piece brings more of a name that began with the call's id: numbered alike, with no id of its own. */
function goesOnWithName({ index, id, name }: Piece, draft: CallDraft): boolean {
  const isNumbered = index !== undefined && draft.isNumbered;
  const isOpen = draft.id !== "" && draft.name !== "" && draft.pieces.length === 0;
  return isNumbered && isOpen && id === "" && name !== "" && !name.startsWith(draft.name);
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
  // Repeated is more than a bracket or two: those a model may have written twice.
  const grows = joined.length > last.length + 2 && pieces.every((piece, i) => piece.startsWith(pieces[i - 1] ?? ""));
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
