/**
 * `mini-agent replay ID`: a recorded session runs again from its recorded replies, without network.
 *
 * @module
 */

import { replay, type ReplayDifference } from "../agent/replay.ts";
import { SessionStore } from "../agent/session_store.ts";
import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import type { CliOptions } from "./args.ts";
import { findFolders } from "./config.ts";
import { EXIT } from "./exit_codes.ts";
import { StreamSink } from "./output.ts";

/** Runs the command. Returns the exit code: 1 if a request is not the recorded one. */
export async function start({ subcommand }: CliOptions): Promise<number> {
  const [id, ...more] = subcommand?.args ?? [];
  if (id === undefined || more.length > 0) throw new ConfigError("Write mini-agent replay ID, with one session ID");
  const { data } = findFolders();
  if (!data) throw new ConfigError("It is not known where the sessions are: set HOME");
  const store = new SessionStore(data);
  if (!isHeld({ name: "read", path: store.folder })) {
    throw new ConfigError(`The sessions cannot be read: add --allow-read=${store.folder}`);
  }
  const file = await store.find(id);
  // from here on nothing can be asked, run or changed, whatever the records hold
  for (const name of ["net", "run", "write"] as const) await Deno.permissions.revoke({ name });
  const { records, damaged } = await store.read(file.path);
  const { requests, difference } = await replay(records);
  const stdout = new StreamSink(Deno.stdout);
  const note = damaged > 0 ? ` (${damaged} damaged ${damaged === 1 ? "record was" : "records were"} skipped)` : "";
  const asked = requests === 1 ? "1 request, as recorded" : `${requests} requests, all as recorded`;
  stdout.write(difference ? differenceText(difference) : `${asked}${note}\n`);
  await stdout.flush();
  return difference ? EXIT.failed : EXIT.done;
}

/** The place with a little around it. */
function differenceText({ request, place, recorded, now }: ReplayDifference): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at++;
  const around = (text: string) => neutralise(text.slice(Math.max(0, at - 60), at + 120));
  return `Request ${request} differs in ${place}, character ${at}\n- ${around(recorded)}\n+ ${around(now)}\n`;
}
