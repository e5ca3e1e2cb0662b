/**
 * One session in the forms in which it can be taken away.
 *
 * @module
 */

import { FolderKeeper } from "../agent/session_keep.ts";
import { SessionState } from "../agent/session_state.ts";
import type { SessionFile, SessionStore } from "../agent/session_store.ts";
import { transcriptOf } from "../agent/session_transcript.ts";
import { join } from "../permissions/os_path.ts";
import { sessionPage } from "./export_html.ts";
import { transcriptText } from "./session_text.ts";

/** Makes a text of a session. `redact` takes out what must not be shown. */
export type SessionExport = (
  store: SessionStore,
  file: SessionFile,
  redact: (text: string) => string,
) => Promise<string>;

/** Markdown. */
export const textExport: SessionExport = async (store, { id, path }, redact) => {
  const { records } = await store.read(path);
  const { title, turns } = SessionState.of(records);
  return redact(transcriptText(title ?? turns[0]?.text ?? id, transcriptOf(records)));
};

/** JSON for programs: facts, the messages as they stand, and all records. */
export const jsonExport: SessionExport = async (store, { id, path }, redact) => {
  const { header, records, damaged } = await store.read(path);
  const state = SessionState.of(records);
  const { usage, steps, messages } = state.past();
  const { cwd, createdAt, model, mode, forkedFrom } = header ?? {};
  const { title, turns, costUsd } = state;
  const facts = { id, title, cwd, createdAt, model, mode, forkedFrom, damaged, usage, steps, costUsd };
  // each text by itself: in the whole a pattern could reach over the end of one
  const clean = (_key: string, value: unknown) => typeof value === "string" ? redact(value) : value;
  return JSON.stringify({ ...facts, turns: turns.length, messages, records }, clean, 2) + "\n";
};

/** A page that needs nothing beside itself. */
export const htmlExport: SessionExport = async (store, { id, path }, redact) => {
  const { header, records } = await store.read(path);
  const kept = new FolderKeeper(join(store.folderOf(id), "before"));
  return await sessionPage({
    id,
    ...(header && { header }),
    state: SessionState.of(records),
    entries: transcriptOf(records),
    contentBefore: (hash) => kept.get(hash),
    redact,
  });
};
