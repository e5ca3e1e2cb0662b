/**
 * What a session keeps of a sub-agent: what it costs and what it changes. Its conversation is kept nowhere; what comes of
 * it is the result of the call that ran it.
 *
 * @module
 */

import type { Recorder } from "./records.ts";
import type { Session } from "./session.ts";
import { CommandWatch } from "./session_touched.ts";

/** A recorder for one sub-agent. Its ids are its own: they may be those of other calls. */
export function subAgentRecorder(session: Session): Recorder {
  const commands = new CommandWatch(session.cwd);
  const intents = new Set<string>();
  return async (record) => {
    switch (record.type) {
      case "reply":
      case "compaction": {
        const usage = record.type === "reply" ? record.response.usage : record.usage;
        return await session.add({ type: "charge", usage, ...(record.charge && { charge: record.charge }) });
      }
      case "intent":
        intents.add(record.id);
        return await commands.before(record);
      case "result": {
        if (!intents.delete(record.block.toolUseId)) return;
        for (const { path, hash } of record.seen ?? []) await session.add({ type: "written", path, hash });
        const touched = await commands.after(record.block.toolUseId);
        if (touched) await session.add(touched);
      }
    }
  };
}
