/**
 * A real pseudo terminal, made by `script` of util-linux.
 *
 * @module
 */

/** Whether this machine has `script` of util-linux. */
export async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"], stderr: "null" }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** A shell line that runs in a pseudo terminal of 80 by 24. */
export class PseudoTerminal implements AsyncDisposable {
  /** Everything that was written so far. */
  raw = "";
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #changed = Promise.withResolvers<void>();
  #ended = false;

  constructor(line: string, env: Record<string, string> = {}) {
    this.#child = new Deno.Command("script", {
      args: ["-qfec", `stty sane rows 24 cols 80; ${line}`, "/dev/null"],
      env: { TERM: "xterm-256color", NO_COLOR: "", SHELL: "/bin/sh", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Types. */
  async type(keys: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(keys));
  }

  /** Waits until what was written after `from` fits, and returns where the match ends. */
  async until(pattern: RegExp, from = 0): Promise<number> {
    for (;;) {
      const found = pattern.exec(this.raw.slice(from));
      if (found) return from + found.index + found[0].length;
      if (this.#ended) {
        throw new Error(`The terminal ended without ${pattern}: ${JSON.stringify(this.raw.slice(-500))}`);
      }
      await this.#changed.promise;
    }
  }

  /** Waits for the end of the line and returns all that was written. */
  async end(): Promise<string> {
    await this.#reading;
    return this.raw;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.#input.close().catch(() => {});
    await this.#reading;
    await this.#child.status;
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.raw += text;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    }
    this.#ended = true;
    this.#changed.resolve();
  }
}
