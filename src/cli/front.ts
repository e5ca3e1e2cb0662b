/**
 * The person's side of an interactive run: a terminal that can be drawn on, or plain lines.
 *
 * @module
 */

import type { UI } from "../agent/ui.ts";
import { makeStyles, type Styles, takesStyles } from "./ansi.ts";
import { loadHistory } from "./input_history.ts";
import type { LoopOptions } from "./inputs.ts";
import { LineLoop } from "./line_loop.ts";
import { LineReader } from "./line_reader.ts";
import { EXIT } from "./exit_codes.ts";
import { LiveScreen } from "./live_screen.ts";
import { StreamSink } from "./output.ts";
import { PlainUI } from "./plain_ui.ts";
import { Questions } from "./questions.ts";
import { Repl } from "./repl.ts";
import { listen, SIGNAL_EXIT } from "./signals.ts";
import { Terminal, terminalSize } from "./terminal.ts";
import { TerminalUI } from "./terminal_ui.ts";

/** What decides how a run looks. */
export interface FrontOptions {
  /** The value of `TERM`. */
  term?: string | undefined;
  /** The value of `NO_COLOR`. */
  noColor?: string | undefined;
  /** Makes control and invisible characters of foreign text harmless; line ends and tabs stay. */
  neutralise(text: string): string;
}

/** Shows a conversation and reads what the person says. */
export interface Front {
  readonly ui: UI;
  readonly styles: Styles;
  /** Runs the conversation until the person leaves. Returns the exit code. */
  run(options: LoopOptions): Promise<number>;
}

/** Opens the best front that standard input and output allow. Nothing is drawn before it runs. */
export function openFront(options: FrontOptions): Front {
  const { term, noColor } = options;
  const isTerminal = Deno.stdout.isTerminal();
  const styles = makeStyles(takesStyles({ isTerminal, noColor, term }));
  return term !== "dumb" && Terminal.works() ? terminalFront(options, styles) : plainFront(options, styles);
}

function terminalFront({ neutralise }: FrontOptions, styles: Styles): Front {
  let repl: Repl | undefined;
  const terminal: Terminal = new Terminal({
    onKeys: (keys) => repl?.onKeys(keys),
    onRedraw: (how) => screen.redraw(how),
    onSignal: (signal) => repl?.onSignal(signal),
    onRelease: () => screen.withdraw(),
  });
  const screen = new LiveScreen({ write: (text) => terminal.write(text), size: terminalSize });
  screen.withdraw(); // until the terminal is open
  const questions = new Questions(() => screen.refresh());
  const ui = new TerminalUI({ screen, styles, questions, neutralise });
  return {
    ui,
    styles,
    async run(options) {
      const history = await loadHistory(options.history);
      repl = new Repl(options, { screen, questions, view: ui, history, suspend: () => terminal.suspend() });
      terminal.open();
      screen.redraw({ cleared: true });
      try {
        return await repl.run();
      } finally {
        ui.endTurn();
        screen.close();
        terminal.close();
      }
    },
  };
}

function plainFront({ neutralise }: FrontOptions, styles: Styles): Front {
  let loop: LineLoop | undefined;
  const stdout = new StreamSink(Deno.stdout, () => loop?.end(EXIT.pipe));
  const write = (text: string) => stdout.write(text);
  // Lines from a pipe were written before any question was known: they are no answers to it.
  const echoes = Deno.stdin.isTerminal();
  const questions = echoes ? new Questions(() => void loop?.answer()) : undefined;
  const look = () => ({ styles, neutralise, columns: Deno.stdout.isTerminal() ? terminalSize().columns : 100 });
  const ui = new PlainUI({ write, look, questions });
  return {
    ui,
    styles,
    async run(options) {
      loop = new LineLoop(options, { lines: new LineReader(Deno.stdin), view: ui, write, echoes, questions });
      const release = listen({
        SIGINT: () => loop?.cancel(),
        SIGTERM: () => loop?.end(SIGNAL_EXIT.SIGTERM),
        SIGHUP: () => loop?.end(SIGNAL_EXIT.SIGHUP),
      });
      try {
        return await loop.run();
      } finally {
        release();
        await stdout.flush();
      }
    },
  };
}
