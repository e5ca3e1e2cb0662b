import { assertEquals, assertMatch } from "@std/assert";
import { startProcess } from "../../src/tools/process.ts";
import { tempDir } from "../testing/tool_context.ts";

const NOTHING = { moved: [], changed: [], unwatched: 0 };

Deno.test({
  name: "what ends a tree is never taken from the search path of a child: it runs outside the sandbox",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using dir = await tempDir({ "bin/.keep": "" });
    for (const name of ["sh", "grep", "tr", "sleep", "kill"]) {
      await Deno.writeTextFile(dir.join("bin", name), `#!/bin/sh\necho ${name} >> ${dir.join("ran")}\n`, {
        mode: 0o755,
      });
    }
    const env = { PATH: `${dir.join("bin")}:/usr/bin:/bin` };
    const child = startProcess(["/bin/sh", "-c", "exec /bin/sleep 60"], { cwd: dir.path, env });
    await child.end();
    const { signal } = await child.status;
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
    assertEquals(signal, "SIGTERM");
    assertEquals(await Deno.readTextFile(dir.join("ran")).catch(() => "nothing"), "nothing");
  },
});

Deno.test({
  name: "the sandbox itself bears the mark by which its first process is found, and nothing else of the environment",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const child = startProcess(["never run"], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", SECRET: "s" },
      sandbox: () => ({ command: ["/usr/bin/env"], env: {}, settled: () => Promise.resolve(NOTHING) }),
    });
    const [stdout] = await Promise.all([new Response(child.stdout).text(), child.stderr.cancel(), child.status]);
    assertMatch(stdout, /^MINI_AGENT_CHILD=[\w.-]+\n$/);
  },
});
