/**
 * What a crash, a foreign file or an older version does to a history.
 *
 * @module
 */

import type { Block, Message } from "../../src/llm/types.ts";
import type { Random } from "../../tests/testing/random.ts";

/** Damages a history in some places. */
export function damage(messages: readonly Message[], random: Random): Message[] {
  let damaged = [...messages];
  for (let times = 1 + random.below(3); times > 0; times--) damaged = damageOnce(damaged, random);
  return damaged;
}

function damageOnce(messages: readonly Message[], random: Random): Message[] {
  const at = random.below(messages.length + 1);
  const message = messages[at] ?? { role: "user", content: [] };
  const put = (...instead: Message[]) => [...messages.slice(0, at), ...instead, ...messages.slice(at + 1)];
  const withContent = (content: Block[]) => put({ ...message, content });
  const strangers: Block[] = [
    { type: "text", text: random.pick(["", " \n", "half \ud83d", "\udc00"]) },
    { type: "tool_result", toolUseId: random.pick(["nobody", "c1"]), content: "", isError: false },
    {
      type: "tool_use",
      id: random.pick(["c1", "a b", ""]),
      name: random.pick(["x.y", "", "z".repeat(80)]),
      input: ["no object"],
    },
    { type: "thinking", text: "of another model", signature: "x", model: "other/m" },
    { type: "image", mediaType: "image/png", data: "no base64!" },
    null as unknown as Block,
  ];
  switch (random.below(7)) {
    case 0:
      return messages.slice(0, at + 1);
    case 1:
      return messages.slice(at);
    case 2:
      return put();
    case 3:
      return put(message, message);
    case 4:
      return withContent(message.content.slice(1));
    case 5:
      return withContent([...message.content, random.pick(strangers)]);
    default:
      return put({ role: random.pick(["user", "assistant"]), content: [random.pick(strangers)] }, message);
  }
}
