/**
 * Starts a conversation with a person.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import { endAllProcesses } from "../tools/process.ts";
import type { CliOptions } from "./args.ts";
import { banner } from "./banner.ts";
import { BUILTIN_COMMANDS } from "./builtin_commands.ts";
import { readVariable } from "./config.ts";
import { Conversation } from "./conversation.ts";
import { openFront } from "./front.ts";
import { prepare } from "./setup.ts";
import { VERSION } from "./version.ts";

/** Runs `mini-agent`. Returns the exit code. */
export async function start(options: CliOptions): Promise<number> {
  const setup = await prepare(options);
  const front = openFront({
    term: readVariable("TERM"),
    noColor: readVariable("NO_COLOR"),
    neutralise: (text) => setup.redactor.redact(neutralise(text)),
  });
  const conversation = await Conversation.start(setup, front.ui);
  const { agent, missing } = conversation;
  const facts = {
    version: VERSION,
    model: agent.model.id,
    mode: setup.mode,
    folder: setup.cwd,
    tools: agent.tools.length,
    missing: [...setup.notices, ...missing],
  };
  try {
    return await front.run({
      banner: banner(facts, front.styles),
      firstInput: options.prompt,
      session: conversation,
      commands: BUILTIN_COMMANDS,
      send: (message, signal) => agent.send(message, signal),
    });
  } finally {
    await endAllProcesses();
  }
}
