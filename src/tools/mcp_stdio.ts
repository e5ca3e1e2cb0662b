/**
 * A server that is a child process: one message a line on its standard input and output.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import { exitLine } from "./exit_line.ts";
import { readLines } from "./mcp_lines.ts";
import { type Incoming, type Outgoing, readMessages } from "./mcp_message.ts";
import { type McpTransport, TransportError } from "./mcp_peer.ts";
import { movedNotes } from "./moved_notes.ts";
import { decodeOutput, OutputBuffer } from "./output_buffer.ts";
import { readPipe } from "./pipes.ts";
import { type RunningProcess, startProcess } from "./process.ts";
import type { ChildSettings } from "./tool.ts";

/** How a server is started. */
export interface StdioCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Beside the environment that every child has. */
  readonly env: Readonly<Record<string, string>>;
}

/** What comes from a server's process. */
export interface StdioEvents {
  onMessage(message: Incoming): void;
  /** Something that is no message stood on standard output. */
  onNoise(): void;
  /** A line was too long and is lost. */
  onLost(reason: string): void;
  /** The process has ended, or says nothing more; `reason` is the end of a sentence. */
  onEnd(reason: string): void;
  /** Something for the person. */
  onNote(text: string): void;
}

/** Longer lines are left out. A picture may be in one. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Error output that is kept for the case that it ends. */
const STDERR_BYTES = 4096;
/** Of which the last are told. */
const MAX_SAID_CHARS = 600;
/** How long output may still come after the exit. */
const PIPE_GRACE_MS = 100;

/**
 * Starts a server, in the sandbox where there is one, with the network on.
 *
 * @throws {Error} If it cannot be started.
 */
export function startStdio(
  { command, cwd, env }: StdioCommand,
  child: ChildSettings,
  events: StdioEvents,
): McpTransport {
  const process = startProcess(command, {
    ...child,
    cwd,
    env: { ...child.env, ...env },
    network: true,
    standing: true,
    stdin: "piped",
  });
  const writer = process.stdin!.getWriter();
  writer.closed.catch(() => {}); // whoever writes is told
  watch(process, events);
  return {
    isConfined: child.sandbox !== undefined,
    async send(message: Outgoing) {
      try {
        await writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
      } catch (error) {
        await waitMs(2 * PIPE_GRACE_MS); // that it has ended says more
        throw new TransportError("does not read its input", { cause: error });
      }
    },
    async close() {
      writer.close().catch(() => {}); // never done where the server does not read
      await process.end();
    },
  };
}

function watch(process: RunningProcess, events: StdioEvents): void {
  const stderr = new OutputBuffer(STDERR_BYTES);
  const onLine = (line: string) => {
    const messages = readMessages(line);
    if (messages.length === 0 && line.trim() !== "") events.onNoise();
    messages.forEach(events.onMessage);
  };
  const onTooLong = () => events.onLost(`a line of more than ${MAX_LINE_BYTES} bytes`);
  const stdoutEnd = readLines(process.stdout, { maxBytes: MAX_LINE_BYTES, onLine, onTooLong });
  const stderrEnd = readPipe(process.stderr, (bytes) => stderr.write(bytes));
  const drained = Promise.all([stdoutEnd, stderrEnd]);
  process.holdUntil(drained);
  const gone = process.status.then(async (status) => {
    const isLeft = await Promise.race([drained.then(() => false), waitMs(PIPE_GRACE_MS).then(() => true)]);
    return { how: exitLine(status), isLeft };
  });
  const mute = stdoutEnd.then(() => waitMs(PIPE_GRACE_MS)).then(() => ({ how: "closed its output", isLeft: true }));
  void Promise.race([gone, mute]).then(({ how, isLeft }) => {
    const said = neutralise(decodeOutput(stderr.take())).trim();
    const last = said.length > MAX_SAID_CHARS ? `…${said.slice(-MAX_SAID_CHARS).toWellFormed()}` : said;
    events.onEnd(last === "" ? how : `${how}: ${last}`);
    if (isLeft) void process.end();
  });
  void process.movedAside.then((aftermath) => movedNotes(aftermath).forEach(events.onNote), () => {});
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
