/**
 * Calls that a model wrote as text: its own marks for a call got past the service. They are never run, since nobody knows
 * whether they were meant; but they are no answer either.
 *
 * @module
 */

/** A text that ends in calls. */
export interface LeakedCalls {
  /** What stands before them. */
  text: string;
  /** The names of the tools, in order; never empty. */
  names: string[];
}

/** The marks of some families of models: what holds calls, and where a name stands in it. */
const FORMS: readonly { open: string; close: string; name: RegExp }[] = [
  { open: "<｜DSML｜function_calls>", close: "</｜DSML｜function_calls>", name: /<｜DSML｜invoke name="([^"]+)"/g },
  { open: "<｜DSML｜tool_calls>", close: "</｜DSML｜tool_calls>", name: /<｜DSML｜invoke name="([^"]+)"/g },
  { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>", name: /<｜tool▁sep｜>\s*([\w.-]+)/g },
  { open: "<tool_call>", close: "</tool_call>", name: /^<tool_call>\s*(?:\{\s*"name":\s*"|<function=)([\w.-]+)/g },
];

/**
 * Finds calls at the end of a text. Those further in may be what the text is about.
 *
 * @returns `undefined` if there are none.
 */
export function leakedCalls(text: string): LeakedCalls | undefined {
  const names: string[] = [];
  let rest = text.trimEnd();
  for (;;) {
    const form = FORMS.find(({ close }) => rest.endsWith(close));
    const start = form ? rest.lastIndexOf(form.open) : -1;
    const found = form && start >= 0 ? [...rest.slice(start).matchAll(form.name)].map(([, name = ""]) => name) : [];
    if (found.length === 0) break;
    names.unshift(...found);
    rest = rest.slice(0, start).trimEnd();
  }
  return names.length > 0 ? { text: rest, names } : undefined;
}
