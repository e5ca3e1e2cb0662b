/**
 * `mini-agent sessions`: what is kept, for people and for programs.
 *
 * @module
 */

import { SessionState } from "../agent/session_state.ts";
import { type SessionFile, SessionStore } from "../agent/session_store.ts";
import { transcriptOf } from "../agent/session_transcript.ts";
import { ConfigError } from "../llm/errors.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { Redactor } from "../permissions/redact.ts";
import type { CliOptions } from "./args.ts";
import { loadConfig } from "./config.ts";
import { VARIABLES } from "./connect_model.ts";
import { sessionRows, transcriptText } from "./session_text.ts";

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
  if (verb === "show") return neutralise(redactor.redact(await readableText(store, file)));
  if (subcommand?.json) return await jsonText(store, file, redactor);
  return redactor.redact(await readableText(store, file));
}

/** Where the sessions are, and what must not be shown of them. */
async function openStore(): Promise<{ store: SessionStore; redactor: Redactor }> {
  const { folders, variables } = await loadConfig(Deno.cwd(), VARIABLES);
  if (!folders.data) throw new ConfigError("It is not known where the sessions are: set HOME");
  const store = new SessionStore(folders.data);
  const { state } = await Deno.permissions.query({ name: "read", path: store.folder });
  if (state !== "granted") throw new ConfigError(`The sessions cannot be read: add --allow-read=${store.folder}`);
  const secrets = [...variables].filter(([name]) => name.endsWith("_KEY")).map(([, { value }]) => value);
  return { store, redactor: new Redactor(secrets) };
}

async function listText(store: SessionStore): Promise<string> {
  const now = new Date();
  const rows: string[] = [];
  for (const { id, path, changedAt } of await store.list()) {
    const { header, records } = await store.read(path);
    rows.push(sessionRows({ id, changedAt, ...(header && { header }), state: SessionState.of(records) }, now));
  }
  return rows.length === 0 ? "(no sessions)\n" : neutralise(rows.join("\n")) + "\n";
}

async function readableText(store: SessionStore, { id, path }: SessionFile): Promise<string> {
  const { records } = await store.read(path);
  const { title, turns } = SessionState.of(records);
  return transcriptText(title ?? turns[0]?.text ?? id, transcriptOf(records));
}

async function jsonText(store: SessionStore, { id, path }: SessionFile, redactor: Redactor): Promise<string> {
  const { header, records, damaged } = await store.read(path);
  const state = SessionState.of(records);
  const { usage, steps, messages } = state.past();
  const { cwd, createdAt, model, mode, forkedFrom } = header ?? {};
  const { title, turns, charges } = state;
  const cost = charges.reduce((sum, { charge }) => sum + (charge.cost?.total ?? 0), 0);
  const facts = { id, title, cwd, createdAt, model, mode, forkedFrom, damaged, usage, steps, costUsd: cost };
  // each text by itself: in the whole a pattern could reach over the end of one
  const redact = (_key: string, value: unknown) => typeof value === "string" ? redactor.redact(value) : value;
  return JSON.stringify({ ...facts, turns: turns.length, messages, records }, redact, 2) + "\n";
}
