/**
 * From the command line to an exit code. What a run does not need is not loaded.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import { type CliOptions, parseCommandLine } from "./args.ts";
import { EXIT } from "./exit_codes.ts";
import help from "./help.txt" with { type: "text" };
import { StreamSink } from "./output.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the program.
 *
 * @param args The command line without the program's name.
 * @returns The exit code.
 */
export async function run(args: readonly string[]): Promise<number> {
  const stdout = new StreamSink(Deno.stdout);
  const stderr = new StreamSink(Deno.stderr);
  try {
    const options = parseCommandLine(args);
    const text = await textFor(options);
    if (text === undefined) return await start(options);
    stdout.write(text);
    await stdout.flush();
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { neutralise } = await import("../permissions/neutralise.ts"); // a project's words may be in it
    stderr.write(neutralise(error.message) + "\n");
    if (wantsObject(args)) {
      const { unbegunResult } = await import("./json_events.ts");
      stdout.write(JSON.stringify(unbegunResult(error.message)) + "\n");
    }
    await Promise.all([stdout.flush(), stderr.flush()]);
    return EXIT.usage;
  }
}

/** Whether a program reads the output. Goes by the words alone: the command line may be what is wrong. */
function wantsObject(args: readonly string[]): boolean {
  const words = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const isHeadless = words.some((word) => /^(-p|--print)$/.test(word));
  return isHeadless && /(^| )--output-format[= ](json|stream-json)( |$)/.test(words.join(" "));
}

/** What is only printed. */
async function textFor(options: CliOptions): Promise<string | undefined> {
  if (options.help) return help;
  if (options.version) return `mini-agent ${VERSION}\n`;
  switch (options.subcommand?.name) {
    case "permissions":
      return await (await import("./permissions_command.ts")).permissionsText(options);
    case "sessions":
      return await (await import("./sessions_command.ts")).sessionsText(options);
    default:
      return undefined;
  }
}

async function start(options: CliOptions): Promise<number> {
  if (options.subcommand?.name === "replay") return await (await import("./replay_command.ts")).start(options);
  if (options.subcommand?.name === "doctor") return await (await import("./doctor_command.ts")).start(options);
  if (options.subcommand?.name === "mcp") return await (await import("./mcp_command.ts")).start(options);
  refuseUnbuilt(options);
  if (options.print) return await (await import("./run_headless.ts")).start(options);
  return await (await import("./run_interactive.ts")).start(options);
}

/** What is not built yet is said, never silently ignored. */
function refuseUnbuilt({ subcommand }: CliOptions): void {
  if (!subcommand) return;
  throw new ConfigError(`"mini-agent ${subcommand.name}" is not built yet: this version does not have it`);
}
