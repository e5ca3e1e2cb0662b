/**
 * Talks to a service on 127.0.0.1 that does everything services do, through the real adapters, the retries and the
 * mending of histories, and compares what comes out with what was sent.
 *
 *     deno run --allow-net=127.0.0.1 scripts/fuzz.ts [--minutes N | --count N] [--seed N]
 *
 * A failure names the seed of its conversation: `--seed THAT --count 1` plays it again.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { Conversation, type Totals } from "./fuzz/conversation.ts";

/** How long to go on, and from where. */
export interface FuzzOptions {
  seed: number;
  /** Conversations at most. */
  count?: number;
  /** Milliseconds since 1970 after which no further conversation begins. */
  until?: number;
}

/**
 * Plays conversations, each with its own seed, counted up from the first.
 *
 * @returns What was done in all.
 * @throws {Error} If anything came out that was not sent, did not come out, or did not end; it names the seed.
 */
export async function fuzz({ seed, count = Infinity, until = Infinity }: FuzzOptions): Promise<Totals> {
  const totals: Totals = {
    conversations: 0,
    steps: 0,
    requests: 0,
    retries: 0,
    failures: 0,
    interrupts: 0,
    mended: 0,
    stalls: 0,
  };
  for (let i = 0; i < count && Date.now() < until; i++) {
    try {
      await using conversation = new Conversation(seed + i, totals);
      await conversation.play();
    } catch (error) {
      throw new Error(`The conversation of seed ${seed + i} fails: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
    totals.conversations++;
  }
  return totals;
}

if (import.meta.main) {
  const { minutes, count, seed = String(Date.now() % 1e9) } = parseArgs(Deno.args, {
    string: ["minutes", "count", "seed"],
  });
  console.log(`seed ${seed}`);
  const totals = await fuzz({
    seed: Number(seed),
    ...(count && { count: Number(count) }),
    until: minutes ? Date.now() + Number(minutes) * 60_000 : count ? Infinity : Date.now() + 60_000,
  });
  console.log(JSON.stringify(totals));
}
