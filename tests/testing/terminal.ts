/**
 * A terminal front for tests, drawn on an emulated screen.
 *
 * @module
 */

import { makeStyles } from "../../src/cli/ansi.ts";
import { LiveScreen } from "../../src/cli/live_screen.ts";
import { Questions } from "../../src/cli/questions.ts";
import { TerminalUI } from "../../src/cli/terminal_ui.ts";
import { neutralise } from "../../src/permissions/neutralise.ts";
import { Screen } from "./screen.ts";

/** A {@linkcode TerminalUI} and what it is drawn on. Close `live` at the end. */
export function newTerminal(options: { columns?: number; rows?: number; styled?: boolean } = {}) {
  const terminal = new Screen(options.columns ?? 60, options.rows ?? 30);
  let raw = "";
  const live = new LiveScreen({
    write(text) {
      raw += text;
      terminal.write(text);
    },
    size: () => ({ columns: terminal.columns, rows: terminal.rows }),
  });
  const questions = new Questions(() => live.refresh());
  const ui = new TerminalUI({ screen: live, styles: makeStyles(options.styled ?? false), questions, neutralise });
  return {
    terminal,
    live,
    questions,
    ui,
    /** Everything that was written, styles included. */
    raw: () => raw,
    /** What a person sees now, empty rows at the end left out. */
    seen() {
      live.flush();
      return terminal.all.trimEnd().split("\n");
    },
  };
}
