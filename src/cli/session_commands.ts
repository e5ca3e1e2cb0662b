/**
 * The commands of a conversation that is kept: shorten it, go back in it, take changes back, go on with another one.
 *
 * @module
 */

import { changedFiles, lastChangedTurn, undoFrom, type UndoReport } from "../agent/undo.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import { relative } from "../permissions/os_path.ts";
import type { Command } from "./commands.ts";
import { exportSession } from "./export_session.ts";
import type { KeptConversation } from "./kept_conversation.ts";
import { ageText, oneLine } from "./session_text.ts";

/** The table, in the order of the help. */
export function sessionCommands(kept: KeptConversation): Command[] {
  return [
    {
      name: "compact",
      usage: "[FOCUS]",
      summary: "make the conversation shorter; the focus is looked at in particular",
      async run(focus, { signal, print }) {
        const done = await kept.agent.compact(signal, focus === "" ? undefined : focus);
        if (!done) print("There is nothing to leave out yet");
      },
    },
    {
      name: "resume",
      usage: "[ID]",
      summary: "list this folder's sessions, or go on with one",
      async run(id, { print }) {
        if (id === "") return print(await listText(kept));
        for (const notice of await kept.resume(id)) print(notice);
        print(`Going on with session ${kept.session.id.slice(0, 8)}: ${kept.agent.messages.length} messages`);
      },
    },
    {
      name: "fork",
      summary: "go on with a copy of this session",
      async run(_args, { print }) {
        const from = kept.session.id;
        await kept.fork();
        print(`Going on with session ${kept.session.id.slice(0, 8)}, a copy of ${from.slice(0, 8)}`);
      },
    },
    {
      name: "rename",
      usage: "TITLE",
      summary: "give this session a title",
      async run(title, { print }) {
        if (title === "") throw new Error("Cannot rename the session: write /rename TITLE");
        await kept.session.add({ type: "title", title });
        print(`Title: ${title}`);
      },
    },
    {
      name: "undo",
      summary: "take back the file changes of the last turn that made some",
      async run(_args, { print }) {
        const turn = lastChangedTurn(kept.session);
        if (turn === undefined) return print("There are no changes to take back");
        const report = await undoFrom(kept.session, turn);
        await tellModel(kept, report);
        print(reportText(kept, report));
      },
    },
    {
      name: "diff",
      summary: "what this session has changed in files",
      async run(_args, { styles, print }) {
        const files = changedFiles(kept.session);
        const { sessionDiff } = await import("./session_diff.ts");
        print(files.length === 0 ? "(no changes)" : await sessionDiff(kept.session, files, styles));
      },
    },
    {
      name: "rewind",
      usage: "[TURN [files|talk|both]]",
      summary: "list the turns, or go back to before one",
      async run(args, { print }) {
        if (args === "") return print(turnsText(kept));
        const { turn, files, talk } = readRewind(args, kept);
        if (files) {
          const report = await undoFrom(kept.session, turn);
          if (!talk) await tellModel(kept, report);
          print(reportText(kept, report));
        }
        if (!talk) return;
        await kept.rewind(turn);
        print(`The conversation goes on from before turn ${turn}: ${kept.agent.messages.length} messages`);
      },
    },
    {
      name: "export",
      usage: "[FILE.html|.md|.json]",
      summary: "write this session to a file",
      async run(file, { print }) {
        print(`Wrote ${await exportSession(kept, file)}`);
      },
    },
  ];
}

async function listText({ store, cwd }: KeptConversation): Promise<string> {
  if (!store) throw new Error("Cannot list sessions: it is not known where they are kept");
  if (!isHeld({ name: "read", path: store.folder })) throw new Error("Cannot list sessions: no --allow-read");
  const rows: string[] = [];
  for (const { id, changedAt, header, state } of await store.summaries()) {
    if (header?.cwd !== cwd) continue;
    const said = oneLine(state.title ?? state.turns[0]?.text ?? "", 60);
    rows.push(`${id.slice(0, 8)}  ${ageText(Date.now() - changedAt.getTime())}  ${said}`);
    if (rows.length === MAX_LISTED) break;
  }
  return rows.length === 0 ? "(no sessions of this folder)" : rows.join("\n");
}

const MAX_LISTED = 20;

function turnsText({ session }: KeptConversation): string {
  const { turns, changes } = session.state;
  const rows = turns.map(({ number, text }) => {
    const files = new Set(changes.filter(({ turn, undone }) => turn === number && !undone).map(({ path }) => path));
    const note = files.size === 0 ? "" : `  (${files.size} ${files.size === 1 ? "file" : "files"})`;
    return `${String(number).padStart(3)}  ${oneLine(text, 60)}${note}`;
  });
  return rows.length === 0 ? "(no turns yet)" : rows.join("\n");
}

function readRewind(args: string, { session }: KeptConversation): { turn: number; files: boolean; talk: boolean } {
  const [number = "", what = "both", ...more] = args.split(/\s+/);
  const turn = Number(number);
  const { length } = session.state.turns;
  if (!Number.isInteger(turn) || turn < 1 || turn > length) {
    throw new Error(`There is no turn "${number}": /rewind lists them`);
  }
  if (more.length > 0 || !["files", "talk", "both"].includes(what)) {
    throw new Error(`Cannot take back "${what}": it is files, talk or both`);
  }
  return { turn, files: what !== "talk", talk: what !== "files" };
}

/** Without this the model would trust in what is no longer there. */
async function tellModel({ agent, cwd }: KeptConversation, { restored }: UndoReport): Promise<void> {
  if (restored.length === 0) return;
  const names = restored.map((path) => relative(cwd, path));
  await agent.note(`(The user has taken back your changes to these files: ${names.join(", ")})`);
}

function reportText({ cwd }: KeptConversation, { restored, removed, refused, byCommands }: UndoReport): string {
  const name = (path: string) => neutralise(relative(cwd, path));
  const lines = [
    ...restored.map((path) => `${removed.includes(path) ? "Removed" : "Restored"} ${name(path)}`),
    ...refused.map(({ path, reason }) => `Left alone ${name(path)}: ${reason}`),
    ...(byCommands.length > 0 ? [`Changed by commands, not taken back: ${byCommands.map(name).join(", ")}`] : []),
  ];
  return lines.length === 0 ? "There are no changes to take back" : lines.join("\n");
}
