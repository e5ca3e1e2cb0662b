/**
 * Thinking that a model writes into its answer: servers that know nothing of a model's thinking pass its tags through.
 *
 * @module
 */

/** A piece of an answer, sorted. */
export interface SortedText {
  thinking: string;
  text: string;
}

const OPENING = ["<think>", "<thinking>"];

/**
 * Sorts an answer that comes in pieces. Only what it begins with counts: tags further on may be what the answer is about.
 *
 * @example
 * ```ts
 * const tags = new ThinkTags();
 * console.assert(tags.add("<think>hm</th").thinking === "hm");
 * console.assert(tags.add("ink>\n\nYes").text === "Yes");
 * ```
 */
export class ThinkTags {
  #state: "start" | "inside" | "closed" | "text" = "start";
  #closing = "";
  /** What may be the beginning of a tag. */
  #held = "";

  /** Takes in a piece. */
  add(piece: string): SortedText {
    const text = this.#held + piece;
    this.#held = "";
    switch (this.#state) {
      case "start":
        return this.#begin(text);
      case "inside":
        return this.#think(text);
      case "closed": {
        const rest = text.trimStart();
        if (rest !== "") this.#state = "text";
        return { thinking: "", text: rest };
      }
      case "text":
        return { thinking: "", text };
      default:
        return this.#state satisfies never;
    }
  }

  /** What is left when nothing more comes. */
  end(): SortedText {
    const held = this.#held;
    this.#held = "";
    return this.#state === "inside" ? { thinking: held, text: "" } : { thinking: "", text: held };
  }

  #begin(text: string): SortedText {
    const said = text.trimStart();
    const tag = OPENING.find((opening) => said.startsWith(opening));
    if (tag) {
      this.#state = "inside";
      this.#closing = `</${tag.slice(1)}`;
      return this.#think(said.slice(tag.length));
    }
    if (OPENING.some((opening) => opening.startsWith(said))) {
      this.#held = text;
      return { thinking: "", text: "" };
    }
    this.#state = "text";
    return { thinking: "", text };
  }

  #think(text: string): SortedText {
    const end = text.indexOf(this.#closing);
    if (end === -1) {
      let held = Math.min(this.#closing.length - 1, text.length);
      while (!this.#closing.startsWith(text.slice(text.length - held))) held--;
      this.#held = text.slice(text.length - held);
      return { thinking: text.slice(0, text.length - held), text: "" };
    }
    this.#state = "closed";
    return { thinking: text.slice(0, end), text: this.add(text.slice(end + this.#closing.length)).text };
  }
}
