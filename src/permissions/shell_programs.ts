/**
 * What is known of programs that run other programs or code: a rule about them says little about what will happen.
 *
 * @module
 */

const SHELLS = words("sh ash bash dash fish ksh mksh tcsh csh zsh pwsh powershell cmd eval source . trap");

/** Programs whose arguments are, or hold, another command. */
const WRAPPERS = words(
  "alias builtin busybox chroot chrt command coproc doas entr env exec fd fdfind find firejail flock gdb ionice",
  "ltrace nice nohup nsenter numactl parallel pkexec run-parts runuser script setarch setpriv setsid ssh stdbuf strace",
  "su sudo systemd-run taskset time timeout toybox unshare watch xargs bwrap ld.so",
);

/** Programs whose arguments are a language of their own, with commands in it, or name a script to run. */
const INTERPRETERS = words(
  "awk gawk mawk nawk bun bunx cargo composer deno docker ed emacs ex expect git go gradle java just kubectl lua make",
  "gmake mvn nix-shell node nodejs npm npx nvim osascript perl php pip pip3 pipx pnpm podman poetry python python2",
  "python3 rake ruby sed sqlite3 tar tclsh uv uvx vi vim yarn",
);

/** Arguments by which a program is given code, which no rule about commands can see into. */
export const INLINE_CODE: Readonly<Record<string, readonly RegExp[]>> = {
  ...each("python python2 python3 perl ruby php lua node nodejs bun osascript tclsh emacs", [
    /^-\w*[ceErp]/,
    /^--(?:eval|print)/,
  ]),
  ...each("awk gawk mawk nawk", [/system|\||getline/]),
  ...each("deno", [/^eval$/]),
  ...each("vi vim nvim ex ed", [/^[-+]/]),
  ...each("sed", [/^[^-].*e|^-\w*e|^--expression/]),
  ...each("tar", [
    /^--(?:checkpoint-action|to-command|use-compress-program|rsh-command|info-script|new-volume)/,
    /^-\w*[IF]/,
  ]),
  ...each("git", [
    /^-c/,
    /^-x$/,
    /^--(?:exec|config-env|upload-pack|receive-pack|extcmd|open-files)/,
    /^ext::/,
    /^(?:foreach|run)$/,
  ]),
  ...each("make gmake", [/^SHELL=/, /^--eval/]),
  ...each("alias shopt enable", [/./]),
};

/** A program's own name: without its folder, without case, without Windows' ending. */
export function programName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).toLowerCase();
  return /^ld(?:-linux.*|-musl.*)?\.so/.test(name) ? "ld.so" : name.replace(/\.(?:exe|cmd|bat)$/, "");
}

/** Whether it runs a script: from an argument, a file or its input. */
export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Whether its arguments are another command. */
export function isWrapper(name: string): boolean {
  return WRAPPERS.has(name);
}

/** Whether what it does depends on code or a subcommand that it is given: `python3.12` too. */
export function isInterpreter(name: string): boolean {
  return INTERPRETERS.has(name) || INTERPRETERS.has(name.replace(/[\d.]+$/, ""));
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

function each(names: string, patterns: readonly RegExp[]): Record<string, readonly RegExp[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, patterns]));
}
