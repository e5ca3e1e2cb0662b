import { assert } from "@std/assert";
import { tempDir } from "../testing/tool_context.ts";

const readTool = new URL("../../src/tools/read_file.ts", import.meta.url);
const contexts = new URL("../testing/tool_context.ts", import.meta.url);

/** Reads a file in a process of its own: only there is the memory its own too. */
async function readApart(cwd: string, path: string): Promise<{ ms: number; megabytes: number }> {
  const program = `
    import { readFile } from ${JSON.stringify(readTool)};
    import { newToolContext } from ${JSON.stringify(contexts)};
    const before = Deno.memoryUsage().rss;
    const started = performance.now();
    await readFile.execute(${JSON.stringify({ path })}, newToolContext(${JSON.stringify({ cwd })})).catch(() => {});
    const megabytes = (Deno.memoryUsage().rss - before) / 1e6;
    console.log(JSON.stringify({ ms: performance.now() - started, megabytes }));
  `;
  const args = ["eval", "--no-check", program];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  assert(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("read_file answers about a sparse file of 10 GB within a second and 50 MB", async () => {
  await using dir = await tempDir({ zeros: "", text: "words\n".repeat(3000) });
  for (const path of ["zeros", "text"]) {
    await Deno.truncate(dir.join(path), 10e9);
    const { ms, megabytes } = await readApart(dir.path, path);
    assert(ms < 1000 && megabytes < 50, `${path} took ${ms} ms and ${megabytes} MB`);
  }
});
