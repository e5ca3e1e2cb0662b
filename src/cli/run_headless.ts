/**
 * Starts a headless run: reads what is piped in, says what is missing, and runs one turn.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import type { JsonSchema } from "../llm/types.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { endAllProcesses } from "../tools/process.ts";
import type { CliOptions } from "./args.ts";
import { Conversation } from "./conversation.ts";
import { EXIT } from "./exit_codes.ts";
import { runHeadless } from "./headless.ts";
import { HeadlessUI } from "./headless_ui.ts";
import { initEvent } from "./json_events.ts";
import { StreamSink, through } from "./output.ts";
import { readPipedInput } from "./piped_input.ts";
import { giveUp, mayRunSomething, prepare } from "./setup.ts";
import { listen } from "./signals.ts";
import { VERSION } from "./version.ts";

/** How long a run that has a prompt waits for the first piped byte. */
const PATIENCE_MS = 1000;

/** Runs `mini-agent -p`. Returns the exit code. */
export async function start(options: CliOptions): Promise<number> {
  const turn = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  listen(Object.fromEntries(signals.map((signal) => [signal, () => turn.abort(signal)])));
  let unwritten: unknown;
  const rawStdout = new StreamSink(Deno.stdout, (error) => {
    unwritten = error;
    turn.abort("SIGPIPE");
  });
  const rawStderr = new StreamSink(Deno.stderr);
  const say = (line: string) => rawStderr.write(line + "\n");
  const [setup, input, schema] = await Promise.all([
    prepare(options),
    readPrompt(options, { say, signal: turn.signal }),
    options.jsonSchema === undefined ? undefined : readSchema(options.jsonSchema),
  ]);
  const { outputFormat: format, includePartialMessages: partials } = options;
  const { session, cwd, connected, mode, redactor } = setup;
  const sessionId = session.id;
  const redact = (text: string) => redactor.redact(text);
  const harmless = (text: string) => redact(neutralise(text));
  const stdout = through(rawStdout, format === "text" ? harmless : redact);
  const stderr = through(rawStderr, harmless);
  const ui = new HeadlessUI({ format, partials, sessionId, stdout, stderr });
  if (mayRunSomething(setup)) await (await import("./project_trust.ts")).decideTrust(setup);
  if (setup.servers.length > 0) await (await import("./open_servers.ts")).openServers(setup, turn.signal);
  const conversation = await Conversation.start(setup, ui, schema);
  await giveUp(setup, true);
  const { agent, ledger, missing } = conversation;
  for (const line of [...setup.notices, ...missing]) stderr.write(line + "\n");
  if (format === "stream-json") {
    const tools = agent.tools.map((tool) => tool.name);
    const { apiKeySource } = connected;
    const servers = setup.servers.length === 0 ? [] : (await import("./mcp_status.ts")).serverStatuses(setup);
    const model = agent.model.id;
    const event = initEvent({ sessionId, cwd, model, tools, servers, mode, apiKeySource, version: VERSION });
    stdout.write(JSON.stringify(event) + "\n");
  }
  const prompt = await fullPrompt(input, async (words) => {
    if (!words.includes("@")) return words;
    const { addFiles } = await import("./person_input.ts");
    const show = (text: string) => ui.show({ type: "notice", text });
    return addFiles(words, { tools: agent.tools, say: show }, agent.toolContext(turn.signal)).catch((error) => {
      if (turn.signal.aborted) return words; // the run ends as one that was interrupted
      throw error;
    });
  });
  const code = await runHeadless({
    agent,
    ui,
    ledger,
    prompt,
    format,
    sessionId,
    stdout,
    stderr,
    signal: turn.signal,
    startedAt: 0,
    ...(schema && { schema }),
  });
  await Promise.all([setup.running?.leave(), endAllProcesses()]);
  await setup.sandbox.dispose();
  await session[Symbol.asyncDispose]();
  if (turn.signal.reason === "SIGPIPE" && unwritten instanceof Deno.errors.BrokenPipe) return EXIT.pipe;
  if (unwritten !== undefined) {
    say(`Cannot write the answer to standard output: ${reasonOf(unwritten)}`);
    await rawStderr.flush();
    return EXIT.failed;
  }
  return session.failed && code === EXIT.done ? EXIT.failed : code;
}

/** What the command line and what is piped in say. */
interface Input {
  words: string;
  piped: string;
}

/** The words with the files that they name, and what was piped in behind them: `@` in that names nothing. */
async function fullPrompt({ words, piped }: Input, addFiles: (words: string) => Promise<string>): Promise<string> {
  return [await addFiles(words), piped].filter((part) => part.trim() !== "").join("\n\n");
}

/** Reads the prompt. */
async function readPrompt(
  options: CliOptions,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<Input> {
  const words = options.prompt ?? "";
  let piped = "";
  if (!Deno.stdin.isTerminal() || options.promptFromStdin) {
    const patient = words === "" || options.promptFromStdin;
    const { text, gaveUp } = await readPipedInput(Deno.stdin, { signal, ...(!patient && { patienceMs: PATIENCE_MS }) });
    if (gaveUp) say("Standard input gave nothing within a second: starting without it");
    piped = text;
  }
  if (words.trim() === "" && piped.trim() === "" && !signal.aborted) {
    throw new ConfigError("A prompt is missing: write mini-agent -p 'your question'");
  }
  return { words, piped };
}

async function readSchema(file: string): Promise<JsonSchema> {
  const { parseJsonc } = await import("./jsonc.ts");
  let value: unknown;
  try {
    value = parseJsonc(await Deno.readTextFile(file));
  } catch (error) {
    throw new ConfigError(`Cannot read the JSON schema "${file}": ${reasonOf(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(`Cannot use the JSON schema "${file}": it must be a JSON object`);
  }
  const { schemaProblem } = await import("../agent/json_schema_check.ts");
  const problem = schemaProblem(value as JsonSchema);
  if (problem) throw new ConfigError(`Cannot use the JSON schema "${file}": ${problem}`);
  return value as JsonSchema;
}

/** The reason without the system's number and the name of its call. */
function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof Deno.errors.NotCapable) return "no --allow-read for it";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  return (error as Error).message.replace(/ \(os error \d+\).*$/s, "");
}
