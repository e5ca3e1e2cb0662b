/**
 * `mini-agent doctor`: tries what a run relies on, for real, and says what works.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import { create } from "../llm/types.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { join } from "../permissions/os_path.ts";
import type { CliOptions } from "./args.ts";
import { EXIT } from "./exit_codes.ts";
import { StreamSink } from "./output.ts";
import { trySandbox } from "./sandbox_trial.ts";
import { prepare, type Setup } from "./setup.ts";
import { VERSION } from "./version.ts";

/** How one check ended: `skip` proves nothing. */
export type CheckStatus = "ok" | "fail" | "skip";

/** What one check found. */
export interface CheckResult {
  status: CheckStatus;
  text: string;
}

/** Runs all checks and prints one line for each. The exit code is 1 if one failed. */
export async function start(options: CliOptions): Promise<number> {
  const stdout = new StreamSink(Deno.stdout);
  let code: number = EXIT.done;
  const tell = ({ status, text }: CheckResult) => {
    stdout.write(`${status.padEnd(4)} ${neutralise(text)}\n`);
    if (status === "fail") code = EXIT.failed;
  };
  tell({ status: "ok", text: `mini-agent ${VERSION} on Deno ${Deno.version.deno}, ${Deno.build.target}` });
  try {
    const setup = await prepare({ ...options, save: false });
    tell({ status: "ok", text: `configuration in ${setup.config.folders.config ?? "(no home folder)"}` });
    for (const notice of setup.notices) tell({ status: "skip", text: notice });
    tell(await checkModel(setup));
    tell(await checkDataFolder(setup));
    for (const result of await checkHooks(setup)) tell(result);
    for (const result of await checkServers(setup)) tell(result);
    for (const result of await trySandbox(setup)) tell(result);
    await setup.sandbox.dispose();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell({ status: "fail", text: error.message });
  }
  await stdout.flush();
  return code;
}

/** Asks the model for a word: nothing else shows that key, address and name are right. */
async function checkModel({ connected: { model, apiKeySource } }: Setup): Promise<CheckResult> {
  const key = apiKeySource === "none" ? "no key" : `key from ${apiKeySource}`;
  const request = {
    system: "",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Say ok" }] }],
    tools: [],
    maxTokens: 16,
  };
  try {
    await create(model, request, AbortSignal.timeout(MODEL_MS));
    return { status: "ok", text: `model ${model.id} answers, ${key}` };
  } catch (error) {
    return { status: "fail", text: `model ${model.id} does not answer, ${key}: ${(error as Error).message}` };
  }
}

const MODEL_MS = 30_000;

/** Hooks must be able to run; a project's are used only when they are trusted. */
async function checkHooks(setup: Setup): Promise<CheckResult[]> {
  const { hookLines } = await import("./hook_lines.ts");
  return await hookLines(setup);
}

/** MCP servers must start and say what they offer; a project's only when they are trusted. */
async function checkServers(setup: Setup): Promise<CheckResult[]> {
  if (setup.servers.length + setup.projectServers.length === 0) return [];
  const { tryServers } = await import("./mcp_command.ts");
  return await tryServers(setup);
}

/** Sessions must be kept where they can be written. */
async function checkDataFolder({ config: { folders: { data } } }: Setup): Promise<CheckResult> {
  if (data === undefined) return { status: "fail", text: "data folder: not known, HOME cannot be read" };
  if (!isHeld({ name: "write", path: data })) {
    return { status: "fail", text: `data folder ${data}: no --allow-write for it, sessions are not kept` };
  }
  const file = join(data, `doctor-${crypto.randomUUID()}`);
  try {
    await Deno.mkdir(data, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(file, "", { createNew: true, mode: 0o600 });
    await Deno.remove(file);
    return { status: "ok", text: `data folder ${data} can be written` };
  } catch (error) {
    return { status: "fail", text: `data folder ${data} cannot be written: ${(error as Error).message}` };
  }
}
