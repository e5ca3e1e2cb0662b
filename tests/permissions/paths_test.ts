import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import {
  confine,
  isProtected,
  isSecret,
  PathError,
  pathProblem,
  quotePath,
  resolvePath,
  type Workspace,
} from "../../src/permissions/paths.ts";
import { secretsBelow } from "../../src/permissions/sensitive_paths.ts";

const NFD = "cafe\u0301.txt";
const NFC = "caf\u00e9.txt";

/** A workspace `repo` beside `outside` (with a marker file `s`) and a sibling whose name begins alike. */
async function withWorkspace(run: (workspace: Workspace, base: string) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const folder of ["repo", "outside", "repo-evil", "home"]) await Deno.mkdir(`${base}/${folder}`);
    await Deno.writeTextFile(`${base}/outside/s`, "marker");
    await run({ cwd: `${base}/repo`, roots: [`${base}/repo`], home: `${base}/home` }, base);
    assertEquals(await Deno.readTextFile(`${base}/outside/s`), "marker");
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const nothing = new Set<string>();

Deno.test("resolvePath() knows files, folders and absent paths inside", () =>
  withWorkspace(async (workspace) => {
    await Deno.mkdir(`${workspace.cwd}/src`);
    await Deno.writeTextFile(`${workspace.cwd}/src/a.ts`, "");
    const file = await resolvePath("./src//a.ts", workspace);
    assertEquals(file, {
      given: "./src//a.ts",
      path: `${workspace.cwd}/src/a.ts`,
      place: "inside",
      protected: false,
      secret: false,
      type: "file",
      links: 1,
    });
    assertEquals((await resolvePath(".", workspace)).path, workspace.cwd);
    assertEquals((await resolvePath("src/", workspace)).type, "folder");
    const absent = await resolvePath("src/new/deep/b.ts", workspace);
    assertEquals([absent.type, absent.path, absent.place], ["absent", `${workspace.cwd}/src/new/deep/b.ts`, "inside"]);
    assertEquals(absent.links, undefined);
  }));

Deno.test("resolvePath() places every way out of the workspace outside", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.mkdir(`${workspace.cwd}/a`);
    const ways = [
      "../outside/s",
      `${base}/outside/s`,
      `${workspace.cwd}/./a/../../outside/s`,
      "../repo-evil/x",
      "..",
      "/",
    ];
    for (const way of ways) assertEquals((await resolvePath(way, workspace)).place, "outside", way);
  }));

Deno.test("resolvePath() follows links, also dangling ones and chains, to where they point", () =>
  withWorkspace(async (workspace, base) => {
    const link = (target: string, name: string) => Deno.symlink(target, `${workspace.cwd}/${name}`);
    await link("../outside/s", "file");
    await link("../outside", "folder");
    await link("../outside/none", "dangling");
    await link("dangling/deeper", "chain");
    await Deno.mkdir(`${workspace.cwd}/in`);
    await link("in", "alias");
    const expected: [string, string, string][] = [
      ["file", `${base}/outside/s`, "outside"],
      ["folder/s", `${base}/outside/s`, "outside"],
      ["folder/new/x", `${base}/outside/new/x`, "outside"],
      ["dangling", `${base}/outside/none`, "outside"],
      ["dangling/x", `${base}/outside/none/x`, "outside"],
      ["chain/x", `${base}/outside/none/deeper/x`, "outside"],
      ["alias/new", `${workspace.cwd}/in/new`, "inside"],
      ["folder/../repo/in", `${workspace.cwd}/in`, "inside"],
    ];
    for (const [given, path, place] of expected) {
      const found = await resolvePath(given, workspace);
      assertEquals([given, found.path, found.place], [given, path, place]);
    }
  }));

Deno.test("resolvePath() accepts both spellings of a root that is reached by a link", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.symlink("repo", `${base}/way`);
    for (const given of [`${base}/way/new`, `${base}/repo/new`, "new"]) {
      const found = await resolvePath(given, workspace);
      assertEquals([found.path, found.place], [`${base}/repo/new`, "inside"]);
    }
  }));

Deno.test("resolvePath() finds a name in either Unicode form and keeps the one on disk, also for new files below it", () =>
  withWorkspace(async (workspace) => {
    await Deno.mkdir(`${workspace.cwd}/my dir`);
    await Deno.writeTextFile(`${workspace.cwd}/my dir/${NFD}`, "x");
    assertEquals((await resolvePath(`my dir/${NFC}`, workspace)).path, `${workspace.cwd}/my dir/${NFD}`);
    await Deno.mkdir(`${workspace.cwd}/re\u0301sume\u0301`);
    const below = await resolvePath("r\u00e9sum\u00e9/new.txt", workspace);
    assertEquals([below.path, below.type], [`${workspace.cwd}/re\u0301sume\u0301/new.txt`, "absent"]);
    const exact = await resolvePath(`my dir/${NFD}`, workspace);
    assertEquals(exact.type, "file");
  }));

Deno.test("resolvePath() refuses with a reason what it cannot resolve for certain", () =>
  withWorkspace(async (workspace) => {
    await Deno.symlink("loop", `${workspace.cwd}/loop`);
    await Deno.symlink("b", `${workspace.cwd}/a`);
    await Deno.symlink("a/x", `${workspace.cwd}/b`);
    await Deno.writeTextFile(`${workspace.cwd}/f`, "");
    await Deno.symlink("/dev/zero", `${workspace.cwd}/zero`);
    await Deno.symlink("/proc/self/environ", `${workspace.cwd}/keys`);
    const refused: [string, string][] = [
      ["zero", "system's own"],
      ["keys", "system's own"],
      ["", "empty"],
      ["a\0b", "control character"],
      ["a\nb", "control character"],
      ["a\x1b[2Jb", "control character"],
      ["a\u009bb", "control character"],
      ["a\ud800b", "Unicode"],
      ["x".repeat(5000), "too long"],
      ["é".repeat(200), "too long"],
      ["loop", "circle"],
      ["loop/x", "circle"],
      ["a", "circle"],
      ["f/x", "file, not a folder"],
      ["absent/../f", "does not exist"],
      ["/proc/self/environ", "system's own"],
      ["/dev/zero", "system's own"],
    ];
    for (const [given, reason] of refused) {
      const { message } = await assertRejects(() => resolvePath(given, workspace), PathError, reason) as PathError;
      assert(!/\p{Cc}/u.test(message), "the message holds a raw control character");
      assert(message.length < 1000, "the message repeats a very long path");
    }
  }));

Deno.test("resolvePath() knows the home folder, and refuses ~ where there is none", () =>
  withWorkspace(async (workspace) => {
    assertEquals((await resolvePath("~/x", workspace)).path, `${workspace.home}/x`);
    assertEquals((await resolvePath("~", workspace)).path, workspace.home);
    assertEquals((await resolvePath("~x", workspace)).path, `${workspace.cwd}/~x`);
    const { home: _, ...homeless } = workspace;
    await assertRejects(() => resolvePath("~/x", homeless), PathError, "home folder is not known");
  }));

Deno.test("resolvePath() counts hard links", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.link(`${base}/outside/s`, `${workspace.cwd}/s`);
    assertEquals((await resolvePath("s", workspace)).links, 2);
  }));

Deno.test("resolvePath() knows protected paths by name, canonical name and link, whether they exist or not", () =>
  withWorkspace(async (workspace) => {
    const { cwd } = workspace;
    await Deno.mkdir(`${cwd}/.git/hooks`, { recursive: true });
    await Deno.mkdir(`${cwd}/sub`);
    await Deno.mkdir(`${cwd}/shared`);
    await Deno.symlink(".git", `${cwd}/g`);
    await Deno.symlink("shared", `${cwd}/.vscode`);
    const yes = [
      "g/config",
      "sub/../.git/hooks/x",
      ".GIT/config",
      "sub/.git/x",
      "sub/.github/workflows/ci.yml",
      ".vscode/tasks.json",
      `${cwd}/.vscode/tasks.json`,
      ".mini-agent/config.json",
      "sub/AGENTS.md",
      ".mcp.json",
      ".gi\u200ct/config",
      ".ba\u017fhrc",
    ];
    for (const path of yes) assert((await resolvePath(path, workspace)).protected, path);
    const no = ["shared/x", ".github/ISSUE_TEMPLATE.md", "git/config", "x.git", "agents.md.bak", "sub/workflows"];
    for (const path of no) assert(!(await resolvePath(path, workspace)).protected, path);
  }));

Deno.test("isSecret() knows secrets by name, and what only looks like one", () => {
  const workspace = { cwd: "/w/.env/repo", roots: ["/w/.env/repo"], home: "/home/u", ownFolders: ["/data/Mini"] };
  const inside = (name: string) => isSecret(`/w/.env/repo/${name}`, workspace);
  for (const name of [".env", ".ENV.local", "a/.env.production", "key.pem", "id_rsa", "id_work", "a/id_ed25519.pub"]) {
    assert(inside(name), name);
  }
  for (const name of [".env.example", "a.env", "id_map.ts", "pem", "src/gh/x", "docker/config.json"]) {
    assert(!inside(name), name);
  }
  for (const name of [".ssh/config", ".aws/credentials", ".docker/config.json", ".config/gh/hosts.yml", ".netrc"]) {
    assert(isSecret(`/home/u/${name}`, workspace), name);
  }
  assert(!isSecret("/home/u/.docker/daemon.json", workspace));
  assert(isSecret("/data/mini/sessions/1.jsonl", workspace), "our own data folder, in any case");
  assert(isSecret("/home/u/.ssh/config", { ...workspace, roots: ["/home/u/.ssh"] }), "a secret folder as a root");
  const readable = ["/data/Mini/sessions/1"];
  assert(!isSecret("/data/Mini/sessions/1/output.txt", { ...workspace, readable }));
});

Deno.test("isSecret() knows what rules about reading name, and all below it", () => {
  const workspace = { cwd: "/w", roots: ["/w"], home: "/home/u", hidden: ["./private", "./**/*.key", "~/notes/**"] };
  for (const path of ["/w/private", "/w/PRIVATE/a/b", "/w/a/b/x.key", "/home/u/notes/x"]) {
    assert(isSecret(path, workspace), path);
  }
  for (const path of ["/w/private2", "/w/a.keys", "/home/u/note"]) assert(!isSecret(path, workspace), path);
  const below = secretsBelow("/w", workspace);
  assertEquals(["/w/private", "/w/a/x.key", "/w/a/x.ts"].map(below), [true, true, false]);
});

Deno.test("isProtected() ignores what leads to a root", () => {
  const workspace = { cwd: "/u/.claude/worktrees/a", roots: ["/u/.claude/worktrees/a"] };
  assert(!isProtected("/u/.claude/worktrees/a/src/x.ts", workspace));
  assert(isProtected("/u/.claude/worktrees/a/.claude/x", workspace));
});

Deno.test("confine() lets a call touch what is inside and nothing else", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.writeTextFile(`${workspace.cwd}/.env`, "K=1");
    await Deno.symlink("../outside/s", `${workspace.cwd}/l`);
    const may = (given: string, intent: "read" | "write") => confine(given, intent, { workspace, granted: nothing });
    assertEquals((await may("new.txt", "write")).path, `${workspace.cwd}/new.txt`);
    assertEquals((await may(".git/config", "read")).protected, true);
    for (const intent of ["read", "write"] as const) {
      for (const way of ["l", "../outside/s", `${base}/outside/s`, "../repo-evil/x"]) {
        await assertRejects(() => may(way, intent), PathError, "outside the workspace");
      }
    }
    await assertRejects(() => may(".env", "read"), PathError, "secret");
    await assertRejects(() => may(".env", "write"), PathError, "secret");
    assertEquals((await may(".env.new", "write")).type, "absent");
    await assertRejects(() => may(".git/config", "write"), PathError, "protected");
  }));

Deno.test("confine() honours what was granted by canonical path, readable folders for reading, and full mode", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.symlink("../outside/s", `${workspace.cwd}/l`);
    const granted = new Set([`${base}/outside/s`]);
    assertEquals((await confine("l", "write", { workspace, granted })).path, `${base}/outside/s`);
    await assertRejects(
      () => confine("l", "write", { workspace, granted: new Set([`${workspace.cwd}/l`]) }),
      PathError,
    );
    const reading = { workspace: { ...workspace, readable: [`${base}/outside`] }, granted: nothing };
    assertEquals((await confine("../outside/s", "read", reading)).type, "file");
    await assertRejects(() => confine("../outside/s", "write", reading), PathError);
    const full = { workspace: { ...workspace, unconfined: true }, granted: nothing };
    assertEquals((await confine(".git/config", "write", full)).protected, true);
    assertEquals((await confine("../outside/s", "write", full)).place, "outside");
  }));

Deno.test({
  name: "confine() refuses pipes and devices at once, whatever was granted",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withWorkspace(async (workspace) => {
      await new Deno.Command("mkfifo", { args: [`${workspace.cwd}/pipe`] }).output();
      const granted = new Set([`${workspace.cwd}/pipe`]);
      const options = { workspace: { ...workspace, unconfined: true }, granted };
      await assertRejects(() => confine("pipe", "read", options), PathError, "not a regular file");
      await assertRejects(() => confine("/dev/zero", "read", options), PathError, "system's own");
      await assertRejects(() => confine("/proc/self/environ", "read", options), PathError, "system's own");
    });
  },
});

Deno.test("resolvePath() says what is missing where Deno itself may not look", () =>
  withWorkspace(async (workspace, base) => {
    await Deno.symlink("../outside/s", `${workspace.cwd}/l`);
    const script = `
      import { resolvePath } from ${JSON.stringify(new URL("../../src/permissions/paths.ts", import.meta.url).href)};
      const workspace = ${JSON.stringify(workspace)};
      for (const given of ["l", "../outside/s", "new/x"]) {
        await resolvePath(given, workspace).then((r) => console.log(r.place), (e) => console.log(e.message));
      }`;
    await Deno.writeTextFile(`${base}/try.ts`, script);
    const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--cached-only", "-c", config, `--allow-read=${workspace.cwd}`, `${base}/try.ts`],
      env: { NO_COLOR: "1" },
    }).output();
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    assertEquals(lines.length, 3);
    assertStringIncludes(lines[0]!, `Cannot use "l": Deno holds no permission`);
    assertStringIncludes(lines[1]!, `Cannot use "../outside/s": Deno holds no permission`);
    assertEquals(lines[2], "inside");
  }));

Deno.test("pathProblem() refuses device paths and streams on Windows", () => {
  assertEquals(pathProblem("C:\\a\\b.txt", "windows"), undefined);
  for (const path of ["\\\\?\\C:\\a", "\\\\.\\pipe\\x", "//server/share", "a.txt:hidden", "C:\\a:b"]) {
    assert(pathProblem(path, "windows") !== undefined, path);
  }
});

Deno.test("quotePath() escapes what cannot be seen", () => {
  assertEquals(quotePath(`a"\x1b\u202eb\ud800`), `"a\\"\\u001b\\u{202e}b\\ud800"`);
});
