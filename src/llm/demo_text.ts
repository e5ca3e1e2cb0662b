/**
 * What the demo model makes of a folder: which file is worth a look, and the first thing that a newcomer reads.
 *
 * @module
 */

import type { DemoCall } from "./demo.ts";

const MAX_NAMES = 12;
const MAX_LINES = 6;
const MAX_LINE_LENGTH = 100;

/** Names of files that are text and worth reading, the best first. */
const WORTH_READING: readonly RegExp[] = [
  /^readme(\.(md|txt|rst|adoc))?$/i,
  /\.(md|rst|adoc)$/i,
  /\.txt$/i,
  /\.(ts|tsx|js|jsx|mjs|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|lua|sh|sql)$/i,
  /^(makefile|dockerfile|license)$/i,
  /\.(toml|ya?ml|jsonc?|html|css|csv)$/i,
];

/** Names behind which keys and passwords stand: never read, whatever their ending. */
const SECRET = /secret|passw|credential|token|private|apikey|api_key|^id_|^\.|\.(pem|key|p12|pfx|kdbx|env)(\.|$)/i;

/**
 * Chooses the file of a listing that tells most about the folder: the nearer, the better.
 *
 * @returns Its path, or `undefined` if there is no text file that is safe to read.
 */
export function fileToRead(listing: string): string | undefined {
  const files = pathsOf(listing)
    .filter((path) => !path.endsWith("/") && !path.split("/").some((name) => SECRET.test(name)))
    .toSorted((a, b) => a.split("/").length - b.split("/").length);
  return WORTH_READING.map((pattern) => files.find((path) => pattern.test(baseName(path)))).find(Boolean);
}

/** Says in prose what the calls of a turn have shown, and who is speaking. */
export function demoSummary(calls: readonly DemoCall[]): string {
  return [...calls.map(paragraphOf), ABOUT_ME].join("\n\n");
}

const ABOUT_ME = "I am the demo model: I follow fixed rules, so I can look around but neither think nor change " +
  "anything. To work with a real model, set `DEEPSEEK_API_KEY` (or `OPENAI_API_KEY`, or `ANTHROPIC_API_KEY`) and start " +
  "again; the same question will then get a real answer.";

function paragraphOf({ name, path, output, isError }: DemoCall): string {
  if (isError) return `The call of \`${name}\` did not work: ${cut(output.split("\n")[0] ?? "")}`;
  if (name === "list_files") return aboutFolder(pathsOf(output));
  if (name === "read_file") return aboutFile(path ?? "the file", output);
  return `The call of \`${name}\` gave ${output.length} characters.`;
}

function aboutFolder(paths: readonly string[]): string {
  const entries = paths.filter((path) => !path.slice(0, -1).includes("/"));
  if (entries.length === 0) return "This folder is empty.";
  const folders = entries.filter((entry) => entry.endsWith("/")).length;
  const counts = [counted(entries.length - folders, "file"), counted(folders, "folder")].filter((count) =>
    count !== ""
  );
  const names = entries.slice(0, MAX_NAMES).map((entry) => `\`${entry}\``).join(", ");
  const more = entries.length > MAX_NAMES ? `, and ${entries.length - MAX_NAMES} more` : "";
  return `This folder holds ${counts.join(" and ")}: ${names}${more}.`;
}

function aboutFile(path: string, output: string): string {
  const lines = fileLines(output).map((line) => cut(line.trimEnd()));
  const first = lines.slice(0, lines.findLastIndex((line, i) => i < MAX_LINES && line !== "") + 1);
  if (first.length === 0) return cut(output.split("\n")[0] ?? "");
  const fence = first.some((line) => line.includes("```")) ? "~~~~" : "```";
  return `\`${path}\` begins like this:\n\n${fence}\n${first.join("\n")}\n${fence}`;
}

/** The first lines of a file, without the numbers that `read_file` puts in front of them. */
function fileLines(output: string): string[] {
  return output.split("\n", 100).flatMap((line) => /^ *\d+→(.*)$/.exec(line)?.[1] ?? []);
}

/** The paths in a tree as `list_files` draws it; links and remarks in brackets are left out. */
function pathsOf(listing: string): string[] {
  const folders: string[] = [];
  return listing.split("\n").flatMap((line) => {
    const name = line.trimStart();
    if (name === "" || name.startsWith("[") || name.startsWith("(") || name.includes(" -> ") || name.endsWith("]")) {
      return [];
    }
    const depth = (line.length - name.length) / 2;
    folders.length = Math.min(folders.length, depth);
    const path = folders.join("") + name;
    if (name.endsWith("/")) folders.push(name);
    return path;
  });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function cut(line: string): string {
  const points = [...line.slice(0, 2 * MAX_LINE_LENGTH)];
  return points.length <= MAX_LINE_LENGTH ? line : `${points.slice(0, MAX_LINE_LENGTH).join("")}…`;
}
