import { assertEquals } from "@std/assert";
import { startProcess } from "../../src/tools/process.ts";
import { tempDir } from "../testing/tool_context.ts";

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
