/**
 * `mini-agent sessions`: what is kept, for people and for programs.
 *
 * @module
 */

import { SessionStore } from "../agent/session_store.ts";
import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { Redactor } from "../permissions/redact.ts";
import type { CliOptions } from "./args.ts";
import { loadConfig } from "./config.ts";
import { VARIABLES } from "./connect_model.ts";
import { htmlExport, jsonExport, textExport } from "./session_exports.ts";
import { sessionRows } from "./session_text.ts";

const USAGE = "write mini-agent sessions list, show ID, export ID [--html|--json] or rm ID";

/**
 * Does what is asked and returns what is to be printed.
 *
 * @throws {ConfigError} If it is not clear what is asked, or there is no such session.
 */
export async function sessionsText({ subcommand }: CliOptions): Promise<string> {
  const [verb = "list", id, ...more] = subcommand?.args ?? [];
  const { store, redactor } = await openStore();
  if (verb === "list" && id === undefined) return redactor.redact(await listText(store));
  if (!["show", "export", "rm"].includes(verb)) throw new ConfigError(`Unknown sessions command "${verb}": ${USAGE}`);
  if (id === undefined || more.length > 0) throw new ConfigError(`"sessions ${verb}" needs one session ID: ${USAGE}`);
  const file = await store.find(id);
  if (verb === "rm") {
    await store.remove(file);
    return `Removed session ${file.id}\n`;
  }
  const redact = (text: string) => redactor.redact(text);
  if (verb === "show") return neutralise(await textExport(store, file, redact));
  const form = subcommand?.html ? htmlExport : subcommand?.json ? jsonExport : textExport;
  return await form(store, file, redact);
}

/** Where the sessions are, and what must not be shown of them. */
async function openStore(): Promise<{ store: SessionStore; redactor: Redactor }> {
  const { folders, variables } = await loadConfig(Deno.cwd(), VARIABLES);
  if (!folders.data) throw new ConfigError("It is not known where the sessions are: set HOME");
  const store = new SessionStore(folders.data);
  if (!isHeld({ name: "read", path: store.folder })) {
    throw new ConfigError(`The sessions cannot be read: add --allow-read=${store.folder}`);
  }
  const secrets = [...variables].filter(([name]) => name.endsWith("_KEY")).map(([, { value }]) => value);
  return { store, redactor: new Redactor(secrets) };
}

async function listText(store: SessionStore): Promise<string> {
  const now = new Date();
  const rows = (await store.summaries()).map((summary) => sessionRows(summary, now));
  return rows.length === 0 ? "(no sessions)\n" : neutralise(rows.join("\n")) + "\n";
}
