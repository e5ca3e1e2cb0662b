import { assertEquals } from "@std/assert";
import { standingView } from "../../src/permissions/standing_view.ts";
import { HAS_SANDBOX, USERS, withGround } from "../testing/sandbox_ground.ts";
import { tempDir } from "../testing/tool_context.ts";

Deno.test("a standing program finds the top of a workspace read-only, and writes in the folders that are there", async () => {
  await using dir = await tempDir({
    "src/a.ts": "",
    "docs/b.md": "",
    ".git/HEAD": "",
    ".config/x": "",
    "a.txt": "",
    "secret/key": "",
  });
  await Deno.symlink("/etc", dir.join("link"));
  const view = {
    writable: [dir.path, "/var/cache/x"],
    masked: [{ path: dir.join("secret"), type: "folder" }] as const,
    readable: ["/opt"],
  };
  const nested = { anchored: [dir.join("src/.git")], protected: [dir.join("src/.git/config")] };
  const top = { anchored: [dir.join(".git")], protected: [dir.join(".git/config")] };
  const state = {
    anchored: [...top.anchored, ...nested.anchored],
    protected: [...top.protected, ...nested.protected],
    fleeting: new Set<string>(),
  };
  assertEquals(standingView(view, state, [dir.path]), {
    writable: ["/var/cache/x", dir.join("docs"), dir.join("src")],
    masked: view.masked,
    readable: ["/opt", dir.path],
    ...nested,
    absent: [],
    fleeting: new Set<string>(),
  });
});

for (const { name, prefix } of USERS) {
  Deno.test({
    name: `a standing program in the sandbox, as ${name}`,
    ignore: !HAS_SANDBOX,
    async fn() {
      await withGround({ prefix }, async (ground) => {
        const made = await ground.run(
          "mkdir -p src/sub && git init -q src/sub && echo a > top.txt && echo b > src/x.txt",
        );
        assertEquals(made.code, 0, made.stderr);
        const { code, stdout } = await ground.run(
          `ls -A
          for f in src/new.txt src/x.txt; do echo y > $f && echo "$f written"; done
          for f in new.txt top.txt .npmrc .git/config .git/hooks/x src/sub/.git/config ../outside/y way-out/y; do
            (echo y > $f) 2>/dev/null && echo "$f WRITTEN"
          done
          mkdir .vscode 2>/dev/null && echo MADE
          mv .git g 2>/dev/null && echo MOVED
          cat top.txt`,
          { standing: true },
        );
        assertEquals([code, stdout], [0, ".git\nsrc\ntop.txt\nway-out\nsrc/new.txt written\nsrc/x.txt written\na\n"]);
      });
    },
  });
}
