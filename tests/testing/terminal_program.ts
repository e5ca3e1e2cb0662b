/**
 * A program for tests that need a real terminal: the front over a conversation without a model. `throw` fails where
 * nobody catches, `wait` lasts until the turn is ended, everything else is repeated as the answer.
 *
 * @module
 */

import { openFront } from "../../src/cli/front.ts";
import { neutralise } from "../../src/permissions/neutralise.ts";
import { newLoopOptions } from "./session.ts";

const front = openFront({ term: Deno.env.get("TERM"), noColor: Deno.env.get("NO_COLOR"), neutralise });
const options = newLoopOptions({
  async send(message, signal) {
    if (message === "throw") queueMicrotask(fail);
    if (message === "wait") {
      front.ui.show({ type: "text_delta", text: "waiting\n" });
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    front.ui.show({ type: "text_delta", text: `You said **${message}**\n` });
  },
});
Deno.exit(await front.run(options));

function fail(): never {
  throw new Error("while drawing");
}
