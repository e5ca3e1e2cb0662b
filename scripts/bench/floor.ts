/**
 * The floor: the least code that does the same work. It sends one prompt, reads the streamed reply, runs the calls for
 * `read_file` and `run_command` without asking anybody, sends their results, and prints the answer.
 *
 * @module
 */

const url = `${Deno.env.get("OPENAI_BASE_URL")}/v1/chat/completions`;
const messages: unknown[] = [{ role: "user", content: Deno.args.at(-1) }];
const tools = ["read_file", "run_command"].map((name) => ({ type: "function", function: { name } }));

/** One request; the reply's text and its calls. */
async function ask() {
  const body = JSON.stringify({ model: "bench", stream: true, messages, tools });
  const headers = { "content-type": "application/json", authorization: `Bearer ${Deno.env.get("OPENAI_API_KEY")}` };
  const response = await fetch(url, { method: "POST", headers, body });
  const reply = { text: "", calls: [] as { id: string; name: string; args: string }[] };
  let rest = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const delta = JSON.parse(line.slice("data: ".length)).choices[0]?.delta;
      reply.text += delta?.content ?? "";
      for (const { index, id, function: part } of delta?.tool_calls ?? []) {
        const call = reply.calls[index] ??= { id, name: part.name, args: "" };
        call.args += part.arguments;
      }
    }
  }
  return reply;
}

/** What a call gives. */
async function execute(name: string, args: string): Promise<string> {
  const { path, command } = JSON.parse(args);
  if (name === "read_file") return await Deno.readTextFile(path);
  const { code, stdout } = await new Deno.Command("sh", { args: ["-c", command], stdin: "null" }).output();
  return `${new TextDecoder().decode(stdout)}Exit code ${code}`;
}

for (;;) {
  const { text, calls } = await ask();
  const wire = calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: args } }));
  messages.push({ role: "assistant", content: text, ...(wire.length > 0 && { tool_calls: wire }) });
  for (const { id, name, args } of calls) {
    messages.push({ role: "tool", tool_call_id: id, content: await execute(name, args) });
  }
  if (calls.length > 0) continue;
  await Deno.stdout.write(new TextEncoder().encode(text + "\n"));
  break;
}
