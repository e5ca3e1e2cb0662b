/**
 * The whole program as a person starts it: a process of its own, in a fresh home and a fresh project.
 *
 * @module
 */

import { fromFileUrl } from "@std/path/from-file-url";
import { type TempDir, tempDir } from "./tool_context.ts";

/** The program itself. */
export const MAIN = fromFileUrl(new URL("../../main.ts", import.meta.url));

/** The grants of the `mini-agent` executable. */
export const FULL_GRANTS = ["--allow-read", "--allow-write", "--allow-run", "--allow-net", "--allow-env"];

/** How the program is started. */
export interface ProgramOptions {
  /** Deno's flags behind `run --no-prompt --cached-only`. */
  grants?: readonly string[];
  /** Beside HOME, PATH and the XDG folders. */
  env?: Record<string, string>;
  /** Written to standard input, which is then closed. `null`: it stays open and silent. */
  stdin?: string | null;
}

/** How a run ended. */
export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A run that goes on. */
export interface RunningProgram {
  readonly pid: number;
  /** Resolves when standard output holds this text. Rejects if the program ends without it. */
  prints(text: string): Promise<void>;
  kill(signal: Deno.Signal): void;
  /** Closes standard output, as a reader does who has seen enough. */
  closeStdout(): Promise<void>;
  readonly result: Promise<ProgramResult>;
}

/** A project and a home of its own for one test. */
export class Box implements AsyncDisposable {
  readonly #dir: TempDir;

  private constructor(dir: TempDir) {
    this.#dir = dir;
  }

  /** @param files Of the project: relative path to content. */
  static async create(files: Record<string, string | Uint8Array> = {}): Promise<Box> {
    const inProject = Object.entries(files).map(([path, content]) => [`project/${path}`, content] as const);
    const dir = await tempDir(Object.fromEntries([...inProject, ["home/.keep", ""], ["project/.keep", ""]]));
    await Deno.remove(dir.join("project/.keep"));
    return new Box(dir);
  }

  /** The working folder. */
  get project(): string {
    return this.#dir.join("project");
  }

  /** A path in the project. */
  path(...parts: string[]): string {
    return this.#dir.join("project", ...parts);
  }

  /** A path in the home folder. */
  home(...parts: string[]): string {
    return this.#dir.join("home", ...parts);
  }

  /** Writes the person's configuration. */
  async configure(config: unknown): Promise<void> {
    await Deno.mkdir(this.home(".config/mini-agent"), { recursive: true });
    await Deno.writeTextFile(this.home(".config/mini-agent/config.json"), JSON.stringify(config));
  }

  /** Runs the program to its end. */
  async run(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
    return await this.start(args, options).result;
  }

  /** Starts the program. */
  start(args: readonly string[], { grants = FULL_GRANTS, env = {}, stdin = "" }: ProgramOptions = {}): RunningProgram {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--cached-only", "--no-check", ...grants, MAIN, ...args],
      cwd: this.project,
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: this.home(),
        ...(denoDir() && { DENO_DIR: denoDir() }),
        DENO_NO_UPDATE_CHECK: "1",
        NO_PROXY: "127.0.0.1",
        ...env,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    if (stdin !== null) void feed(child.stdin, stdin);
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let stdout = "";
    let ended = false;
    let news = Promise.withResolvers<void>();
    const pump = async () => {
      for (;;) {
        const { value } = await reader.read().catch(() => ({ value: undefined }));
        stdout += value ?? "";
        ended = value === undefined;
        news.resolve();
        news = Promise.withResolvers();
        if (ended) return;
      }
    };
    const finish = async (): Promise<ProgramResult> => {
      const [, stderr, { code }] = await Promise.all([pump(), new Response(child.stderr).text(), child.status]);
      if (stdin === null) await child.stdin.close().catch(() => {});
      return { code, stdout, stderr };
    };
    return {
      pid: child.pid,
      async prints(text) {
        while (!stdout.includes(text)) {
          if (ended) throw new Error(`The program has ended without printing ${JSON.stringify(text)}: ${stdout}`);
          await news.promise;
        }
      },
      kill: (signal) => child.kill(signal),
      closeStdout: () => reader.cancel(),
      result: finish(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dir[Symbol.asyncDispose]();
  }
}

/** The cache of this very process: with another home the program would compile itself anew each time. */
function denoDir(): string {
  const home = Deno.env.get("HOME");
  return Deno.env.get("DENO_DIR") ?? (home ? `${home}/.cache/deno` : "");
}

async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program has ended without reading it.
  }
}
