/**
 * Stops before money is spent that should not be.
 *
 * @module
 */

import type { ModelRequest } from "../llm/types.ts";
import { TurnStop } from "./agent_options.ts";
import type { Ledger, Pricing } from "./ledger.ts";

/** A token is rarely less than this many characters of text or code. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * Makes a check that runs before each request: what was spent, and what this request and those under way beside it can
 * cost at most, must stay within the limit. It holds that much until the request is over.
 *
 * @param limit USD for the whole session.
 * @param model The name by which the request is priced.
 */
export function budgetCheck(
  limit: number,
  { ledger, price, model }: { ledger: Ledger; price: Pricing; model: string },
): (request: ModelRequest) => Disposable {
  return ({ system, messages, tools, maxTokens }) => {
    const characters = JSON.stringify([system, messages, tools]).length;
    const inputTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
    const usage = { inputTokens, outputTokens: maxTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const most = price(usage, model, new Date())?.total ?? 0;
    if (ledger.total + ledger.held + most > limit) {
      throw new TurnStop("budget", `The next request may cost up to $${most.toFixed(4)}: the limit is $${limit}`);
    }
    return ledger.hold(most);
  };
}
