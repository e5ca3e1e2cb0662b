/**
 * Kills the program at random moments and looks at what is left: nothing that it had acknowledged may be lost, and
 * nothing that changes things may run twice.
 *
 *     deno run -A scripts/kill_harness.ts [--points 200] [--seed 1]
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { chatReply, FakeService, type RecordedRequest, type Step } from "../tests/testing/fake_service.ts";
import { Box } from "../tests/testing/program.ts";
import { type Random, seeded } from "../tests/testing/random.ts";

/** Where a kill can hit. */
const PHASES = ["start", "stream", "tool", "compaction"] as const;
type Phase = typeof PHASES[number];

/** What one kill came to. */
export interface KillResult {
  phase: Phase;
  /** The program was killed before it ended by itself. */
  hit: boolean;
  /** What is wrong; empty if all is well. */
  faults: string[];
  /** Records that the program had acknowledged before it died. */
  acknowledged: number;
}

const WINDOW = 20_000;
const GAP_MS = 3;
const env = (service: FakeService) => ({ DEEPSEEK_API_KEY: "test-key-1234567890", DEEPSEEK_BASE_URL: service.url });

/** Runs one conversation, kills it in a phase, resumes it and compares. */
export async function killOnce(phase: Phase, random: Random): Promise<KillResult> {
  await using box = await Box.create({ "big.txt": "some words\n".repeat(2000) });
  await box.configure({ models: { "deepseek-flash": { contextWindow: WINDOW } } });
  const conversation = new Conversation(phase, random);
  await using service = new FakeService((request) => conversation.reply(request));
  const args = ["-p", "--mode", "full", "--output-format", "stream-json", "do the work"];
  const program = box.start(args, { env: env(service) });
  const kill = () => {
    try {
      program.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended by itself
    }
  };
  conversation.onMoment = kill;
  const timer = phase === "start" ? setTimeout(kill, random.below(250)) : undefined;
  const { code, stdout } = await program.result;
  clearTimeout(timer);
  conversation.onMoment = undefined;
  await using second = new FakeService("fine");
  const resumed = await box.run(["-p", "--mode", "full", "-c", "go on"], { env: env(second) });
  const ran = await ranCommands(box);
  const acknowledged = acknowledgedIn(stdout);
  const faults = [
    ...duplicates(ran).map((name) => `${name} ran twice`),
    ...faultsOf({ ...resumed, sent: second.requests[0], said: service.requests.length > 0, acknowledged, ran }),
    ...await missingInFile(box, acknowledged),
  ];
  return { phase, hit: code !== 0, faults, acknowledged: acknowledged.length };
}

/** The model's side: three commands that leave a mark, a write, a full window, a summary. Kills when its moment is there. */
class Conversation {
  onMoment: (() => void) | undefined;
  readonly #target: number;
  readonly #delayMs: number;
  readonly #phase: Phase;
  #count = 0;

  constructor(phase: Phase, random: Random) {
    this.#phase = phase;
    this.#target = random.below(phase === "tool" ? STEPS.length : STEPS.length + 1); // the last reply has no call
    this.#delayMs = random.below(phase === "tool" ? 60 : 40) + (phase === "tool" ? 8 * GAP_MS : 0);
  }

  reply({ body }: RecordedRequest): Step {
    const isSummary = JSON.stringify(body.messages.at(-1)).includes("write a summary");
    const number = this.#count;
    if (!isSummary) this.#count++;
    if (this.#phase === "compaction" ? isSummary : !isSummary && number === this.#target) {
      setTimeout(() => this.onMoment?.(), this.#delayMs);
    }
    return slowly(isSummary ? { text: "What was done so far" } : STEPS[number] ?? { text: "all done" });
  }
}

const mark = (name: string) => ({
  id: name,
  name: "run_command",
  args: { command: `echo ${name} >> log.txt; sleep 0.02` },
});
const STEPS: Parameters<typeof chatReply>[0][] = [
  { text: "I begin", calls: [mark("m0")] },
  {
    text: "I go on",
    calls: [{ id: "w", name: "write_file", args: { path: "w.txt", content: "x\n" } }, mark("m1")],
    usage: { prompt_tokens: WINDOW * 0.9, completion_tokens: 10, total_tokens: WINDOW * 0.9 + 10 },
  },
  { text: "I read", calls: [{ id: "r", name: "read_file", args: { path: "big.txt", limit: 20 } }] },
  { text: "I end", calls: [mark("m2")] },
];

function slowly(answer: Parameters<typeof chatReply>[0]): Step {
  const { pieces, ...rest } = chatReply(answer);
  const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return { ...rest, pieces: pieces.flatMap((piece, i) => [after(i * GAP_MS), piece]) };
}

async function ranCommands(box: Box): Promise<string[]> {
  const text = await Deno.readTextFile(box.path("log.txt")).catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

/** Ids of calls and results, and texts, that stood on standard output when the program died. */
function acknowledgedIn(stdout: string): string[] {
  const found: string[] = [];
  for (const line of stdout.split("\n").slice(0, -1)) {
    const { message } = JSON.parse(line);
    for (const block of message?.content ?? []) {
      if (block.type === "text") found.push(`text ${block.text}`);
      if (block.type === "tool_use") found.push(`call ${block.id}`);
      if (block.type === "tool_result") found.push(`result ${block.tool_use_id}`);
    }
  }
  return found;
}

/** What is wrong with the first request after the kill. */
function faultsOf(
  { code, stderr, sent, said, acknowledged, ran }: {
    code: number;
    stderr: string;
    sent: RecordedRequest | undefined;
    said: boolean;
    acknowledged: readonly string[];
    ran: readonly string[];
  },
): string[] {
  if (!sent) return said ? [`nothing was sent after the kill: exit ${code}, ${stderr}`] : [];
  const faults: string[] = code === 0 ? [] : [`the resume ended with ${code}: ${stderr}`];
  const messages: { role: string; content?: string; tool_calls?: { id: string }[]; tool_call_id?: string }[] =
    sent.body.messages;
  const text = JSON.stringify(messages);
  const isShort = text.includes("too long to be kept whole");
  if (said && !text.includes("do the work")) faults.push("the user's text is lost");
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  if (calls.join() !== results.join()) faults.push(`the calls are ${calls}, the results ${results}`);
  if (isShort) return faults; // what is not in the history any more is in the file
  for (const item of acknowledged) {
    const [kind, ...rest] = item.split(" ");
    const name = rest.join(" ");
    const isThere = kind === "text" ? text.includes(name) : (kind === "call" ? calls : results).includes(name);
    if (!isThere) faults.push(`${item} is lost`);
    if (kind === "result" && text.includes(`"${name}","content":"The call was interrupted`)) {
      faults.push(`${item} is lost`);
    }
  }
  for (const name of ran) if (!calls.includes(name)) faults.push(`${name} ran and is not in the history`);
  return faults;
}

/** What the file of the session does not hold, however short the history has become. */
async function missingInFile(box: Box, acknowledged: readonly string[]): Promise<string[]> {
  let text = "";
  const folder = box.home(".local/state/mini-agent/sessions");
  for await (const { name } of acknowledged.length > 0 ? Deno.readDir(folder) : []) {
    if (name.endsWith(".jsonl")) text += await Deno.readTextFile(`${folder}/${name}`);
  }
  const shapes: Record<string, string> = { text: '"text":"', call: '"id":"', result: '"toolUseId":"' };
  return acknowledged.filter((item) => {
    const [kind = "", ...rest] = item.split(" ");
    return !text.includes(`${shapes[kind]}${rest.join(" ")}"`);
  }).map((item) => `${item} is not in the file`);
}

/** Kills at so many random points, two programs at a time. */
export async function killMany(points: number, seed: number): Promise<KillResult[]> {
  const results: KillResult[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < points; i = next++) {
      const result = await killOnce(PHASES[i % PHASES.length]!, seeded(seed * 100_000 + i));
      results.push({ ...result, faults: result.faults.map((fault) => `point ${i}: ${fault}`) });
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

if (import.meta.main) {
  const { points, seed } = parseArgs(Deno.args, { default: { points: 200, seed: 1 } });
  const results = await killMany(Number(points), Number(seed));
  for (const phase of PHASES) {
    const of = results.filter((result) => result.phase === phase);
    const hits = of.filter(({ hit }) => hit).length;
    const faults = of.reduce((sum, result) => sum + result.faults.length, 0);
    const acknowledged = of.reduce((sum, result) => sum + result.acknowledged, 0);
    console.log(`${phase}: ${of.length} points, ${hits} killed, ${acknowledged} acknowledged, ${faults} faults`);
  }
  const faults = results.flatMap((result) => result.faults);
  for (const fault of faults) console.log(fault);
  Deno.exit(faults.length > 0 ? 1 : 0);
}
