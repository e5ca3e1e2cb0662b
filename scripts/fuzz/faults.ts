/**
 * The ways in which a request fails: what the service does, and whether asking again makes sense.
 *
 * @module
 */

import { type Random, randomPieces } from "../../tests/testing/random.ts";
import { refusal, type ScriptedReply } from "../../tests/testing/fake_service.ts";
import { planReply, type ReplyPlan } from "./reply_plan.ts";
import { type Wire, writeDocument, writeError, writeReply } from "./wire_replies.ts";

/** One answer of the service. */
export interface Attempt {
  /** `good` is the reply itself. */
  outcome: "good" | "retried" | "fatal";
  reply: ScriptedReply;
  /** What it says before it fails: no more than this may be shown. */
  plan?: ReplyPlan;
}

/** The reply as planned, cut into reads at random; now and then in one piece though a stream was asked for. */
export function goodAttempt(plan: ReplyPlan, wire: Wire, random: Random): Attempt {
  const fitsDocument = wire === "chat" || plan.calls.every(({ input }) => input !== undefined);
  if (random.below(10) === 0 && fitsDocument) {
    const bytes = new TextEncoder().encode(`${random.pick(["", "\n\n"])}${writeDocument(plan, wire)}`);
    const headers = { "content-type": "application/json" };
    return { outcome: "good", plan, reply: { headers, pieces: reads(bytes, random) } };
  }
  const { bytes } = writeReply(plan, wire, random);
  return { outcome: "good", plan, reply: { pieces: reads(bytes, random) } };
}

/** A failure that may pass. */
export function passingFault(wire: Wire, random: Random): Attempt {
  const retried = (reply: ScriptedReply, plan?: ReplyPlan): Attempt => ({
    outcome: "retried",
    reply,
    ...(plan && { plan }),
  });
  const plan = planReply(random, () => "c_void");
  const { bytes, lastEvent } = writeReply(plan, wire, random);
  const broken = bytes.subarray(0, random.pick([0, random.below(lastEvent + 1), lastEvent]));
  switch (random.below(8)) {
    case 0:
    case 1: {
      const headers = random.pick<Record<string, string>>([{}, { "retry-after": "1" }, { "retry-after-ms": "20" }, {
        "retry-after": "soon",
      }]);
      const error = random.pick<unknown>([{ message: "try later" }, "busy", null]);
      return retried(refusal(random.pick([408, 409, 429, 500, 502, 503, 529]), error, headers));
    }
    case 2:
      return retried({
        status: 503,
        headers: { "content-type": "text/html" },
        pieces: ["<html><body>Gone</body></html>"],
      });
    case 3:
    case 4:
      return retried({ pieces: reads(broken, random), end: "reset" }, plan);
    case 5:
      return retried({ pieces: reads(broken, random) }, plan);
    case 6: {
      const whole = bytes.subarray(0, lastEvent);
      return retried({ pieces: [...reads(whole, random), "\n\n", writeError(wire, random)] }, plan);
    }
    default:
      return random.below(40) > 0
        ? retried({ pieces: [] })
        : retried({ pieces: reads(broken, random), end: random.pick(["stall", "silent"]) }, plan);
  }
}

/** A failure that stays whatever one does. */
export function fatalFault(random: Random): Attempt {
  const status = random.pick([400, 401, 402, 403, 404, 413, 422]);
  return { outcome: "fatal", reply: refusal(status, { message: "no", type: "invalid_request_error" }) };
}

function reads(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer>[] {
  if (bytes.length < 400 && random.below(10) === 0) return Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  return randomPieces(bytes, random).filter((piece) => piece.length > 0);
}
