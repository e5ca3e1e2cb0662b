/**
 * How a process and everything that it started is ended: the command line that does it.
 *
 * @module
 */

/**
 * The variable that marks our children. On Linux a process that left its group (`setsid`, a daemon) is still found by
 * it; only one that also emptied its environment gets away, and on other systems whatever leaves the group does. Of a
 * sandbox its first process bears the mark, with which all others end: it leaves the group too, and for a moment while it
 * begins nothing else would end it.
 */
export const MARK_VARIABLE = "MINI_AGENT_CHILD";

/** Which processes to end. */
export interface ProcessTree {
  /** Ids of the processes that were started; off Windows each leads a group of its own. */
  pids: readonly number[];
  /** How the environment entry of all processes to end begins, the name included. */
  mark: string;
  /** How long they may clean up after TERM, in milliseconds; then comes KILL. */
  graceMs: number;
}

/**
 * The command line that ends whole trees. A child does it, because `Deno.kill` of a group needs the permission to run
 * anything, and because it finishes its work even when our own process is gone.
 */
export function endTreeCommand(tree: ProcessTree, os: typeof Deno.build.os): string[] {
  if (os === "windows") return ["taskkill", "/t", "/f", ...tree.pids.flatMap((pid) => ["/pid", String(pid)])];
  const tenths = Math.ceil(tree.graceMs / 100);
  return ["sh", "-c", END_SCRIPT, "sh", tree.mark, String(tenths), ...tree.pids.map(String)];
}

// A dead process that nobody has waited for still counts as a member of its group but has no environment: that is why
// the mark tells who is alive. A process that was started this very moment may not have its group yet. The first pause is
// short, since a sandbox ends at once. KILL goes out twice: what was forked during the first scan is found by the second.
const END_SCRIPT = `
mark=$1 tenths=$2; shift 2
find_marked() { marked=$(grep -lsF -e "$mark" /proc/[0-9]*/environ | tr -cd '0-9\\n'); }
alive() {
  find_marked
  [ -d /proc/$$ ] && { [ -n "$marked" ]; return; }
  for group; do kill -s 0 -- "-$group" 2>/dev/null && return; done
  return 1
}
send() {
  signal=$1; shift
  find_marked
  for group; do kill -s "$signal" -- "-$group" 2>/dev/null || kill -s "$signal" "$group" 2>/dev/null; done
  for pid in $marked; do kill -s "$signal" "$pid" 2>/dev/null; done
}
send TERM "$@"
[ "$#$marked" = 0 ] && exit
pause=0.02
while [ "$tenths" -gt 0 ] && alive "$@"; do sleep $pause; pause=0.1 tenths=$((tenths - 1)); done
send KILL "$@"; send KILL "$@"`;
