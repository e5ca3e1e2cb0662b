/**
 * A tool call as one line for people.
 *
 * @module
 */

/** Characters of a line at most. */
const MAX_LENGTH = 120;

/** What is shown of a call. */
export interface ShownCall {
  name: string;
  /** Its path, command or URL. */
  subject: string;
  input?: unknown;
}

/** Remembers the calls that run, for results that do not stand under their own call. */
export class RunningCalls {
  readonly #calls = new Map<string, ShownCall>();
  #last = "";

  /** A call is shown. */
  begin(id: string, call: ShownCall): void {
    this.#calls.set(id, call);
    this.#last = id;
  }

  /** A result is about to be shown. Returns its call if that is to be shown again. */
  end(id: string, name: string): ShownCall | undefined {
    const call = this.#calls.get(id) ?? { name, subject: "" };
    const isAbove = id === this.#last;
    this.#calls.delete(id);
    this.#last = id;
    return isAbove ? undefined : call;
  }
}

/** `⏺ name args`, cut to one line; the whole call stands in the record. */
export function callLine(call: ShownCall): string {
  const line = `⏺ ${call.name} ${argsOf(call).replaceAll(/\s+/g, " ")}`.trim();
  const characters = [...line];
  return characters.length <= MAX_LENGTH ? line : characters.slice(0, MAX_LENGTH - 1).join("") + "…";
}

/** A search is about what it looks for more than about where. */
function argsOf({ subject, input }: ShownCall): string {
  const { pattern } = (typeof input === "object" && input !== null ? input : {}) as { pattern?: unknown };
  if (typeof pattern !== "string") return subject;
  return `"${pattern}"${["", "."].includes(subject) ? "" : ` in ${subject}`}`;
}
