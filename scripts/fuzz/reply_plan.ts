/**
 * What a random reply says, apart from how any protocol writes it: the truth that the fuzz compares with.
 *
 * @module
 */

import type { Random } from "../../tests/testing/random.ts";

/** A call as it is sent. */
export interface PlannedCall {
  id: string;
  name: string;
  /** The arguments, letter by letter. */
  json: string;
  /** What they are; absent where they are none that may run. */
  input?: Record<string, unknown>;
}

/** One reply. */
export interface ReplyPlan {
  thinking: string;
  text: string;
  calls: PlannedCall[];
  /** The output limit ended it, within the last call if there is one. */
  isCut: boolean;
  usage: { input: number; cacheRead: number; output: number };
}

const WORDS = [
  "a",
  " ",
  "\n",
  "é",
  "价格",
  "🙂",
  "data: x\n\n",
  "[DONE]",
  "\u2028",
  "\r\n",
  '"',
  "\\",
  "}{",
  ": ",
  "\t",
];
const NOT_OBJECTS = ["{'a': 1}", '{"a": 1,}', "[1]", '"x"', '{"a":"b\nc"}', "nope", '{"a":'];

/** Makes up a reply; it always says something, unless it is cut. */
export function planReply(random: Random, nextId: () => string): ReplyPlan {
  const chance = (percent: number) => random.below(100) < percent;
  const isCut = chance(8);
  const calls = chance(50) ? Array.from({ length: 1 + random.below(3) }, () => planCall(random, nextId())) : [];
  const last = calls.at(-1);
  if (isCut && last) {
    last.json = last.json.slice(0, random.below(last.json.length));
    delete last.input;
  }
  const text = calls.length > 0 && chance(40) ? "" : `${words(random)}${calls.length > 0 ? "" : "."}`;
  return {
    thinking: chance(40) ? words(random) : "",
    text: isCut && chance(30) ? "" : text,
    calls,
    isCut,
    usage: { input: 1 + random.below(5000), cacheRead: random.below(5000), output: 1 + random.below(500) },
  };
}

function planCall(random: Random, id: string): PlannedCall {
  const name = random.pick(["read_file", "list_files", "write_file", "mcp__server__tool"]);
  if (random.below(100) < 12) return { id, name, json: random.pick(NOT_OBJECTS) };
  const input = random.below(5) === 0
    ? {}
    : { path: words(random), lines: [random.below(9), null, { deep: words(random) }] };
  return { id, name, json: JSON.stringify(input, null, random.below(3)), input };
}

/** Text with everything in it that has ever been cut in the wrong place. */
export function words(random: Random): string {
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(WORDS)).join("");
}

/** A text in pieces, cut anywhere, within a character too. */
export function pieces(text: string, random: Random): string[] {
  const out: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random.below(random.pick([1, 3, 20]));
    out.push(text.slice(at, at + length));
    at += length;
  }
  return out;
}
