import { assert, assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { readFile } from "../../src/tools/read_file.ts";
import { writeFile } from "../../src/tools/write_file.ts";
import { isInstalled } from "../testing/git.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

/** Exchanges a folder and a link to another one, as fast as it can. */
const SWAP = `
import ctypes
libc = ctypes.CDLL(None)
while True:
    libc.renameat2(-100, b"d", -100, b"l", 2)
`;

Deno.test({
  name: "no text is written or read outside while a program swaps a folder of the workspace for a link",
  ignore: Deno.build.os !== "linux" || !isInstalled("python3"),
  async fn() {
    await using dir = await tempDir({ "work/d/s": "inside", "out/s": "outside" });
    await Deno.symlink("../out", dir.join("work/l"));
    const cwd = dir.join("work");
    const swapping = new Deno.Command("python3", { args: ["-c", SWAP], cwd }).spawn();
    const context = () => newToolContext({ cwd });
    let written = 0;
    const read = new Set<string>();
    try {
      const end = performance.now() + 4000;
      for (let n = 0; performance.now() < end; n++) {
        await writeFile.execute({ path: `d/new/${n}`, content: "x" }, context()).then(() => written++, () => {});
        await writeFile.execute({ path: `d/${n}`, content: "x" }, context()).then(() => written++, () => {});
        await readFile.execute({ path: "d/s" }, context()).then(({ content }) => read.add(content), () => {});
      }
    } finally {
      swapping.kill("SIGKILL");
      await swapping.status;
    }
    assert(written > 10, `only ${written} were written at all`);
    assertEquals([...read].map((content) => content.includes("inside")), [true]);
    // what was made there by mistake is empty, and removed if the link stands still for a moment
    const full: string[] = [];
    for await (const { path, isFile } of walk(dir.join("out"))) {
      if (isFile && Deno.statSync(path).size > 0) full.push(path);
    }
    assertEquals(full, [dir.join("out/s")]);
    assertEquals(await Deno.readTextFile(dir.join("out/s")), "outside");
  },
});
