/**
 * What a running process has used, from Linux' /proc.
 *
 * @module
 */

/** What a process has used so far. */
export interface Usage {
  /** Milliseconds of processor time, its children not counted. */
  cpuMs: number;
  /** MB (10^6 bytes) of memory at the highest point. */
  peakMb: number;
}

/** Only a program that may do everything reads /proc/PID in Deno; a shell that is asked by process id needs no more than `run`. */
const READER = `while read -r pid; do
  { read -r stat < /proc/$pid/stat && echo "$stat"
    while read -r line; do case $line in VmHWM:*) echo "$line"; break;; esac; done < /proc/$pid/status; } 2>/dev/null
  echo end
done`;

/** A tick of the kernel's accounts: USER_HZ is 100 on every Linux. */
const TICK_MS = 10;

/** Reads usage. Make one for a run. */
export class Meter implements AsyncDisposable {
  readonly #shell = new Deno.Command("sh", { args: ["-c", READER], stdin: "piped", stdout: "piped" }).spawn();
  readonly #writer = this.#shell.stdin.getWriter();
  readonly #reader = this.#shell.stdout.pipeThrough(new TextDecoderStream()).getReader();
  #last: Promise<Usage | undefined> = Promise.resolve(undefined);

  /** What a process has used so far; undefined once it is gone. */
  read(pid: number): Promise<Usage | undefined> {
    return this.#last = this.#last.then(() => this.#ask(pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#writer.close();
    await this.#reader.cancel();
    await this.#shell.status;
  }

  async #ask(pid: number): Promise<Usage | undefined> {
    await this.#writer.write(new TextEncoder().encode(`${pid}\n`));
    let answer = "";
    while (!answer.endsWith("end\n")) answer += (await this.#reader.read()).value ?? "";
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(answer)?.[1];
    if (peak === undefined) return undefined; // it has ended and waits to be collected
    const fields = answer.slice(answer.indexOf(") ") + 2).split(" "); // the name before it may hold blanks
    const ticks = Number(fields[11]) + Number(fields[12]); // utime and stime, numbers 14 and 15 of proc(5)
    return { cpuMs: ticks * TICK_MS, peakMb: Number(peak) * 1024 / 1e6 };
  }
}
