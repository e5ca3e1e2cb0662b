/**
 * The commands that every conversation has.
 *
 * @module
 */

import type { Usage } from "../llm/types.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { EFFORTS, MODES } from "./args.ts";
import type { Command } from "./commands.ts";
import { formatCount } from "./turn_status.ts";

/** The table, in the order of the help. */
export const BUILTIN_COMMANDS: readonly Command[] = [
  {
    name: "help",
    summary: "what can be typed here",
    async run(_args, { commands, columns, styles, print }) {
      const { helpRows } = await import("./help_rows.ts");
      print(helpRows(commands, columns, styles).join("\n"));
    },
  },
  {
    name: "model",
    usage: "[NAME]",
    summary: "show the model, or go on with another one",
    values: (session) => session.models(),
    async run(name, { session, print }) {
      if (name !== "") await session.setModel(name);
      print(`Model: ${session.model()}`);
    },
  },
  {
    name: "mode",
    usage: "[plan|ask|edit|full]",
    summary: "show the permission mode, or change it",
    values: () => MODES,
    async run(mode, { session, print }) {
      if (mode !== "") await session.setMode(mode);
      print(`Mode: ${session.mode()}`);
    },
  },
  {
    name: "effort",
    usage: "[off|low|high|max]",
    summary: "show how much the model thinks, or change it",
    values: () => EFFORTS,
    run(effort, { session, print }) {
      if (effort !== "") session.setEffort(effort);
      print(`Effort: ${session.effort() ?? "as the model's service decides"}`);
    },
  },
  {
    name: "tools",
    summary: "what the model can do, and what is missing",
    async run(_args, { session, columns, styles, print }) {
      const { listRows } = await import("./list_rows.ts");
      const entries = session.tools().map(({ name, summary, missing }) => {
        const style = missing ? styles.grey : undefined;
        // Names and summaries may come from a server that is not ours.
        const text = neutralise(missing ? `not offered: ${missing}` : summary).replaceAll("\n", " ");
        return { name: neutralise(name), text, nameStyle: style, textStyle: style };
      });
      print(entries.length === 0 ? "(no tools)" : listRows(entries, columns).join("\n"));
    },
  },
  {
    name: "permissions",
    summary: "what this process may do, and the line that starts one with more",
    async run(_args, { session, clean, print }) {
      const rows = await session.permissions();
      print(rows.map((row) => clean(row).replaceAll("\n", " ")).join("\n"));
    },
  },
  {
    name: "mcp",
    summary: "the MCP servers and their tools",
    async run(_args, { session, clean, print }) {
      const rows = await session.servers();
      print(rows.map((row) => clean(row).replaceAll("\n", " ")).join("\n"));
    },
  },
  {
    name: "jobs",
    summary: "the commands in the background",
    async run(_args, { session, clean, print }) {
      const jobs = session.jobs();
      if (jobs.length === 0) return print("(nothing was started in the background)");
      const { exitLine } = await import("../tools/exit_line.ts");
      const rows = jobs.map(({ id, command, durationMs, status }) => {
        const seconds = `${Math.round(durationMs / 1000)} s`;
        const state = status ? `${exitLine(status)} after ${seconds}` : `running for ${seconds}`;
        return `${id}  ${state}  ${clean(command).replaceAll("\n", " ")}`;
      });
      print(rows.join("\n"));
    },
  },
  {
    name: "usage",
    summary: "messages, tokens and cost so far",
    run(_args, { session, print }) {
      const usage = session.usage();
      const [context, window] = [session.contextTokens(), session.contextWindow()];
      const rows = [
        ["Messages", String(session.messages().length)],
        ["Context", `${formatCount(context)} of ${formatCount(window)} tokens (${percent(context, window)})`],
        ["Input", `${formatCount(inputOf(usage))} tokens (${percent(usage.cacheReadTokens, inputOf(usage))} cached)`],
        ["Output", `${formatCount(usage.outputTokens)} tokens`],
        ["Cost", formatCost(session.cost())],
      ];
      print(rows.map(([name, value]) => `${name!.padEnd(9)} ${value}`).join("\n"));
    },
  },
  {
    name: "cost",
    summary: "what it cost, by model and day",
    run(_args, { session, print }) {
      const entries = session.cost();
      const rows = entries.map((entry) => {
        const { day, model, tariff, requests, usage } = entry;
        const rate = tariff === undefined ? "" : ` at $${Number(tariff.toPrecision(6))}/M`;
        const tokens = `${formatCount(inputOf(usage))} in, ${formatCount(usage.outputTokens)} out`;
        return `${day} ${model}${rate}: ${formatCost([entry])} (${requests} ${
          requests === 1 ? "request" : "requests"
        }, ${tokens})`;
      });
      print(rows.length === 0 ? "(nothing was asked yet)" : rows.join("\n"));
    },
  },
  {
    name: "dump",
    summary: "the messages as JSON, thinking included",
    run(_args, { session, clean, print }) {
      print(clean(JSON.stringify(session.messages(), null, 2)));
    },
  },
  {
    name: "init",
    usage: "[FOCUS]",
    summary: "let the model write an AGENTS.md for this folder",
    run: (focus) => ({ message: focus === "" ? INIT : `${INIT} Look at this in particular: ${focus}` }),
  },
  {
    name: "reset",
    aliases: ["clear"],
    summary: "forget the conversation",
    async run(_args, { session, print }) {
      await session.reset();
      print("(conversation cleared)");
    },
  },
  {
    name: "exit",
    aliases: ["quit"],
    summary: "leave",
    run: () => ({ exit: true }),
  },
];

const INIT = "Write an AGENTS.md for this folder, or improve the one that is there: what the project is, the exact " +
  "commands that build, run and test it, how the code is laid out, and which conventions hold. Read before you write, " +
  "keep it under 60 lines, and leave out what any programmer knows.";

function inputOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function percent(part: number, whole: number): string {
  return `${(whole > 0 ? part / whole * 100 : 0).toFixed(part > 0 && part < whole / 10 ? 1 : 0)} %`;
}

function formatCost(entries: readonly { cost: { total: number }; unpriced: number }[]): string {
  const total = entries.reduce((sum, { cost }) => sum + cost.total, 0);
  const unpriced = entries.reduce((sum, entry) => sum + entry.unpriced, 0);
  const note = unpriced === 0
    ? ""
    : ` and ${unpriced} ${unpriced === 1 ? "request" : "requests"} without a known price`;
  return `$${total.toFixed(4)}${note}`;
}
