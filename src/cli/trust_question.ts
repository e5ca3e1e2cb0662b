/**
 * The question whether a project's configuration may run something, put once before the conversation begins.
 *
 * @module
 */

import { visible } from "../permissions/neutralise.ts";
import type { Styles } from "./ansi.ts";
import type { TrustQuestion } from "./project_trust.ts";
import { terminalSize } from "./terminal.ts";
import { paint, wrap, wrapHard } from "./wrap.ts";

/** Stands before the answer. */
export const TRUST_LABEL = "Trust this project? [y]es, until this changes, or [N]o: ";

/** All that would run, whole, with invisible characters made visible. Foreign text never begins a row. */
export function trustRows(
  { folder, changed, entries, sandbox }: TrustQuestion,
  { styles, columns }: { styles: Styles; columns: number },
): string[] {
  const place = oneLine(folder);
  const hasServers = entries.some(({ kind }) => kind === "mcp_server");
  const how = hasServers
    ? "by themselves, MCP servers from the start on and with the network"
    : "by themselves, as hooks do";
  const heading = changed
    ? "This project's .mini-agent/config.json has changed, and would run:"
    : `This project's .mini-agent/config.json would ${hasServers ? "run or reach" : "run commands of its own"}:`;
  const ours = (text: string, indent: number) =>
    wrap([{ text }], Math.max(1, columns - indent)).map((spans) => " ".repeat(indent) + paint(spans));
  const row = (text: string, indent: number) =>
    wrapHard([{ text }], Math.max(1, columns - indent)).map((spans) => " ".repeat(indent) + paint(spans));
  return [
    ...ours(heading, 0).map(styles.bold),
    ...row(place, 2).map(styles.grey),
    ...entries.flatMap(({ content }) => {
      const [when = "", ...command] = visible(content).replaceAll("\t", "    ").split("\n");
      return [...row(when, 2), ...command.flatMap((line) => row(line, 4))];
    }),
    ...ours(`They would run ${how}; sandbox: ${oneLine(sandbox)}`, 2).map(styles.grey),
  ];
}

/** Whether an answer is a yes: whatever else it is, is a no. */
export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Asks at the terminal of the process, which is as the shell left it. The end of the input is a no. */
export async function askTrust(question: TrustQuestion, styles: Styles): Promise<boolean> {
  const rows = trustRows(question, { styles, columns: terminalSize().columns });
  await write([...rows, TRUST_LABEL].join("\n"));
  const buffer = new Uint8Array(4096);
  const count = await Deno.stdin.read(buffer).catch(() => null);
  if (count === null) await write("\n");
  return count !== null && isYes(new TextDecoder().decode(buffer.subarray(0, count)));
}

function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "⟨U+000A⟩");
}

async function write(text: string): Promise<void> {
  for (let bytes = new TextEncoder().encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(await Deno.stdout.write(bytes));
  }
}
