/**
 * Repositories, worktrees and configuration that lie below the top of a workspace before a command runs in the sandbox.
 */

import { assert, assertEquals } from "@std/assert";
import { hooksInTree } from "../../src/permissions/git_folders.ts";
import { type Ground, HAS_SANDBOX, runAs, USERS, withGround } from "../testing/sandbox_ground.ts";
import { tempDir } from "../testing/tool_context.ts";

const ignore = !HAS_SANDBOX;
const GIT = "git -c user.name=x -c user.email=x@x -c protocol.file.allow=always";

/** Runs a script outside the sandbox: what the person does. */
async function prepare({ workspace }: Ground, prefix: string[], script: string): Promise<void> {
  const env = { PATH: "/usr/bin:/bin", HOME: workspace.home! };
  const { code, stderr } = await runAs(prefix)(["sh", "-ec", `cd '${workspace.cwd}'; ${script}`], env);
  assertEquals([code, stderr], [0, ""]);
}

/** Every path in the workspace, with the text of files. */
async function contents(folder: string): Promise<string> {
  const script = `cd '${folder}' && find . | sort && find . -type f | sort | xargs tail -n +1`;
  return (await runAs([])(["sh", "-c", script], { PATH: "/usr/bin:/bin" })).stdout;
}

for (const user of USERS) {
  Deno.test({
    name: `the sandbox keeps a nested repository as it is, as ${user.name}`,
    ignore,
    fn: () =>
      withGround(user, async (ground) => {
        const { workspace: { cwd }, run } = ground;
        await prepare(
          ground,
          user.prefix,
          "git init -q sub; mkdir sub/.mini-agent sub/.vscode; echo {} > sub/.mini-agent/config.json; echo {} > sub/.mcp.json",
        );
        const before = await contents(cwd);
        const attacks = [
          "echo x > sub/.git/hooks/post-commit",
          "git -C sub config core.fsmonitor x",
          "echo x >> sub/.git/config",
          "echo x > sub/.git/info/attributes",
          "mv sub/.git sub/git2",
          "mv sub/.git/hooks sub/.git/hooks2",
          "rm -rf sub/.git/hooks",
          "mkdir evil; mv sub/.git sub/git2; ln -sfnT ../evil sub/.git",
          "chmod 777 sub/.git/config",
          "ln -f sub/x sub/.git/config",
          "echo x > sub/.mini-agent/config.json",
          "echo x > sub/.mini-agent/new",
          "echo x > sub/.mcp.json",
          "mv sub/.mcp.json sub/other",
          "ln -sf x sub/.mcp.json",
          "echo x > sub/.vscode/tasks.json",
        ];
        for (const attack of attacks) {
          const { code, moved, changed } = await run(`${attack}; status=$?; rm -rf evil; exit $status`);
          assertEquals([attack, code !== 0, moved, changed], [attack, true, [], []]);
        }
        assertEquals(await contents(cwd), before);
        const commit = await run(`echo x > sub/x && ${GIT} -C sub add x && ${GIT} -C sub commit -qm x`);
        assertEquals([commit.code, commit.stderr, commit.moved, commit.changed], [0, "", [], []]);
        assertEquals((await run("git -C sub log --oneline | wc -l")).stdout.trim(), "1");
      }),
  });
}

Deno.test({
  name: "the sandbox keeps submodules and worktrees as they are, and commits work in them",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async (ground) => {
      const { workspace: { cwd }, run } = ground;
      const commit = `${GIT} commit -q --allow-empty -m x`;
      await prepare(
        ground,
        [],
        `git init -q ../home/lib; cd ../home/lib; ${commit}; cd '${cwd}'; ${commit}; ` +
          `${GIT} submodule --quiet add ../home/lib deps/lib; git worktree add -q tree; ` +
          `git init -q nested; cd nested; ${commit}; git worktree add -q ../tree2; cd ..; ` +
          "git init -q --separate-git-dir=apart user",
      );
      const attacks = [
        "echo x >> .git/modules/deps/lib/config",
        "mv .git/modules .git/m && mkdir -p .git/modules/deps/lib",
        "mv .git/modules/deps .git/modules/d",
        "mv .git/modules/deps/lib .git/modules/deps/l",
        "echo /x > .git/worktrees/tree/commondir",
        "mv .git/worktrees/tree .git/worktrees/t",
        "mv .git/worktrees .git/w",
        "echo 'gitdir: /x' > deps/lib/.git",
        "rm tree/.git",
        "echo /x > nested/.git/worktrees/tree2/commondir",
        "mv nested/.git/worktrees nested/.git/w",
        "echo x >> apart/config",
        "mv apart elsewhere",
      ];
      for (const attack of attacks) {
        const { code, moved, changed } = await run(attack);
        assertEquals([attack, code !== 0, moved, changed], [attack, true, [], []]);
      }
      for (const folder of ["deps/lib", "tree", "nested", "tree2", "user"]) {
        const { code, stderr, moved, changed } = await run(`cd ${folder} && ${commit}`);
        assertEquals([folder, code, stderr, moved, changed], [folder, 0, "", [], []]);
      }
      const { moved } = await run("printf '[core]\\n fsmonitor = x\\n' > .git/worktrees/tree/config.worktree");
      assertEquals(moved, [`${cwd}/.git/worktrees/tree/config.worktree`]);
    }),
});

Deno.test({
  name: "the sandbox keeps the hooks that a repository takes from its working tree",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async (ground) => {
      const { workspace: { cwd }, run } = ground;
      await prepare(
        ground,
        [],
        "git config core.hooksPath tools/hooks; mkdir -p tools/hooks; echo ours > tools/hooks/x",
      );
      for (const attack of ["echo x > tools/hooks/pre-commit", "echo x > tools/hooks/x", "rm -r tools/hooks"]) {
        const { code, moved, changed } = await run(attack);
        assertEquals([attack, code !== 0, moved, changed], [attack, true, [], []]);
      }
      assertEquals((await run("echo x > tools/other")).code, 0);
      const away = await run("mv tools t; mkdir -p tools/hooks; echo x > tools/hooks/pre-commit");
      assertEquals([away.moved, away.changed], [[], [`${cwd}/tools/hooks`]]);
      await prepare(ground, [], "rm -r tools");
      const { moved } = await run("mkdir -p tools/hooks; echo x > tools/hooks/pre-commit");
      assertEquals(moved, [`${cwd}/tools/hooks`]);
    }),
});

Deno.test({
  name: "the sandbox keeps such hooks however git's configuration names them",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async (ground) => {
      const { workspace: { cwd }, run } = ground;
      await prepare(ground, [], "mkdir -p 'my hooks#1'");
      const config = await Deno.readTextFile(`${cwd}/.git/config`);
      const ways = [
        '[core] hooksPath = "my hooks#1"',
        '[core]\n\thooksPath = "my hooks#1" ; ours',
        '[core]\n\thooksPath = other\n\tHooksPath=my\\ hooks"#"1 # ours'.replace("\\ ", " "),
      ];
      for (const way of ways) {
        await Deno.writeTextFile(`${cwd}/.git/config`, `${config}${way}\n`);
        const { code } = await run("echo x > 'my hooks#1/pre-commit'");
        assertEquals([way, code !== 0], [way, true]);
      }
    }),
});

Deno.test({
  name: "the sandbox names changes of protected paths that it does not cover, and what a command replaces by a link",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async (ground) => {
      const { workspace: { cwd }, run } = ground;
      await prepare(
        ground,
        [],
        "for n in $(seq 20); do git init -q many/$n; done; mkdir docs links; echo ours > docs/AGENTS.md; " +
          "mkdir links/real; ln -s real links/.vscode; mkdir -p node_modules/p; git init -q node_modules/p",
      );
      const after = async (script: string) => {
        const { moved, changed } = await run(script);
        return {
          moved: moved.map((path) => path.slice(cwd.length + 1)),
          changed: changed.map((path) => path.slice(cwd.length + 1)),
        };
      };
      assertEquals(await after("echo theirs > docs/AGENTS.md"), { moved: [], changed: ["docs/AGENTS.md"] });
      const all = "for n in $(seq 20); do echo x > many/$n/.git/hooks/post-commit; done";
      const { moved, changed } = await after(all);
      const reached: string[] = [];
      for (let n = 1; n <= 20; n++) {
        const hook = `many/${n}/.git/hooks`;
        if (await Deno.lstat(`${cwd}/${hook}/post-commit`).then(() => true, () => false)) reached.push(hook);
      }
      assertEquals(moved, []);
      assertEquals(changed.toSorted(), reached.toSorted());
      assert(reached.length > 0 && reached.length <= 15, `${reached.length} of 20 were not covered`);
      assertEquals(await after(all.replace("post-commit", "pre-push")), { moved: [], changed }, "and named each time");
      assertEquals(await after("echo x >> node_modules/p/.git/config"), {
        moved: [],
        changed: ["node_modules/p/.git/config"],
      });
      assertEquals(await after("rm links/.vscode; mkdir links/.vscode"), { moved: ["links/.vscode"], changed: [] });
      assertEquals((await after("rm -rf node_modules")).moved, [], "packages can be removed as a whole");
    }),
});

Deno.test({
  name: "the sandbox covers a repository that the person made between two commands",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async (ground) => {
      const { run } = ground;
      assertEquals((await run("true")).code, 0);
      await prepare(ground, [], "git init -q later");
      const { code, moved, changed } = await run("echo x >> later/.git/config");
      assertEquals([code !== 0, moved, changed], [true, [], []]);
    }),
});

Deno.test({
  name: "a pipe in the place of git's configuration is not waited for",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using dir = await tempDir({ "git/HEAD": "" });
    const config = dir.join("git/config");
    const fill = `mkfifo "$0" && printf 'hooksPath = hooks' > "$0"`;
    const writer = new Deno.Command("sh", { args: ["-c", fill, config] }).spawn(); // waits for a reader
    while (!await Deno.stat(config).then(() => true, () => false));
    const found = hooksInTree(dir.join("git"), dir.path);
    writer.kill();
    await writer.status;
    assertEquals(found, undefined);
    await Deno.remove(config);
    await Deno.writeTextFile(config, "hooksPath = hooks");
    assertEquals(hooksInTree(dir.join("git"), dir.path), dir.join("hooks"));
  },
});
