/**
 * Reads a reply in the ReAct form while it is being written: thoughts, calls, and the answer.
 *
 * @module
 */

import { readCall } from "./tool_input.ts";
import type { StreamEvent, ToolUseBlock } from "./types.ts";

const LABELS = ["Thought", "Action", "Action Input", "Final Answer", "Observation"];

/** A label at the begin of a line, also in bold or as a heading. */
const LABEL = new RegExp(`^[ \\t*_#>]*(${LABELS.toReversed().join("|")})[*_]*:[*_]*[ \\t]*`, "im");

/** What models write for a tool when they mean none. */
const NO_TOOL = /^(none|n\/?a|no action|final answer)?$/i;

/** A longer line can be no label, whatever it begins with. */
const MAX_LABEL_LENGTH = 40;

/** Where the reader stands: `call` holds everything back until the end, `invented` drops it. */
type Mode = "text" | "thought" | "call" | "invented";

/** Reads one reply. What it yields adds up to {@linkcode ReactReader.text} and {@linkcode ReactReader.thought}. */
export class ReactReader {
  readonly calls: ToolUseBlock[] = [];
  readonly #tools: readonly string[];
  readonly #earlierCalls: number;
  readonly #written = { text: "", thought: "" };
  #mode: Mode = "text";
  /** The begin of a line that may still become a label. */
  #pending = "";
  #isLineStart = true;
  #isSectionStart = true;
  #isEnding = false;
  /** Blanks that count only once something follows them. */
  #space = "";
  #call: string[] = [];

  /**
   * @param tools The names that may be called.
   * @param earlierCalls Calls of the conversation so far: ids go on from there.
   */
  constructor(tools: readonly string[], earlierCalls: number) {
    this.#tools = tools;
    this.#earlierCalls = earlierCalls;
  }

  /** The answer, or what was said before a call. */
  get text(): string {
    return this.#written.text;
  }

  get thought(): string {
    return this.#written.thought;
  }

  /** Takes the next piece of the reply and yields what can be shown of it. */
  *add(piece: string): Generator<StreamEvent> {
    if (this.#mode === "invented") return;
    if (this.#mode === "call") return void this.#call.push(piece);
    let rest = this.#pending + piece;
    this.#pending = "";
    while (rest !== "") {
      const end = rest.indexOf("\n") + 1 || rest.length;
      const line = rest.slice(0, end);
      const label = this.#isLineStart ? LABEL.exec(line) : null;
      if (label && label[0].length === rest.length && !this.#isEnding) return void (this.#pending = rest);
      if (label) return yield* this.#enter(label[1] ?? "", rest.slice(label[0].length), rest);
      const isOpen = this.#isLineStart && !line.endsWith("\n") && !this.#isEnding;
      if (isOpen && mayBecomeLabel(line)) return void (this.#pending = rest);
      yield* this.#write(line);
      this.#isLineStart = line.endsWith("\n");
      rest = rest.slice(end);
    }
  }

  /**
   * Ends the reply: the calls are known from now on.
   *
   * @param isCut Whether the output limit ended it.
   */
  *end(isCut: boolean): Generator<StreamEvent> {
    this.#isEnding = true;
    yield* this.add("");
    if (this.#mode === "call") yield* this.#readCalls(this.#call.join(""), isCut);
    if (this.text !== "" || this.calls.length > 0) return;
    const thought = this.thought; // it was the answer after all
    this.#written.thought = "";
    yield* this.#writeSection(thought);
  }

  *#enter(label: string, rest: string, whole: string): Generator<StreamEvent> {
    this.#isSectionStart = true;
    this.#isLineStart = false;
    switch (label.toLowerCase()) {
      case "thought":
        this.#mode = "thought";
        yield* this.add(rest);
        break;
      case "final answer":
        this.#mode = "text";
        yield* this.add(rest);
        break;
      case "observation":
        this.#mode = "invented";
        break;
      default:
        this.#mode = "call";
        this.#call.push(whole);
    }
  }

  *#writeSection(text: string): Generator<StreamEvent> {
    this.#mode = "text";
    this.#isSectionStart = true;
    yield* this.#write(text);
  }

  /** What looked like a label was none: it goes on where the text had come to. */
  *#writeProse(text: string): Generator<StreamEvent> {
    this.#mode = "text";
    this.#isSectionStart = this.text === "";
    yield* this.#write(text);
  }

  /** Shows text without the blanks around a section. */
  *#write(piece: string): Generator<StreamEvent> {
    if (this.#mode !== "text" && this.#mode !== "thought") return;
    const before = this.#isSectionStart ? this.#written[this.#mode] && "\n\n" : this.#space;
    const shown = this.#isSectionStart ? piece.trimStart() : before + piece;
    const text = shown.trimEnd();
    if (text === "") return void (this.#space = this.#isSectionStart ? "" : shown);
    this.#space = shown.slice(text.length);
    const delta = this.#isSectionStart ? before + text : text;
    this.#isSectionStart = false;
    this.#written[this.#mode] += delta;
    yield { type: this.#mode === "text" ? "text_delta" : "thinking_delta", text: delta };
  }

  *#readCalls(reply: string, isCut: boolean): Generator<StreamEvent> {
    const sections = sectionsOf(reply);
    for (const [i, { label, body }] of sections.entries()) {
      if (label === "observation") return;
      if (label === "final answer" && this.calls.length === 0) yield* this.#writeSection(body);
      if (label !== "action") continue;
      const name = toolName(body);
      const next = sections[i + 1];
      const input = next?.label === "action input" ? next.body : undefined;
      if (NO_TOOL.test(name)) continue;
      if (input === undefined && !this.#tools.includes(name)) return yield* this.#writeProse(reply);
      const call = this.#newCall(name, input, isCut && i + 2 >= sections.length);
      this.calls.push(call);
      yield { type: "tool_use_start", id: call.id, name };
    }
  }

  #newCall(name: string, input: string | undefined, isCut: boolean): ToolUseBlock {
    const id = `call_${this.#earlierCalls + this.calls.length + 1}`;
    if (input !== undefined || isCut) return readCall({ id, name, json: withoutFence(input ?? ""), isCut });
    const invalid =
      `Cannot call ${name}: the line "Action Input:" is missing; nothing was done, write it with {} at least`;
    return { type: "tool_use", id, name, input: {}, invalid };
  }
}

function mayBecomeLabel(line: string): boolean {
  const start = line.replace(/^[ \t*_#>]+/, "").toLowerCase();
  return line.length <= MAX_LABEL_LENGTH && LABELS.some((label) => `${label.toLowerCase()}**:`.startsWith(start));
}

/** The labelled parts of a text that begins with a label. */
function sectionsOf(text: string): { label: string; body: string }[] {
  const labels = [...text.matchAll(new RegExp(LABEL.source, "gim"))];
  return labels.map((found, i) => ({
    label: (found[1] ?? "").toLowerCase(),
    body: text.slice(found.index + found[0].length, labels[i + 1]?.index ?? text.length).trim(),
  }));
}

/** A tool's name out of what stands behind "Action:", such as `` `list_files`() ``. */
function toolName(body: string): string {
  const line = body.split("\n")[0] ?? "";
  return line.replace(/^[\s`"'*[]+/, "").replace(/[\s`"'*\].()]+$/, "");
}

function withoutFence(body: string): string {
  return /^```\w*\n([^]*?)\n?```$/.exec(body)?.[1] ?? body;
}
