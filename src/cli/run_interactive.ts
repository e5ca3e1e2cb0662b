/**
 * Starts a conversation with a person.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { join } from "../permissions/os_path.ts";
import { endAllProcesses } from "../tools/process.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { CliOptions } from "./args.ts";
import type { Styles } from "./ansi.ts";
import { bannerRows } from "./banner.ts";
import { BUILTIN_COMMANDS } from "./builtin_commands.ts";
import { readVariable } from "./config.ts";
import { Conversation } from "./conversation.ts";
import { openFront } from "./front.ts";
import type { HistoryStore } from "./input_history.ts";
import { addFiles, completePath, runShell } from "./person_input.ts";
import { KeptConversation } from "./kept_conversation.ts";
import { recapOf, recapRows } from "./recap.ts";
import { sessionCommands } from "./session_commands.ts";
import { giveUp, mayRunSomething, prepare, type Setup } from "./setup.ts";
import { VERSION } from "./version.ts";

/** Runs `mini-agent`. Returns the exit code. */
export async function start(options: CliOptions): Promise<number> {
  const setup = await prepare(options);
  const front = openFront({
    term: readVariable("TERM"),
    noColor: readVariable("NO_COLOR"),
    neutralise: (text) => setup.redactor.redact(neutralise(text)),
  });
  if (mayRunSomething(setup)) await decideTrust(setup, front.styles);
  if (setup.servers.length > 0) {
    const code = await (await import("./open_servers.ts")).openAtTerminal(setup);
    if (code !== undefined) return code;
  }
  const recap = recapOf(setup.session.state, new Date());
  const conversation = await Conversation.start(setup, front.ui);
  await giveUp(setup, false);
  const { agent, missing } = conversation;
  const tool = (name: string) => agent.tools.find((tool) => tool.name === name);
  const runCommand = tool("run_command");
  const say = (text: string) => front.ui.show({ type: "notice", text });
  const facts = {
    version: VERSION,
    model: agent.model.id,
    mode: setup.mode,
    folder: setup.cwd,
    tools: agent.tools.length,
    serverTools: agent.tools.filter(({ access }) => access === "server").length,
    ...(runCommand && { sandbox: setup.mode === "full" ? "none (full mode)" : (await setup.sandbox.open()).label }),
    missing: [...setup.connected.noKey === undefined ? [] : [setup.connected.noKey], ...setup.notices, ...missing],
  };
  try {
    return await front.run({
      banner: (look) => bannerRows(facts, look),
      ...(recap && { recap: (look) => recapRows(recap, look) }),
      firstInput: options.prompt,
      session: conversation,
      commands: [...BUILTIN_COMMANDS, ...sessionCommands(new KeptConversation(conversation, setup))],
      send: (message, signal) => agent.send(message, signal),
      history: historyStore(setup),
      completePath: (start) => completePath(setup.cwd, start),
      addFiles: (text, signal) => addFiles(text, { tools: agent.tools, say }, anywhere(agent.toolContext(signal))),
      ...(runCommand && {
        runShell: (command, { signal, onOutput }) =>
          runShell(command, runCommand, { ...agent.toolContext(signal), onOutput }),
      }),
    });
  } finally {
    await Promise.all([setup.running?.leave(), endAllProcesses()]);
    await setup.sandbox.dispose();
    await setup.session[Symbol.asyncDispose]();
  }
}

/** Asks the person where there is one: lines from a pipe were written before any question was known. */
async function decideTrust(setup: Setup, styles: Styles): Promise<void> {
  const { decideTrust } = await import("./project_trust.ts");
  const { askTrust } = await import("./trust_question.ts");
  const isThere = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
  await decideTrust(setup, isThere ? (question) => askTrust(question, styles) : undefined);
}

/** A person at the keyboard may name any file. */
function anywhere(context: ToolContext): ToolContext {
  return { ...context, workspace: { ...context.workspace, unconfined: true } };
}

/** The history of inputs, kept beside the sessions and like them. */
function historyStore({ config, options }: Setup): HistoryStore | undefined {
  const { data } = config.folders;
  if (!data || !options.save) return undefined;
  const file = join(data, "history");
  const requireHeld = (name: "read" | "write") => {
    if (!isHeld({ name, path: data })) throw new Deno.errors.NotCapable(`Cannot use "${file}"`);
  };
  return {
    async load() {
      requireHeld("read");
      return await Deno.readTextFile(file);
    },
    async append(line) {
      requireHeld("write");
      await Deno.mkdir(data, { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(file, line, { append: true, mode: 0o600 });
    },
  };
}
