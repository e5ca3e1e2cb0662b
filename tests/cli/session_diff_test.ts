import { assertEquals, assertStringIncludes } from "@std/assert";
import { Session } from "../../src/agent/session.ts";
import { makeStyles } from "../../src/cli/ansi.ts";
import { sessionDiff } from "../../src/cli/session_diff.ts";
import { tempDir } from "../testing/tool_context.ts";

Deno.test({
  name: "the changes of a session show nothing of what a file was replaced by a link to",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using dir = await tempDir({ outside: "somebody else's\n", ours: "changed\n" });
    await Deno.symlink(dir.join("outside"), dir.join("link"));
    await using session = new Session({ id: "s", cwd: dir.path, redact: (text) => text });
    const files = ["link", "ours"].map((name) => ({ path: dir.join(name), before: null, after: "" }));
    const text = await sessionDiff(session, files, makeStyles(false));
    assertStringIncludes(text, "changed");
    assertEquals(text.includes("somebody"), false);
  },
});
