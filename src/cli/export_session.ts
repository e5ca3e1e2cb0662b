/**
 * `/export`: this session as a file.
 *
 * @module
 */

import { isHeld } from "../permissions/held.ts";
import { resolve } from "../permissions/os_path.ts";
import type { KeptConversation } from "./kept_conversation.ts";
import { htmlExport, jsonExport, textExport } from "./session_exports.ts";

/**
 * Writes the session to a file; its ending says as what.
 *
 * @param name Relative to the working folder. Without one a page is written under the session's ID.
 * @returns The path.
 * @throws {Error} If it cannot be written, or something stands there.
 */
export async function exportSession({ session, store, cwd, redact }: KeptConversation, name: string): Promise<string> {
  if (!store || !session.isKept) throw new Error("Cannot export the session: nothing of it is saved");
  const path = resolve(cwd, name === "" ? `mini-agent-${session.id.slice(0, 8)}.html` : name);
  const form = /\.(html|md|json)$/.exec(path)?.[1];
  if (!form) throw new Error(`Cannot export to "${name}": its name must end in .html, .md or .json`);
  if (!isHeld({ name: "write", path })) throw new Error(`Cannot write "${path}": no --allow-write`);
  const make = form === "html" ? htmlExport : form === "json" ? jsonExport : textExport;
  const text = await make(store, await store.find(session.id), redact);
  try {
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    throw new Error(`Cannot write "${path}": ${reasonOf(error)}`, { cause: error });
  }
  return path;
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AlreadyExists) return "something stands there already, give another name";
  if (error instanceof Deno.errors.NotFound) return "its folder does not exist";
  return error instanceof Error ? error.message.replace(/ \(os error \d+\).*$/s, "") : String(error);
}
