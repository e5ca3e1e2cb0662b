/**
 * What the executables may do. Their grants are fixed when they are built and nothing they are told can widen them.
 *
 * @module
 */

/** An executable and the Deno flags it is built with. */
export interface Program {
  name: string;
  flags: readonly string[];
}

/** No dependency that is not there already, no package from npm, never a question about a permission. */
const CLOSED = ["--no-prompt", "--cached-only", "--no-npm"];

/** Services in the cloud hand out keys to whoever asks from inside, at addresses of this range. */
const DENY_METADATA = "--deny-net=169.254.0.0/16";

/** The providers' hosts, and models on this machine. */
const HOSTS = ["api.deepseek.com", "api.openai.com", "api.anthropic.com", "127.0.0.1", "localhost", "[::1]"];

const KEY_VARIABLES = [
  "DEEPSEEK_API_KEY",
  "DEEPSEEK_BASE_URL",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "AGENT_MODEL",
];

/** Where the user's files are, and what the terminal can show. */
const PLAIN_VARIABLES = [
  ...["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_*", "MINI_AGENT_HOME", "TMPDIR"],
  ...["NO_COLOR", "FORCE_COLOR", "TERM", "TERM_PROGRAM", "COLORTERM", "COLUMNS", "LINES", "CI"],
  ...["LANG", "LC_*", "TZ"],
];

/** Does everything an agent does. The start task and scripts/run.sh have the same grants. */
export const MINI_AGENT: Program = {
  name: "mini-agent",
  flags: [
    "--allow-read",
    "--allow-write",
    "--allow-run",
    "--allow-net",
    "--allow-env",
    DENY_METADATA,
    ...CLOSED,
  ],
};

/** Reads and answers; cannot write or run anything. */
export const MINI_AGENT_RO: Program = {
  name: "mini-agent-ro",
  flags: [
    "--allow-read",
    `--allow-net=${HOSTS.join(",")}`,
    `--allow-env=${[...KEY_VARIABLES, ...PLAIN_VARIABLES].join(",")}`,
    "--deny-write",
    "--deny-run",
    "--deny-ffi",
    ...CLOSED,
  ],
};

/** The systems `deno task compile --all` builds for. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** One run of `deno compile`. */
export interface Build {
  target: string;
  /** The file it makes, below dist/. */
  output: string;
  args: string[];
}

/**
 * The runs of `deno compile` that a target takes.
 *
 * @param options.target The system to build for.
 * @param options.inName Whether the files are named after it, so that several systems fit side by side.
 */
export function buildsFor({ target, inName }: { target: string; inName: boolean }): Build[] {
  return [MINI_AGENT, MINI_AGENT_RO].map(({ name, flags }) => {
    const output = `${name}${inName ? `-${target}` : ""}${target.includes("windows") ? ".exe" : ""}`;
    return {
      target,
      output,
      args: ["compile", ...flags, "--target", target, "--output", `dist/${output}`, "main.ts"],
    };
  });
}
