/**
 * Finds the session that a run goes on with, or says where a new one will be kept.
 *
 * @module
 */

import { Session } from "../agent/session.ts";
import type { SessionText } from "../agent/session_read.ts";
import { SESSION_VERSION } from "../agent/session_records.ts";
import { SessionState } from "../agent/session_state.ts";
import { folderOf, type SessionFile, SessionStore } from "../agent/session_store.ts";
import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { basename, dirname, join } from "../permissions/os_path.ts";
import type { CliOptions } from "./args.ts";

/** What was asked for, and where to look. */
export interface SessionSearch {
  options: Pick<CliOptions, "continue" | "resume" | "fork" | "save" | "cwd">;
  /** The folder that the program was started for, canonical. */
  here: string;
  dataFolder: string | undefined;
}

/** What is known of the session before its folder's configuration is read. */
export interface FoundSession {
  /** The folder to work in, canonical. */
  cwd: string;
  /** The model of the earlier conversation, `provider/name`. */
  model?: string;
  /** To be said once. */
  notices: string[];
  /** Makes the session, when it is known what must not be written. */
  open(redact: (text: string) => string): Session;
}

/**
 * Finds the session.
 *
 * @throws {ConfigError} If the session that was asked for cannot be had.
 */
export async function findSession(search: SessionSearch): Promise<FoundSession> {
  const { options, here, dataFolder } = search;
  const store = dataFolder === undefined ? undefined : new SessionStore(canonical(dataFolder));
  const notices: string[] = [];
  const keeps = options.save && store !== undefined && mayKeep(store, notices);
  if (options.continue || options.resume !== undefined) {
    if (!store) throw new ConfigError("Cannot go on with a session: it is not known where they are kept, set HOME");
    return await findPast(search, { store, keeps, notices });
  }
  if (options.fork) throw new ConfigError("--fork needs a session to copy: add --continue or --resume ID");
  const id = crypto.randomUUID();
  return {
    cwd: here,
    notices,
    open: (redact) => new Session({ id, cwd: here, redact, ...(keeps && { store }) }),
  };
}

async function findPast(
  { options, here }: SessionSearch,
  { store, keeps, notices }: { store: SessionStore; keeps: boolean; notices: string[] },
): Promise<FoundSession> {
  const [{ forkSession }, { SessionLog }] = await Promise.all([
    import("../agent/session_fork.ts"),
    import("../agent/session_log.ts"),
  ]);
  const original = await pick(store, options.resume, here);
  const file = options.fork && keeps ? await forkSession(store, original) : original;
  const { log, text } = keeps
    ? await SessionLog.open(file.path)
    : { log: undefined, text: await store.read(file.path) };
  const { header } = text;
  notices.push(...noticesOf(text));
  const state = SessionState.of(text.records);
  const folder = folderOf(text) ?? here;
  const cwd = await workingFolder(folder, { options, here, id: file.id, notices });
  return {
    cwd,
    ...(header && { model: state.prefix?.model ?? header.model }),
    notices,
    open: (redact) =>
      new Session({
        id: keeps || !options.fork ? file.id : crypto.randomUUID(),
        cwd: folder,
        state,
        redact,
        ...(keeps && { store }),
        ...(log && { log }),
        ...(header && { header }),
      }),
  };
}

/** The session that was named; without a name the last one of this folder. */
async function pick(store: SessionStore, id: string | undefined, here: string): Promise<SessionFile> {
  if (!isHeld({ name: "read", path: store.folder })) {
    throw new ConfigError(`The sessions cannot be read: add --allow-read=${store.folder}`);
  }
  if (id !== undefined) return await store.find(id);
  const newest = await store.newestOf(here);
  if (newest) return newest;
  throw new ConfigError("This folder has no session to go on with: see mini-agent sessions");
}

/** Whether sessions may be written. Never prompts. */
function mayKeep(store: SessionStore, notices: string[]): boolean {
  for (const name of ["read", "write"] as const) {
    if (isHeld({ name, path: store.folder })) continue;
    notices.push(`This session is not saved: no --allow-${name}=${store.folder}`);
    return false;
  }
  return true;
}

/** A session belongs to its folder. An explicit `--cwd` is the person's own choice. */
async function workingFolder(
  folder: string,
  { options, here, id, notices }: { options: { cwd?: string }; here: string; id: string; notices: string[] },
): Promise<string> {
  if (folder === here) return here;
  if (options.cwd !== undefined) {
    notices.push(`Session ${id.slice(0, 8)} belongs to "${folder}": working in "${here}" as --cwd says`);
    return here;
  }
  const isThere = isHeld({ name: "read", path: folder }) &&
    await Deno.stat(folder).then((info) => info.isDirectory, () => false);
  notices.push(
    isThere
      ? `Session ${id.slice(0, 8)} belongs to "${folder}": working there`
      : `The folder of session ${id.slice(0, 8)}, "${folder}", is gone or cannot be read: working in "${here}"`,
  );
  return isThere ? folder : here;
}

function noticesOf({ header, damaged, later }: SessionText): string[] {
  const records = (count: number) => `${count || "no"} ${count === 1 ? "record was" : "records were"}`;
  const isLater = later > 0 || (header?.version ?? 0) > SESSION_VERSION;
  return [
    ...(damaged > 0 ? [`The session's file is damaged: ${records(damaged)} skipped`] : []),
    ...(isLater ? [`A later version of mini-agent has written to the session: ${records(later)} skipped`] : []),
  ];
}

/** Resolves links as far as the path exists: the model is told paths in it, and those are compared. */
function canonical(path: string): string {
  if (!isHeld({ name: "read", path })) return path;
  try {
    return Deno.realPathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(canonical(parent), basename(path));
  }
}
