/**
 * Tells the model what the sandbox may have done to a command: why it failed, or what ended with it.
 *
 * @module
 */

import { tokenize } from "../permissions/shell_tokens.ts";

const NETWORK =
  /network is unreachable|could(?: not|n't) resolve|name resolution|name or service not known|nodename nor servname|no such host|ENETUNREACH|EAI_AGAIN|ENOTFOUND/i;
const FILES =
  /read-only file system|permission denied|operation not permitted|device or resource busy|EROFS|EACCES|EPERM|EBUSY/i;

/** What may have been in the way, as lines for the end of a result. */
export function sandboxHint(output: string, hasNetwork: boolean): string[] {
  const hints: string[] = [];
  if (!hasNetwork && NETWORK.test(output)) {
    hints.push('The command ran in a sandbox without network: if it needs it, ask with needs "network"');
  }
  if (FILES.test(output)) {
    hints.push(
      "The command ran in a sandbox that writes only in the workspace, and nothing protected there:" +
        ' to leave it, ask with needs "outside"',
    );
  }
  return hints;
}

/** Whether a text tells of a file that the sandbox may have kept something from. */
export function tellsOfFiles(text: string): boolean {
  return FILES.test(text);
}

/**
 * Whether a command leaves something in the background: `npm start &`. On Linux nothing outlives its command in the
 * sandbox, and nothing in the output tells of it.
 */
export function leavesBackground(command: string): boolean {
  try {
    const { tokens } = tokenize(command);
    const at = tokens.findLastIndex(({ type, text }) => type === "operator" && text === "&");
    return at !== -1 && !tokens.slice(at).some(({ type, text }) => type === "word" && text === "wait");
  } catch {
    return false; // no shell would run it
  }
}
