/**
 * What a session has changed in files, as a person sees it.
 *
 * @module
 */

import type { Session } from "../agent/session.ts";
import type { FileChange } from "../agent/undo.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { withLineFeeds } from "../tools/cr_lines.ts";
import { decodeText } from "../tools/text_file.ts";
import type { Styles } from "./ansi.ts";
import { diffRows } from "./diff_view.ts";

const COLUMNS = 100;
const MAX_ROWS = 200;

/** The changes of these files, from before the session to now. */
export async function sessionDiff(session: Session, files: readonly FileChange[], styles: Styles): Promise<string> {
  const look = { styles, neutralise, columns: COLUMNS };
  const parts: string[] = [];
  for (const { path, before } of files) {
    const earlier = decode(await session.contentBefore(before));
    const now = decode(await contentNow(path));
    if (earlier === now) continue;
    parts.push(
      [styles.bold(neutralise(path)), ...diffRows({ before: earlier, after: now }, look, MAX_ROWS)].join("\n"),
    );
  }
  return parts.length === 0 ? "(no changes)" : parts.join("\n\n");
}

/** Nothing of what has become a link, a pipe or a device: it is not the file that was changed. */
async function contentNow(path: string): Promise<Uint8Array | undefined> {
  try {
    if (!isHeld({ name: "read", path }) || !(await Deno.lstat(path)).isFile) return undefined;
    return await Deno.readFile(path);
  } catch {
    return undefined;
  }
}

/** As the tools read it: in its own encoding, and with its own line ends. */
function decode(bytes: Uint8Array | undefined): string {
  const file = bytes && decodeText(bytes);
  return file ? withLineFeeds(file.text) : new TextDecoder().decode(bytes);
}
