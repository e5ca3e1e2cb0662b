import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { findFiles } from "../../src/tools/find_files.ts";
import { searchFiles } from "../../src/tools/search_files.ts";
import { isInstalled } from "../testing/git.ts";
import { newToolContext, type TempDir, tempDir } from "../testing/tool_context.ts";

const PATH = Deno.env.get("PATH") ?? "";

/** Some 100 MB in files, and one line of 50 MB. */
async function largeTree(): Promise<TempDir> {
  const dir = await tempDir();
  const text = new TextEncoder().encode("some words that stand in a line of text\n".repeat(1200));
  for (let folder = 0; folder < 50; folder++) {
    await Deno.mkdir(dir.join(`d${folder}`));
    for (let file = 0; file < 40; file++) await Deno.writeFile(dir.join(`d${folder}/${file}.txt`), text);
  }
  await Deno.writeFile(dir.join("z.txt"), new TextEncoder().encode("ab ".repeat(17_000_000)));
  return dir;
}

/** Milliseconds from the abortion, at this time after the start, to the end of the call. */
async function timeToStop(afterMs: number, run: (signal: AbortSignal) => Promise<unknown>): Promise<number> {
  const controller = new AbortController();
  let abortedAt = 0;
  setTimeout(() => {
    abortedAt = performance.now();
    controller.abort();
  }, afterMs);
  const error = await assertRejects(() => run(controller.signal), DOMException);
  assert(error === controller.signal.reason);
  return performance.now() - abortedAt;
}

Deno.test("search_files stops within 200 ms wherever it is interrupted, with and without rg", async () => {
  await using dir = await largeTree();
  const environments = [{}, ...isInstalled("rg") ? [{ PATH }] : []];
  for (const env of environments) {
    for (const pattern of ["nowhere to be found", "(?:a|b|ab)+ x", "[^ ]{3}\\d"]) {
      for (const afterMs of [5, 60]) {
        const elapsedMs = await timeToStop(afterMs, (signal) => {
          const context = newToolContext({ cwd: dir.path, signal, child: { env } });
          return searchFiles.execute({ pattern }, context);
        });
        assert(elapsedMs < 200, `${elapsedMs} ms for ${pattern} after ${afterMs} ms`);
      }
    }
  }
});

Deno.test({
  name: "search_files lets a signal of the system through while it works",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await largeTree();
    const arrived = Promise.withResolvers<number>();
    const listener = () => arrived.resolve(Date.now());
    Deno.addSignalListener("SIGUSR2", listener);
    const controller = new AbortController();
    try {
      const script = `sleep 0.2; date +%s%3N; kill -USR2 ${Deno.pid}`;
      const sender = new Deno.Command("sh", { args: ["-c", script], stdout: "piped" }).spawn();
      const context = newToolContext({ cwd: dir.path, signal: controller.signal, child: { env: {} } });
      const search = (async () => {
        while (true) await searchFiles.execute({ pattern: "nowhere to be found" }, context);
      })();
      search.catch(() => {});
      const arrivedAt = await arrived.promise;
      controller.abort();
      const { stdout } = await sender.output();
      const elapsedMs = arrivedAt - Number(new TextDecoder().decode(stdout));
      assert(elapsedMs < 300, `${elapsedMs} ms`);
    } finally {
      Deno.removeSignalListener("SIGUSR2", listener);
    }
  },
});

Deno.test("find_files stops within 200 ms in a tree of many folders", async () => {
  await using dir = await tempDir();
  for (let i = 0; i < 8000; i++) await Deno.mkdir(dir.join(`${i % 20}/${i}`), { recursive: true });
  const elapsedMs = await timeToStop(10, async (signal) => {
    while (true) await findFiles.execute({ pattern: "*.x" }, newToolContext({ cwd: dir.path, signal }));
  });
  assert(elapsedMs < 200, `${elapsedMs} ms`);
});

Deno.test("search_files, find_files and list_files name what Deno does not let them read", async () => {
  await using dir = await tempDir({ "open/a.txt": "needle", "closed/b.txt": "needle", "c.txt": "needle" });
  const source = new URL("../../", import.meta.url);
  await using program = await tempDir({
    "main.ts": `
      const [{ searchFiles }, { findFiles }, { listFiles }] = await Promise.all(
        ["search", "find", "list"].map((name) => import(\`${source}src/tools/\${name}_files.ts\`)),
      );
      const cwd = Deno.args[0];
      const context = {
        cwd, signal: new AbortController().signal, workspace: { cwd, roots: [cwd] }, granted: new Set(), child: { env: {} },
      };
      console.log((await searchFiles.execute({ pattern: "needle" }, context)).content);
      console.log((await findFiles.execute({ pattern: "*.txt" }, context)).content);
      console.log((await listFiles.execute({}, context)).content);
    `,
  });
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      `--config=${fromFileUrl(source)}deno.json`,
      `--allow-read=${dir.path},${fromFileUrl(source)}`,
      `--deny-read=${dir.join("closed")}`,
      program.join("main.ts"),
      dir.path,
    ],
    stdin: "null",
  }).output();
  const note = "[cannot be read: closed/]";
  assertEquals(new TextDecoder().decode(stdout).split("\n"), [
    ...["c.txt:1:needle", "open/a.txt:1:needle", "[2 matching lines in 2 files]", note],
    ...["c.txt", "open/a.txt", note],
    ...["c.txt", "closed/", "open/", "  a.txt", note],
    "",
  ], new TextDecoder().decode(stderr));
});
